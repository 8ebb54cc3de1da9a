// Which color schemes the style sheets of a frame support: in its isolated world.
import { allStyles } from "../capture/running/page.js";

export function schemes() {
  const found = new Set();
  for (const rule of allStyles()) {
    const condition = rule?.media?.mediaText ?? "";
    if (/prefers-color-scheme\s*:\s*dark/.test(condition)) found.add("dark");
    if (/forced-colors/.test(condition)) found.add("forced-colors");
    const scheme = rule?.style?.getPropertyValue("color-scheme") ?? "";
    if (/\bdark\b/.test(scheme) && (/\blight\b/.test(scheme) || !/\bonly\b/.test(scheme))) found.add("dark");
    if (/light-dark\(/.test(rule?.style?.cssText ?? "")) found.add("dark");
    if (rule?.style?.getPropertyValue("forced-color-adjust")) found.add("forced-colors");
  }
  for (const meta of /** @type {NodeListOf<HTMLMetaElement>} */ (document.querySelectorAll("meta[name=color-scheme i]"))) {
    if (/\bdark\b/.test(meta.content)) found.add("dark");
  }
  for (const source of /** @type {NodeListOf<HTMLSourceElement>} */ (document.querySelectorAll("source[media]"))) {
    if (/prefers-color-scheme\s*:\s*dark/.test(source.media)) found.add("dark");
  }
  return [...found];
}
