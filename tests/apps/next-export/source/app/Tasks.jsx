"use client";
import { useEffect, useState } from "react";

export default function Tasks() {
  const [tasks, setTasks] = useState([]);
  useEffect(() => {
    fetch("/data.json").then((answer) => answer.json()).then(setTasks);
  }, []);
  if (!tasks.length) return <p className="waiting">Loading data...</p>;
  return <ul data-ready>{tasks.map((task) => <li key={task}>{task}</li>)}</ul>;
}
