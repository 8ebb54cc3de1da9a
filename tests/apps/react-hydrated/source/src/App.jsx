import { useEffect, useState } from "react";

export default function App() {
  const [state, setState] = useState("rendered by the server");
  useEffect(() => setState("taken over by the browser"), []);
  return (
    <>
      <header><h1>React hydrated</h1></header>
      <main>
        <ul><li>Ana</li><li>Ben</li><li>Cleo</li></ul>
        <p data-ready={state.startsWith("taken") || undefined}>This page was {state}.</p>
      </main>
    </>
  );
}
