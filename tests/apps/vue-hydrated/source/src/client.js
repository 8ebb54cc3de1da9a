import { makeApp } from "./App.js";
import "./style.css";

makeApp().mount("#app");
