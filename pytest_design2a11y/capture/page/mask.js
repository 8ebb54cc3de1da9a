// Called in every isolated world: boxes [left, top, width, height] px of the elements that each selector fits, of the
// document in the main frame and of the viewport in others; null where the selector is not valid.
import { allRoots } from "./tree.js";

export function boxesOf(selectors, isMain) {
  const roots = allRoots();
  const [left, top] = isMain ? [scrollX, scrollY] : [0, 0];
  const boxOf = (element) => {
    const box = element.getBoundingClientRect();
    return [box.left + left, box.top + top, box.width, box.height];
  };
  return selectors.map((selector) => {
    try {
      return roots.flatMap((root) => [...root.querySelectorAll(selector)]).map(boxOf);
    } catch {
      return null;
    }
  });
}
