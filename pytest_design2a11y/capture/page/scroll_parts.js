// Parts of a page that scroll by themselves and hold nothing in some of their room: they may make their content only
// while somebody scrolls, such as the rows of a long table.
import { SCROLLING, scrolls } from "../text/clips.js";
import { childrenOf, NOT_TEXT } from "../text/children.js";

const LEAST_ROOM = 30; // px; after the last row, there may be less
const PICTURES = new Set("img svg canvas video".split(" "));

/** @typedef {{ text: string, left: number, top: number, width: number, height: number }} Thing px of all that a part can be scrolled to */
/** @typedef {{ element: Element, left: number, top: number, known: Map<string, Thing>, numAtRest: number }} Part and how far it is scrolled at rest */

/** @type {(element: Element, part: Element) => Iterable<Thing>} */
function* thingsIn(element, part) {
  for (const child of childrenOf(element)) {
    const isText = child.nodeType === Node.TEXT_NODE;
    const isPicture = PICTURES.has(child.localName);
    if (isPicture || (isText && child.data.trim())) yield* placed(child, isText ? child.data : "", part);
    else if (child.nodeType === Node.ELEMENT_NODE && !NOT_TEXT.has(child.localName)) {
      if (typeof child.value === "string" && child.value) yield* placed(child, child.value, part);
      else yield* thingsIn(child, part);
    }
  }
}
function* placed(node, text, part) {
  const range = document.createRange();
  range.selectNode(node);
  const { left, top, width, height } = range.getBoundingClientRect();
  const around = part.getBoundingClientRect();
  if (!width || !height || !(node.parentElement?.checkVisibility({ visibilityProperty: true }) ?? true)) return;
  yield { text, left: left - around.left + part.scrollLeft, top: top - around.top + part.scrollTop, width, height };
}
/** @type {(part: Part) => void} */
const note = ({ element, known }) => {
  for (const thing of thingsIn(element, element)) known.set([thing.text, Math.round(thing.left), Math.round(thing.top)].join(), thing);
};
// The largest stretch between things of which none lies in it.
const largestRoom = (stretches, whole) => {
  let [largest, reached] = [0, 0];
  for (const [start, end] of [...stretches.sort((one, other) => one[0] - other[0]), [whole, whole]]) {
    largest = Math.max(largest, start - reached);
    reached = Math.max(reached, end);
  }
  return largest;
};
const hasRoom = ({ element, known }) => {
  const things = [...known.values()];
  const { scrollWidth, scrollHeight, clientWidth, clientHeight } = element;
  const down = things.map(({ top, height }) => [top, top + height]);
  const across = things.map(({ left, width }) => [left, left + width]);
  return (
    (scrollHeight - clientHeight >= LEAST_ROOM && largestRoom(down, scrollHeight) >= LEAST_ROOM) ||
    (scrollWidth - clientWidth >= LEAST_ROOM && largestRoom(across, scrollWidth) >= LEAST_ROOM)
  );
};

/** Find such parts, remember them, and return how many windows each is long. */
export function findParts() {
  const overflowing = ({ scrollWidth, scrollHeight, clientWidth, clientHeight }) =>
    scrollHeight - clientHeight >= LEAST_ROOM || scrollWidth - clientWidth >= LEAST_ROOM;
  const found = [...document.querySelectorAll("*")].filter(
    (element) => overflowing(element) && scrolls(element, getComputedStyle(element)),
  );
  const parts = found.map((element) => ({ element, left: element.scrollLeft, top: element.scrollTop, known: new Map(), numAtRest: 0 }));
  parts.forEach(note);
  globalThis.design2a11yParts = parts.filter(hasRoom);
  for (const part of globalThis.design2a11yParts) part.numAtRest = part.known.size;
  return globalThis.design2a11yParts.map(
    ({ element }) => Math.ceil(element.scrollWidth / element.clientWidth) * Math.ceil(element.scrollHeight / element.clientHeight),
  );
}

const scrollPart = (element, left, top) => element.scrollTo({ left, top, behavior: "instant" });
/** @type {(at: number) => void} scroll a part to where its content begins */
export function toBeginning(at) {
  scrollPart(globalThis.design2a11yParts[at].element, -1e9, -1e9);
}
/** @type {(at: number) => boolean} note what a part holds now, and scroll on; whether there was something left */
export function scrollOn(at) {
  const part = globalThis.design2a11yParts[at];
  const { element } = part;
  note(part);
  const { scrollLeft, scrollTop } = element;
  scrollPart(element, scrollLeft, scrollTop + element.clientHeight);
  if (element.scrollTop > scrollTop) return true;
  if (!SCROLLING.test(getComputedStyle(element).overflowX)) return false;
  scrollPart(element, scrollLeft + element.clientWidth, -1e9);
  return element.scrollLeft > scrollLeft;
}

/** Scroll a part back, and return its window in the page and what it did not hold before it was scrolled. */
export function scrollBack(at) {
  const { element, left, top, known, numAtRest } = globalThis.design2a11yParts[at];
  scrollPart(element, left, top);
  const around = element.getBoundingClientRect();
  const [x, y] = [around.left + scrollX, around.top + scrollY];
  const things = [...known.values()].slice(numAtRest);
  return {
    window: [x, y, around.width, around.height],
    things: things.map((thing) => ({
      text: thing.text,
      box: [x + thing.left - left, y + thing.top - top, thing.width, thing.height],
    })),
  };
}
