"use client";
import { useEffect, useState } from "react";

export default function Late() {
  const [text, setText] = useState("Asleep");
  useEffect(() => setText("Awake"), []);
  return <p>{text}</p>;
}
