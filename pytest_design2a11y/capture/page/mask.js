// Called in every isolated world: boxes [left, top, width, height] px of the elements that each selector fits, of the
// document in the main frame and of the viewport in others; null where the selector is not valid.
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

// A selector of the first element alone that has a box among those that a selector fits; null inside of a shadow root.
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
