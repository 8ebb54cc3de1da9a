import "htmx.org";
import "./style.css";
