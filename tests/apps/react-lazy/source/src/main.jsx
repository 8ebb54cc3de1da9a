import { lazy, Suspense } from "react";
import { createRoot } from "react-dom/client";
import "./style.css";

const Settings = lazy(() => import("./Settings.jsx"));
const Members = lazy(() => import("./Members.jsx"));

createRoot(document.getElementById("app")).render(
  <>
    <header><h1>React with lazy parts</h1></header>
    <main>
      <Suspense fallback={<p className="waiting">Loading the settings</p>}>
        <Settings />
        <Suspense fallback={<p className="waiting">Loading the members</p>}><Members /></Suspense>
      </Suspense>
    </main>
  </>,
);
