import "a11y-dialog";
import "../style.css";
