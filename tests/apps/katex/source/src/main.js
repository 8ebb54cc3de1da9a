import katex from "katex";
import "katex/dist/katex.min.css";
import "./style.css";

for (const element of document.querySelectorAll(".maths")) {
  katex.render(element.textContent, element, { displayMode: true });
}
document.fonts.ready.then(() => (document.querySelector("main").dataset.ready = ""));
