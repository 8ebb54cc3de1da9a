import Tab from "bootstrap/js/dist/tab";
import "../style.css";

for (const button of document.querySelectorAll("[data-bs-toggle=tab]")) Tab.getOrCreateInstance(button);
