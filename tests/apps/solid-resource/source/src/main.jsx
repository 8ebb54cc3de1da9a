import { createResource, For, Suspense } from "solid-js";
import { render } from "solid-js/web";
import "./style.css";

function Tasks() {
  const [tasks] = createResource(async () => (await fetch("/data.json")).json());
  return (
    <Suspense fallback={<p class="waiting">Loading</p>}>
      <ul data-ready={tasks() ? "" : undefined}><For each={tasks()}>{(task) => <li>{task.name}</li>}</For></ul>
    </Suspense>
  );
}

render(
  () => <><header><h1>Solid with data</h1></header><main><Tasks /></main></>,
  document.getElementById("app"),
);
