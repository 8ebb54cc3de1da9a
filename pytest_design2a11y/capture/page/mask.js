// Called in every isolated world: boxes [left, top, width, height] px of the elements that match each selector, relative
// to the document in the main frame and to the viewport in others; null for an invalid selector.
import { allRoots } from "./tree.js";

export function boxesOf(selectors, isMain) {
  const roots = allRoots();
  const boxOf = reader(isMain);
  return selectors.map((selector) => {
    try {
      return roots.flatMap((root) => [...root.querySelectorAll(selector)]).map(boxOf);
    } catch {
      return null;
    }
  });
}

// A selector for only the first element with a box among those that a selector matches; null inside a shadow root.
export function selectorOf(selector, box) {
  const isThere = (element) => `${reader(true)(element)}` === `${box}`;
  let element = [...document.querySelectorAll(selector)].find(isThere);
  if (!element) return null;
  const steps = [];
  for (; element.parentElement; element = element.parentElement)
    steps.unshift(`:nth-child(${1 + [...element.parentElement.children].indexOf(element)})`);
  return [":root", ...steps].join(" > ");
}

function reader(isMain) {
  const [left, top] = isMain ? [scrollX, scrollY] : [0, 0];
  return (element) => {
    const box = element.getBoundingClientRect();
    return [box.left + left, box.top + top, box.width, box.height];
  };
}
