import { renderToString } from "vue/server-renderer";
import { makeApp } from "./App.js";

export const render = () => renderToString(makeApp());
