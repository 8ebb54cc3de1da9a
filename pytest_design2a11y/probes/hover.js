// What may show more under the pointer, and what then shows: in the isolated world of the main frame.
import {
  all, allStyles, ancestors, attribute, boxOf, brief, bring, called, elementOf, has, holderOf, isShown, isWithin, nameOf,
  numberOf, parentOf, textNodes,
} from "../capture/running/page.js";

const MAX_TRIGGERS = 30;
const FOCUSABLE = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]";
const ENTERS = new Set("mouseenter mouseover pointerenter pointerover".split(" "));

// Selectors of elements that change others when hovered: the part before ":hover" and a combinator.
function hovered() {
  const found = new Set();
  for (const rule of allStyles()) {
    // The selector of a nested rule is not complete by itself.
    if (!rule?.selectorText?.includes(":hover") || rule.selectorText.includes("&")) continue;
    if (!SHOWING.some((name) => rule.style.getPropertyValue(name))) continue;
    for (const part of rule.selectorText.split(/,(?![^(]*\))/)) {
      const match = part.match(/^(.*?):hover(?=[^\s>+~]*[\s>+~]+\S)/);
      if (match) found.add(match[1].trim().replace(/:focus(-within|-visible)?/g, "") || "*");
    }
  }
  return [...found].filter((selector) => selector !== "*");
}
const SHOWING = "display visibility opacity max-height height clip clip-path transform left top width pointer-events".split(" ");

// Numbers of the elements to move the pointer to.
export function triggers(listeners) {
  const entered = new Set(listeners.filter(([, type]) => ENTERS.has(type)).map(([number]) => elementOf(number)));
  const selectors = hovered();
  const matches = (element) => selectors.some((selector) => {
    try {
      return element.matches(selector);
    } catch {
      return false;
    }
  });
  const large = 0.5 * innerWidth * innerHeight;
  const found = all().filter((element) => {
    if (["html", "body"].includes(nameOf(element)) || !isShown(element)) return false;
    const { width, height } = boxOf(element);
    return width * height < large && (entered.has(element) || matches(element));
  });
  return found.slice(0, MAX_TRIGGERS).map((element) => [numberOf(element), brief(element.innerText ?? "") || nameOf(element)]);
}

let before = new Set();
const shown = () => new Set(all().filter((element) => isShown(element)));
// Scrolls a trigger into view, remembers what is visible, and returns the pointer's target in the window.
export function aim(number) {
  const element = elementOf(number);
  if (!bring(number)) return null;
  before = shown();
  const { left, top, width, height } = boxOf(element);
  const hit = [[0.5, 0.5], [0.15, 0.5], [0.85, 0.5], [0.5, 0.15]]
    .map(([across, down]) => [left + across * width, top + down * height])
    .find(([x, y]) => isWithin(document.elementFromPoint(x, y) ?? document.body, element));
  return hit ?? null;
}

const hasContent = (element) => called(element) !== "" || element.querySelector("img, svg, input") !== null;
// Newly visible elements: the outermost ones with content, with their boxes in the window.
export function news() {
  const fresh = [...shown()].filter((element) => !before.has(element));
  const outermost = fresh.filter((element) => !fresh.includes(parentOf(element)) && hasContent(element));
  return outermost.map((element) => {
    const { left, top, width, height } = boxOf(element);
    return [numberOf(element), called(element) || nameOf(element), [left, top, width, height]];
  });
}
export const isStillShown = (number) => isShown(elementOf(number));

// Whether a newly visible element covers words that were there before.
export function covers(number) {
  const element = elementOf(number);
  const { left, top, right, bottom } = boxOf(element);
  const range = document.createRange();
  for (const node of textNodes()) {
    if (!before.has(holderOf(node)) || isWithin(holderOf(node), element)) continue;
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.right > left + 1 && box.left < right - 1 && box.bottom > top + 1 && box.top < bottom - 1 && box.width > 1) return true;
    }
  }
  return false;
}

// Focuses a trigger, or else the first focusable element in it or around it.
export function focus(number) {
  const element = elementOf(number);
  const isFocusable = (target) => target.matches(FOCUSABLE) && target.tabIndex >= 0 && isShown(target);
  const inner = all(element).find((target) => isFocusable(target) && before.has(target));
  const found = isFocusable(element) ? element : inner ?? ancestors(element).find(isFocusable);
  if (!found) return null;
  found.focus({ preventScroll: true });
  const opens = has(found, "aria-expanded") || has(found, "aria-haspopup") || nameOf(found) === "button" || attribute(found, "role") === "button";
  return { opens };
}
