import { useEffect, useState } from "preact/hooks";

export default function Tasks() {
  const [tasks, setTasks] = useState([]);
  useEffect(() => {
    const request = new XMLHttpRequest();
    request.open("GET", "/data.json");
    request.responseType = "json";
    request.onload = () => setTasks(request.response);
    request.send();
  }, []);
  return <ul data-ready={tasks.length ? "" : undefined}>{tasks.map((task) => <li key={task.id}>{task.name}</li>)}</ul>;
}
