import { Button } from "./Button.jsx";

export default { title: "Button", component: Button };

export const Primary = { args: { label: "Save the tasks", isPrimary: true } };
export const Secondary = { args: { label: "Cancel" } };
export const Late = {
  args: { label: "Loaded later" },
  loaders: [() => new Promise((resolve) => setTimeout(resolve, 600, {}))],
};
