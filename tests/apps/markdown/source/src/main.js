import { marked } from "marked";
import "./style.css";

const app = document.getElementById("app");
app.innerHTML = marked.parse(await (await fetch("notes.md")).text());
app.dataset.ready = "";
