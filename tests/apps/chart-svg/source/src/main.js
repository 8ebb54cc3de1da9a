import { max } from "d3-array";
import { scaleBand, scaleLinear } from "d3-scale";
import { select } from "d3-selection";
import "./style.css";

const text = await (await fetch("sales.csv")).text();
const rows = text.trim().split("\n").slice(1).map((line) => line.split(","));
const x = scaleBand(rows.map(([month]) => month), [0, 640]).padding(0.2);
const y = scaleLinear([0, max(rows, ([, sold]) => Number(sold))], [260, 20]);
const bars = select("svg").selectAll("g").data(rows).join("g");
bars.append("rect").attr("x", ([month]) => x(month)).attr("width", x.bandwidth())
  .attr("y", ([, sold]) => y(sold)).attr("height", ([, sold]) => 260 - y(sold)).attr("fill", "#2f8f5b");
bars.append("text").attr("x", ([month]) => x(month)).attr("y", 285).text(([month, sold]) => `${month} ${sold}`);
document.querySelector("svg").dataset.ready = "";
