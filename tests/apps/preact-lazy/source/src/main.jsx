import { render } from "preact";
import { lazy, Suspense } from "preact/compat";
import "./style.css";

const Tasks = lazy(() => import("./Tasks.jsx"));

render(
  <>
    <header><h1>Preact with a lazy part</h1></header>
    <main><Suspense fallback={<p class="waiting">Loading</p>}><Tasks /></Suspense></main>
  </>,
  document.getElementById("app"),
);
