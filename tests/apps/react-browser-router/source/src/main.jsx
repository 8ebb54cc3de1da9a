import { createRoot } from "react-dom/client";
import { createBrowserRouter, Link, Outlet, RouterProvider } from "react-router-dom";
import "./style.css";

const frame = (
  <>
    <header><h1>React routes</h1></header>
    <main><nav><Link to="/">Home</Link> <Link to="/settings">Settings</Link></nav><Outlet /></main>
  </>
);
const router = createBrowserRouter([
  {
    path: "/",
    element: frame,
    hydrateFallbackElement: <p className="waiting">One moment</p>,
    children: [
      { index: true, element: <p data-ready>Nothing to do today.</p> },
      { path: "settings", lazy: async () => ({ Component: (await import("./Settings.jsx")).default }) },
    ],
  },
]);

createRoot(document.getElementById("app")).render(<RouterProvider router={router} />);
