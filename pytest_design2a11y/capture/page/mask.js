// Called in every isolated world: boxes [left, top, width, height] px of the elements that match each selector, relative
// to the document in the main frame and to the viewport in others; null for an invalid selector.
import { allRoots, positionSelector } from "./tree.js";

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

// A selector for only the first element with a box among those that a selector matches.
export function selectorOf(selector, box) {
  const isThere = (element) => `${reader(true)(element)}` === `${box}`;
  const element = [...document.querySelectorAll(selector)].find(isThere);
  return element ? positionSelector(element) : null;
}

function reader(isMain) {
  const [left, top] = isMain ? [scrollX, scrollY] : [0, 0];
  return (element) => {
    const box = element.getBoundingClientRect();
    return [box.left + left, box.top + top, box.width, box.height];
  };
}
