import { StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import "./style.css";

function Tasks() {
  const [tasks, setTasks] = useState(["Write the release notes", "Order new chairs"]);
  useEffect(() => setTasks((now) => (now.length < 3 ? [...now, "Call the printer"] : now)), []);
  return <ul data-ready>{tasks.map((task) => <li key={task}>{task}</li>)}</ul>;
}

createRoot(document.getElementById("app")).render(
  <StrictMode>
    <header><h1>React tasks</h1></header>
    <main><Tasks /><button>Add a task</button></main>
  </StrictMode>,
);
