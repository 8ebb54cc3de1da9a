// What all probes share in a frame: numbering elements, visibility, descriptions. In the isolated world of every frame.
import { describeAlike, register, shortened } from "../audit/descriptions.js";
import { allElements, allRoots, allStyles, parentOf, read } from "../page/tree.js";

// Each probe's script is loaded by itself: an element has the same number in all of them.
globalThis.design2a11yRunning ??= { ...register(), sheet: new CSSStyleSheet() };
const { elements, numberOf, sheet } = globalThis.design2a11yRunning;
/** @type {(root?: ParentNode) => any[]} all elements */
export const all = (root) => allElements(root);
const SILENT = new Set("script style noscript template title option textarea".split(" "));
export const boxOf = (element) => Element.prototype.getBoundingClientRect.call(element);
export const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
export const has = (element, name) => Element.prototype.hasAttribute.call(element, name);

export function ancestors(element) {
  const found = [];
  for (let above = parentOf(element); above; above = parentOf(above)) found.push(above);
  return found;
}
export const isWithin = (element, holder) => element === holder || ancestors(element).includes(holder);

export const isVisible = (element) =>
  Element.prototype.checkVisibility.call(element, { checkVisibilityCSS: true, checkOpacity: true });
// Whether an element is visible to a person.
export function isShown(element) {
  const { width, height } = boxOf(element);
  return width >= 1 && height >= 1 && isVisible(element);
}
// Whether an element is pinned to the window, by itself or by an ancestor that does not contain the other one.
export const isPinned = (element, other) =>
  [element, ...ancestors(element)].some(
    (holder) => ["fixed", "sticky"].includes(getComputedStyle(holder).position) && !(other && isWithin(other, holder)),
  );
export function isDisabled(element) {
  const modal = [...document.querySelectorAll("dialog:modal")].at(-1);
  if (modal && !isWithin(element, modal)) return true;
  return element.matches(":disabled") || element.closest("[inert], [aria-disabled=true]") !== null;
}

// Text nodes with more than white space, including those in open shadow roots.
/** @param {Node | null} root @returns {Generator<any>} */
export function* textNodes(root = document.body) {
  if (!root) return;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = /** @type {any} */ (walker.nextNode()); node; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (/\S/.test(node.data) && !SILENT.has(node.parentElement?.localName)) yield node;
    } else if (node.shadowRoot instanceof ShadowRoot) yield* textNodes(node.shadowRoot);
  }
}
export const holderOf = (node) => node.parentElement ?? node.getRootNode().host;

// The place in the page for the main frame, in the window for other frames.
export function place(element) {
  const { x, y, width, height } = boxOf(element);
  const [left, top] = self === self.top ? [scrollX, scrollY] : [0, 0];
  return [x + left, y + top, width, height];
}

// The topmost element at a point of the window, also within open shadow roots.
/** @returns {any} */
export function topAt(x, y) {
  let found = document.elementFromPoint(x, y);
  while (found?.shadowRoot) {
    const inner = found.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === found) break;
    found = inner;
  }
  return found;
}

// The topmost element at all of these points that are in the window; null if a point is free, or none is in it.
export function coverAt(places, isFree) {
  /** @type {Element | null} */
  let cover = null;
  for (const [x, y] of places) {
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
    const found = topAt(x, y);
    if (!found || isFree(found)) return null;
    cover = found;
  }
  return cover;
}

export const nameOf = (element) => read(Element.prototype, "localName", element);
// A short version of an element's text, for sentences.
export const called = (element) => brief(attribute(element, "aria-label") ?? read(Node.prototype, "textContent", element));
export const brief = (text, longest = 40) => shortened(text.replace(/\s+/g, " ").trim(), longest);

// Scrolls an element into view, and returns its place in the page; null if it is not visible.
export function bring(number) {
  if (!isShown(elements[number])) return null;
  Element.prototype.scrollIntoView.call(elements[number], { block: "center", behavior: "instant" });
  return place(elements[number]);
}
export function deepest() {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}
export const leave = () => /** @type {HTMLElement | null} */ (deepest())?.blur?.();

// Finishes finite animations, as if one had waited, and stops the caret from blinking.
export function rest() {
  for (const animation of document.getAnimations()) {
    try {
      animation.finish();
    } catch {
      // An endless one stands still anyway.
    }
  }
}
export function hideCaret() {
  sheet.replaceSync("* { caret-color: transparent !important; }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
// Whether the page itself hides the caret of a field.
export function hidCaret(element) {
  sheet.disabled = true;
  const color = getComputedStyle(element).caretColor;
  sheet.disabled = false;
  return /^rgba\(.*, 0\)$|\/ 0\)$/.test(color);
}
export const drawn = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined))));
export function restore() {
  leave();
  scrollTo({ left: 0, top: 0, behavior: "instant" });
}
export const ownNumberOf = (node) => (node instanceof Element && node.ownerDocument === document ? numberOf(node) : null);
export const elementOf = (number) => elements[number];
export const describe = (wanted) => describeAlike(wanted.map((number) => elements[number]));
export const attempted = () => globalThis.attempts ?? {};
export const countRoots = () => allRoots().length;
export const rootAt = (index) => allRoots()[index];
export { allRoots, allStyles, numberOf, parentOf };
