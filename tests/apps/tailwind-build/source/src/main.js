import "./tailwind.css";

const people = ["Ana", "Ben", "Cleo"];
document.getElementById("cards").innerHTML = people
  .map((name) => `<article class="rounded-xl bg-white p-4 text-slate-700 shadow hover:shadow-lg">${name}</article>`)
  .join("");
document.getElementById("cards").dataset.ready = "";
