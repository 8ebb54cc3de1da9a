import { useEffect, useState } from "preact/hooks";

export default function Counter({ start }) {
  const [count, setCount] = useState(start);
  useEffect(() => setCount(start + 1), [start]);
  return <p>Counted to {count} <button onClick={() => setCount(count + 1)}>More</button></p>;
}
