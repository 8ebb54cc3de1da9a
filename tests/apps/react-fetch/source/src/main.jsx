import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import "./style.css";

function Tasks() {
  const [tasks, setTasks] = useState(null);
  useEffect(() => {
    fetch("/data.json").then((answer) => answer.json()).then(setTasks);
  }, []);
  if (!tasks) return <p className="waiting">Loading data...</p>;
  return <ul data-ready>{tasks.map((task) => <li key={task.id}>{task.name} ({task.owner})</li>)}</ul>;
}

createRoot(document.getElementById("app")).render(
  <><header><h1>React with data</h1></header><main><Tasks /></main></>,
);
