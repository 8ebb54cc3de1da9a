import { useEffect, useTransition } from "react";
import { createRoot } from "react-dom/client";
import { create } from "zustand";
import "./style.css";
import "./skeleton.css";

const useTasks = create((set) => ({
  tasks: [],
  load: async () => {
    const answer = await fetch(`${import.meta.env.BASE_URL}data.json`);
    await new Promise((resolve) => setTimeout(resolve, 800));
    set({ tasks: await answer.json() });
  },
}));

function Row({ task }) {
  return task ? <li>{task.name}</li> : <li className="skeleton">&nbsp;</li>;
}

function Tasks() {
  const { tasks, load } = useTasks();
  const [, startTransition] = useTransition();
  useEffect(() => startTransition(load), [load]);
  const rows = tasks.length ? tasks : [null, null, null];
  return <ul data-ready={tasks.length ? "" : undefined}>{rows.map((task, index) => <Row key={index} task={task} />)}</ul>;
}

createRoot(document.getElementById("app")).render(
  <><header><h1>React with a skeleton</h1></header><main><Tasks /></main></>,
);
