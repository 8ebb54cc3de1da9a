// Parts of a page that scroll by themselves, and frames, that hold nothing in some of their room: they may make their
// content only while somebody scrolls, such as the rows of a long table. So may the page's own window.
import { SCROLLING, scrolls } from "../text/clips.js";
import { childrenOf, NOT_TEXT } from "../text/children.js";
import { floats } from "../text/styles.js";

const LEAST_ROOM = 30; // px; after the last row, there may be less
const PICTURES = new Set("img svg canvas video".split(" "));

/** @typedef {{ node: Node, text: string, left: number, top: number, width: number, height: number }} Thing px of all that a part can be scrolled to */
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
  const around = windowOf(part);
  if (!width || !height || !(node.parentElement?.checkVisibility({ visibilityProperty: true }) ?? true)) return;
  yield { node, text, left: left - around.left + part.scrollLeft, top: top - around.top + part.scrollTop, width, height };
}
const pageElement = document.scrollingElement ?? document.documentElement;
const isWindow = (part) => part === part.ownerDocument.scrollingElement;
// What shows a part, px of its frame's viewport.
/** @type {(part: Element) => { left: number, top: number, width: number, height: number }} */
const windowOf = (part) =>
  isWindow(part) ? { left: 0, top: 0, width: part.clientWidth, height: part.clientHeight } : part.getBoundingClientRect();
/** @type {(element: Element) => Part} */
const partOf = (element) => ({ element, left: element.scrollLeft, top: element.scrollTop, known: new Map(), numAtRest: 0 });
const keyOf = ({ text, left, top }) => [text, Math.round(left), Math.round(top)].join();
/** @type {(part: Part) => void} */
const note = ({ element, known }) => {
  for (const thing of thingsIn(element, element)) known.set(keyOf(thing), thing);
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
/** @type {(part: Part, least: number) => boolean} */
const hasRoom = ({ element, known }, least) => {
  const things = [...known.values()];
  const { scrollWidth, scrollHeight, clientWidth, clientHeight } = element;
  const down = things.map(({ top, height }) => [top, top + height]);
  const across = things.map(({ left, width }) => [left, left + width]);
  return (
    (scrollHeight - clientHeight >= LEAST_ROOM && largestRoom(down, scrollHeight) >= least) ||
    (scrollWidth - clientWidth >= LEAST_ROOM && largestRoom(across, scrollWidth) >= least)
  );
};

// The page's document and those of its frames that a script can enter.
/** @type {(document: Document) => Iterable<Document>} */
function* documentsIn(document) {
  yield document;
  for (const { contentDocument } of /** @type {NodeListOf<HTMLIFrameElement>} */ (document.querySelectorAll("iframe, frame, object")))
    if (contentDocument) yield* documentsIn(contentDocument);
}
// Where the viewport of a frame lies in the page's document, px.
/** @type {(view: Window | null) => [number, number]} */
const placeOfView = (view) => {
  const holder = view?.frameElement;
  if (!holder) return [scrollX, scrollY];
  const [{ left, top }, style] = [holder.getBoundingClientRect(), getComputedStyle(holder)];
  const [x, y] = placeOfView(view.parent);
  return [x + left + holder.clientLeft + parseFloat(style.paddingLeft), y + top + holder.clientTop + parseFloat(style.paddingTop)];
};
const overflows = ({ scrollWidth, scrollHeight, clientWidth, clientHeight }) =>
  scrollHeight - clientHeight >= LEAST_ROOM || scrollWidth - clientWidth >= LEAST_ROOM;
/** @type {(document: Document) => Element[]} */
const scrollersIn = (document) =>
  [...document.querySelectorAll("*")].filter((element) => {
    if (!overflows(element)) return false;
    const style = getComputedStyle(element);
    if (document === globalThis.document) return scrolls(element, style);
    return isWindow(element) ? style.overflowY !== "hidden" : element !== document.body && scrolls(element, style);
  });
/** @type {(least: (part: Element) => number) => Part[]} */
const partsWithRoom = (least) => {
  const parts = Array.from(documentsIn(document), scrollersIn).flat().map(partOf);
  parts.forEach(note);
  return parts.filter((part) => hasRoom(part, least(part.element)));
};

/** Return whether this is a frame of another origin, which the page cannot see, with such parts. */
export const hasPartsApart = () => self !== top && !frameElement && partsWithRoom(() => LEAST_ROOM).length > 0;

/** Find such parts, remember them, and return how many windows each is long. */
export function findParts() {
  globalThis.design2a11yParts = partsWithRoom(() => LEAST_ROOM);
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

/** @type {(part: Part, things: Thing[]) => { window: number[], things: { text: string, box: number[] }[] }} in the page's document, px */
const placedInPage = ({ element, left, top }, things) => {
  const around = windowOf(element);
  const [across, down] = placeOfView(element.ownerDocument.defaultView);
  const [x, y] = [across + around.left, down + around.top];
  return {
    window: [x, y, around.width, around.height],
    things: things.map((thing) => ({ text: thing.text, box: [x + thing.left - left, y + thing.top - top, thing.width, thing.height] })),
  };
};
/** Scroll a part back, and return its window in the page and what it did not hold before it was scrolled. */
export function scrollBack(at) {
  const part = globalThis.design2a11yParts[at];
  scrollPart(part.element, part.left, part.top);
  return placedInPage(part, [...part.known.values()].slice(part.numAtRest));
}

const isAfloat = (node) => {
  for (let element = node.parentElement; element; element = element.parentElement) if (floats(getComputedStyle(element))) return true;
  return false;
};
/** Note what the page holds while its window is scrolled. */
export function noteWindow() {
  globalThis.design2a11yWindow ??= partOf(pageElement);
  const { element, known } = globalThis.design2a11yWindow;
  const isFirst = !known.size;
  for (const thing of thingsIn(element, element)) {
    const key = keyOf(thing);
    // What goes along with the window is not made by scrolling.
    if (thing.text && !known.has(key) && (isFirst || !isAfloat(thing.node))) known.set(key, thing);
  }
}
/** Return the texts of the page that it held only while its window was scrolled. */
export function leftBehind() {
  const part = globalThis.design2a11yWindow;
  const held = new Set(Array.from(thingsIn(part.element, part.element), ({ text }) => text));
  return placedInPage(part, [...part.known.values()].filter(({ text }) => !held.has(text))).things;
}

/** Return the windows of parts that may make their content while somebody scrolls, on a page that nobody is to scroll. */
export function findUnread(heedsScrolling) {
  const halfOf = ({ clientWidth, clientHeight }) => Math.min(clientWidth, clientHeight) / 2;
  const parts = partsWithRoom(halfOf);
  const page = partOf(pageElement);
  note(page);
  if (heedsScrolling && hasRoom(page, innerHeight)) parts.push(page);
  return parts.map((part) => placedInPage(part, []).window);
}
