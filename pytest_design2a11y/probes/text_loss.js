// What happens to the text of the main frame when the page is laid out differently: in its isolated world. `mark`
// remembers what can be read; `changes` then returns what cannot be read any more.
import {
  all, allRoots, ancestors, attribute, boxOf, brief, coverAt, holderOf, isPinned, isShown, isVisible, isWithin, nameOf,
  numberOf, parentOf, textNodes,
} from "../capture/running/page.js";

// How much of a line must be cut off, as a share of its height and in ems of its width, until it cannot, or may not, be read.
const LOST = { height: 0.5, ems: 1 };
const DOUBTFUL = { height: 0.2, ems: 0.4 };
// Overlap of two lines, as a share of the smaller one.
const OVERLAP = 0.35;
const MAX_LINES = 1500;
const known = new Map();
const range = document.createRange();

const wordNodes = (root) => [...textNodes(root)].filter((node) => /[\p{L}\p{N}]/u.test(node.data));
const edges = ({ left, top, right, bottom }) => [left, top, right, bottom];
const common = (one, other) => [
  Math.max(one[0], other[0]), Math.max(one[1], other[1]), Math.min(one[2], other[2]), Math.min(one[3], other[3]),
];
const area = (box) => Math.max(box[2] - box[0], 0) * Math.max(box[3] - box[1], 0);

function linesOf(node) {
  range.selectNodeContents(node);
  return [...range.getClientRects()].filter((rect) => rect.width > 0.5 && rect.height >= 4).map(edges);
}

// Whether the window does not scroll, by the root's style, or the body's if the root has none.
function isClippedAway(axis) {
  const own = getComputedStyle(document.documentElement)[axis];
  const applied = own === "visible" && document.body ? getComputedStyle(document.body)[axis] : own;
  return ["hidden", "clip"].includes(applied);
}
// The part of the page that can be scrolled to.
function reach() {
  const root = document.scrollingElement ?? document.documentElement;
  const width = isClippedAway("overflowX") ? innerWidth : Math.max(root.scrollWidth, innerWidth);
  return [-scrollX, -scrollY, width - scrollX, Math.max(root.scrollHeight, innerHeight) - scrollY];
}

// Clips lines to what their ancestors let show; content that can be scrolled into view counts as visible.
function clipped(lines, holder) {
  let boxes = lines;
  let seen = lines;
  let position = getComputedStyle(holder).position;
  /** @type {Element | null} */
  let clipper = null;
  for (const outer of [holder, ...ancestors(holder)]) {
    const style = getComputedStyle(outer);
    const isRoot = outer === document.documentElement || outer === document.body;
    const holds = position === "static" || position === "relative" || position === "sticky" || outer === holder ||
      (position === "absolute" && style.position !== "static") || style.transform !== "none" || style.contain !== "none";
    if (!isRoot && holds && style.display !== "inline" && style.display !== "contents") {
      const clip = edges(boxOf(outer));
      const [cutsX, cutsY] = [style.overflowX, style.overflowY].map((overflow) => ["hidden", "clip"].includes(overflow));
      const scrolls = /auto|scroll/.test(style.overflow);
      const before = boxes;
      if (cutsX || cutsY || scrolls) seen = seen.map((box) => common(box, clip));
      boxes = boxes.map((box) => {
        if (scrolls) return area(common(box, clip)) ? common(box, clip) : fitted(box, clip);
        const [x1, x2] = cutsX ? [clip[0], clip[2]] : [-Infinity, Infinity];
        const [y1, y2] = cutsY ? [clip[1], clip[3]] : [-Infinity, Infinity];
        return common(box, [x1, y1, x2, y2]);
      });
      if (scrolls) lines = boxes;
      if (!clipper && before.some((box, at) => area(box) - area(boxes[at]) > 0.1 * area(box))) clipper = outer;
    }
    if (holds) position = style.position;
    if (position === "fixed" && style.transform === "none") break;
  }
  return { boxes, lines, seen, clipper };
}
// Lines outside a scroller count as whole in its place.
const fitted = (box, clip) => [
  clip[0], clip[1], Math.min(clip[0] + box[2] - box[0], clip[2]), Math.min(clip[1] + box[3] - box[1], clip[3]),
];

