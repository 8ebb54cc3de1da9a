import { use } from "react";

const members = new Promise((resolve) => setTimeout(resolve, 400, ["Ana", "Ben", "Cleo"]));

export default function Members() {
  return <ul data-ready>{use(members).map((name) => <li key={name}>{name}</li>)}</ul>;
}
