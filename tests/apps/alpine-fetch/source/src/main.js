import Alpine from "alpinejs";
import "./style.css";

Alpine.start();