// Text for assistive technology only: cut down to nothing.
function isCutAway(element) {
  const { clip, clipPath, overflowX, position } = getComputedStyle(element);
  const { width, height } = boxOf(element);
  if (overflowX !== "visible" && Math.min(width, height) <= 2) return true;
  if (/inset\((?:50|[6-9]\d|100)%/.test(clipPath)) return true;
  const sides = ["absolute", "fixed"].includes(position) ? clip.match(/-?[\d.]+(?=px)/g)?.map(Number) : null;
  return sides?.length === 4 && (sides[1] - sides[3] <= 1 || sides[2] - sides[0] <= 1);
}
const isRendered = (holder) => isVisible(holder) && ![holder, ...ancestors(holder)].some(isCutAway);

// How a text shows: how much of it is cut off (0: nothing, 1: a little, 2: too much to read), and what cuts it;
// null if it is not there at all.
function look(node) {
  const holder = holderOf(node);
  if (!holder || !node.isConnected || !isRendered(holder)) return null;
  const lines = linesOf(node);
  const total = lines.reduce((sum, line) => sum + area(line), 0);
  if (!total) return null;
  const isFixed = [holder, ...ancestors(holder)].some((element) => getComputedStyle(element).position === "fixed");
  const limits = isFixed ? [0, 0, innerWidth, innerHeight] : reach();
  const { boxes, lines: fit, seen, clipper } = clipped(lines, holder);
  const size = parseFloat(getComputedStyle(holder).fontSize);
  const loss = (shown) => Math.max(...fit.map((line, at) => lossOf(line, shown[at], size)));
  const isClipped = loss(boxes) > 0;
  const isNone = boxes.every((box) => area(common(box, limits)) < 1);
  return { isNone, loss: loss(boxes.map((box) => common(box, limits))), clipper: isClipped ? clipper : null, seen, isFixed };
}
function lossOf(line, shown, size) {
  const [width, height] = area(shown) ? [shown[2] - shown[0], shown[3] - shown[1]] : [0, 0];
  const lost = { height: 1 - height / (line[3] - line[1]), ems: (line[2] - line[0] - width) / size };
  const beyond = ({ height, ems }) => lost.height > height || lost.ems > ems;
  return beyond(LOST) ? 2 : beyond(DOUBTFUL) ? 1 : 0;
}

const words = (text) => brief(text, 50);

// Overlapping texts, as pairs of nodes.
function overlaps(looks) {
  const lines = [];
  for (const [node, found] of looks) {
    for (const line of found?.seen ?? []) if (area(line) > 20 && !found.isFixed) lines.push([line, node]);
  }
  lines.sort((one, other) => one[0][1] - other[0][1]);
  const pairs = new Map();
  for (const [at, [line, node]] of lines.slice(0, MAX_LINES).entries()) {
    for (const [other, second] of lines.slice(at + 1, MAX_LINES)) {
      if (other[1] >= line[3]) break;
      if (second === node || pairs.get(node) === second) continue;
      if (area(common(line, other)) > OVERLAP * Math.min(area(line), area(other))) {
        pairs.set(node, second);
        pairs.set(second, node);
      }
    }
  }
  return pairs;
}

const isSolid = (element) => {
  const style = getComputedStyle(element);
  const color = style.backgroundColor.match(/[\d.]+/g)?.map(Number) ?? [];
  return +style.opacity > 0.5 && ((color.length >= 3 && (color[3] ?? 1) > 0.5) || ["img", "video", "canvas"].includes(nameOf(element)));
};
// What hides a text on the page: null if some of it is free, or what hides it moves with the window.
function coverOf(node) {
  const holder = holderOf(node);
  Element.prototype.scrollIntoView.call(holder, { block: "center", behavior: "instant" });
  const places = linesOf(node).flatMap(([left, top, right, bottom]) =>
    [0.1, 0.5, 0.9].map((across) => [left + across * (right - left), (top + bottom) / 2]));
  return coverAt(places, (found) => isWithin(holder, found) || isWithin(found, holder) || !isSolid(found) || isPinned(found));
}

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
