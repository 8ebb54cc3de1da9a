import { tasks } from "../modules/second.js";

postMessage(tasks.map((task) => task.toUpperCase()));
