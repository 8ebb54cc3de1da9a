// What happens to the text of the main frame when the page is laid out differently: in its isolated world. `mark`
// remembers what can be read; `changes` then returns what cannot be read any more.
import { all, allRoots, ancestors, attribute, boxOf, brief, holderOf, isShown, numberOf, parentOf } from "../capture/running/page.js";
import { coverOf, isClippedAway, isRendered, linesOf, look, overlaps, wordNodes } from "./text_look.js";

const known = new Map();
const words = (text) => brief(text, 50);

const sizeOf = (node) => parseFloat(getComputedStyle(holderOf(node)).fontSize);
export function mark() {
  known.clear();
  const looks = new Map(wordNodes().map((node) => [node, look(node)]));
  const pairs = overlaps(looks);
  for (const [node, found] of looks) {
    if (!found || found.loss || coverOf(node)) continue;
    known.set(node, { text: node.data, size: sizeOf(node), overlapped: pairs.has(node) });
  }
  scrollTo({ left: 0, top: 0, behavior: "instant" });
}

// For a hidden text, the outermost hidden element.
function hidden(node) {
  const holder = holderOf(node);
  const all = [holder, ...ancestors(holder)];
  return all.findLast((element) => !isRendered(element) || boxOf(element).height === 0) ?? holder;
}

// [number of the element, kind, text, other text]; kind: "cut", "doubtful", "away", "gone", "covered", "overlap", "same".
export function changes() {
  const looks = new Map(wordNodes().map((node) => [node, look(node)]));
  const shown = new Set([...looks].filter(([, found]) => found && !found.loss).map(([node]) => words(node.data)));
  const pairs = overlaps(looks);
  const found = [];
  for (const [node, before] of known) {
    const now = looks.get(node);
    const text = words(before.text);
    // Anything wholly out of sight may be so on purpose, such as a menu that a button opens.
    if (!now || now.isNone) {
      const place = now ? now.clipper ?? holderOf(node) : node.isConnected ? hidden(node) : document.documentElement;
      if (!shown.has(text)) found.push([numberOf(place), "gone", text, ""]);
      continue;
    }
    const holder = holderOf(node);
    const other = pairs.get(node);
    if (now.loss) {
      if (shown.has(text)) continue;
      const style = now.clipper && getComputedStyle(now.clipper);
      const isShortened = style && (style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none");
      const kind = now.loss === 1 || isShortened ? "doubtful" : now.clipper ? "cut" : "away";
      found.push([numberOf(holder), kind, text, ""]);
    } else if (other && !before.overlapped) found.push([numberOf(holder), "overlap", text, words(other.data)]);
    else found.push([numberOf(holder), coverOf(node) ? "covered" : "same", text, ""]);
  }
  return found;
}

// [number, text, size before, size now], in px of the page, of texts present both times.
export const sizes = () =>
  [...known].filter(([node]) => node.isConnected && look(node)).map(([node, before]) => [numberOf(holderOf(node)), words(before.text), before.size, sizeOf(node)]);

// Elements that may need two dimensions, or scroll by themselves.
const WIDE = "table, pre, code, img, picture, svg, canvas, video, iframe, object, embed, math, map, [role=grid], [role=table]";
const isExempt = (element) => element.closest(WIDE) !== null || ancestors(element).some((outer) => {
  const style = getComputedStyle(outer);
  return outer !== document.body && outer !== document.documentElement && style.overflowX !== "visible";
});
// The page's width, whether it scrolls sideways, the element that is too wide, and one that may be so.
export function beyond() {
  const root = document.scrollingElement ?? document.documentElement;
  const isWide = !isClippedAway("overflowX") && root.scrollWidth > innerWidth + 1;
  const isLarge = (element) => boxOf(element).width > 2 && boxOf(element).height > 2;
  const out = all().filter((element) => isShown(element) && isLarge(element) && boxOf(element).right + scrollX > innerWidth + 1 && getComputedStyle(element).position !== "fixed");
  const own = out.filter((element) => !isExempt(element));
  const outermost = (list) => list.filter((element) => !list.includes(parentOf(element)));
  const widest = outermost(own).sort((one, other) => boxOf(other).right - boxOf(one).right);
  const last = widest[0] ? deepest(widest[0], own) : isWide ? runningOut() : null;
  return { width: root.scrollWidth, isWide, own: last && numberOf(last), exempt: numberOf(out.at(-1) ?? document.documentElement) };
}
// The element whose text runs out of it and the window.
function runningOut() {
  const leaves = (node) => linesOf(node).some((line) => line[2] + scrollX > innerWidth + 1);
  const node = wordNodes().find((text) => isRendered(holderOf(text)) && !isExempt(holderOf(text)) && leaves(text));
  return node ? holderOf(node) : null;
}
// The element that is too wide by itself, not only because of its content.
function deepest(element, list) {
  const wider = list.filter((inner) => parentOf(inner) === element && boxOf(inner).right >= boxOf(element).right - 1);
  return wider[0] ? deepest(wider[0], list) : element;
}

// Elements whose own style attribute enforces a spacing: [number, property, value, font size, whether it is enough].
const LEAST = { "letter-spacing": 0.12, "word-spacing": 0.16, "line-height": 1.5 };
export function insisting() {
  const found = [];
  for (const element of all()) {
    if (!(element instanceof HTMLElement) || !element.hasAttribute("style") || !isShown(element)) continue;
    const isSeen = (node) => node.parentNode === element && (look(node)?.loss ?? 2) < 2;
    if (!wordNodes(element).some(isSeen)) continue;
    for (const [property, least] of Object.entries(LEAST)) {
      if (CSSStyleDeclaration.prototype.getPropertyPriority.call(element.style, property) !== "important") continue;
      const style = getComputedStyle(element);
      const value = parseFloat(style.getPropertyValue(property)) || 0;
      const size = parseFloat(style.fontSize);
      found.push([numberOf(element), property, style.getPropertyValue(property), value >= least * size - 0.01]);
    }
  }
  return found;
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(
  "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }" +
    "p { margin-bottom: 2em !important; }",
);
export function space() {
  for (const root of allRoots()) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  sheet.disabled = false;
}
export function unspace() {
  sheet.disabled = true;
}

export const viewport = () => {
  const found = [...document.querySelectorAll("meta[name=viewport i][content]")];
  return found.map((element) => [numberOf(element), attribute(element, "content")]);
};
