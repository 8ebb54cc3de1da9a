import m from "mithril";
import "./style.css";

let tasks = [];
m.mount(document.getElementById("app"), {
  oninit: () => m.request("data.json").then((found) => (tasks = found)),
  view: () => [
    m("header", m("h1", "Mithril with data")),
    m("main", tasks.length
      ? m("ul", { "data-ready": "" }, tasks.map((task) => m("li", task.name)))
      : m("p.waiting", "Loading")),
  ],
});
