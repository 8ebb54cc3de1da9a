import { createApp } from "petite-vue";
import "./style.css";

createApp().mount();
