import { BarController, BarElement, CategoryScale, Chart, LinearScale } from "chart.js";
import "./style.css";

Chart.register(BarController, BarElement, CategoryScale, LinearScale);
const text = await (await fetch("sales.csv")).text();
const rows = text.trim().split("\n").slice(1).map((line) => line.split(","));
const note = document.getElementById("note");
new Chart("sales", {
  type: "bar",
  data: {
    labels: rows.map(([month]) => month),
    datasets: [{ data: rows.map(([, sold]) => Number(sold)), backgroundColor: "#24508f" }],
  },
  options: {
    responsive: false,
    animation: {
      onComplete: () => {
        note.textContent = "Drawn to the end.";
        note.dataset.ready = "";
      },
    },
  },
});
