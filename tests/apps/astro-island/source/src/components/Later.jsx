import { useEffect, useState } from "preact/hooks";

export default function Later() {
  const [isAwake, setAwake] = useState(false);
  useEffect(() => setAwake(true), []);
  return <p data-ready={isAwake ? "" : undefined}>This island is {isAwake ? "awake" : "asleep"}.</p>;
}
