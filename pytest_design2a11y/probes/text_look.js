// How the text of a frame shows: which of it can be read, what cuts it off, what lies over it. In its isolated world.
import {
  ancestors, boxOf, coverAt, holderOf, isPinned, isVisible, isWithin, nameOf, textNodes,
} from "../capture/running/page.js";

// How much of a line must be cut off, as a share of its height and in ems of its width, until it cannot, or may not, be read.
const LOST = { height: 0.5, ems: 1 };
const DOUBTFUL = { height: 0.2, ems: 0.4 };
// Overlap of two lines, as a share of the smaller one.
const OVERLAP = 0.35;
const MAX_LINES = 1500;
const range = document.createRange();

export const wordNodes = (root) => [...textNodes(root)].filter((node) => /[\p{L}\p{N}]/u.test(node.data));
const edges = ({ left, top, right, bottom }) => [left, top, right, bottom];
export const common = (one, other) => [
  Math.max(one[0], other[0]), Math.max(one[1], other[1]), Math.min(one[2], other[2]), Math.min(one[3], other[3]),
];
export const area = (box) => Math.max(box[2] - box[0], 0) * Math.max(box[3] - box[1], 0);

export function linesOf(node) {
  range.selectNodeContents(node);
  return [...range.getClientRects()].filter((rect) => rect.width > 0.5 && rect.height >= 4).map(edges);
}

// Whether the window does not scroll, by the root's style, or the body's if the root has none.
export function isClippedAway(axis) {
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
export const isRendered = (holder) => isVisible(holder) && ![holder, ...ancestors(holder)].some(isCutAway);

// How a text shows: how much of it is cut off (0: nothing, 1: a little, 2: too much to read), and what cuts it;
// null if it is not there at all.
export function look(node) {
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
  const shown = boxes.map((box) => common(box, limits));
  const isNone = shown.every((box) => area(box) < 1);
  return { isNone, loss: loss(shown), clipper: isClipped ? clipper : null, lines: fit, shown, seen, isFixed };
}
function lossOf(line, shown, size) {
  const [width, height] = area(shown) ? [shown[2] - shown[0], shown[3] - shown[1]] : [0, 0];
  const lost = { height: 1 - height / (line[3] - line[1]), ems: (line[2] - line[0] - width) / size };
  const beyond = ({ height, ems }) => lost.height > height || lost.ems > ems;
  return beyond(LOST) ? 2 : beyond(DOUBTFUL) ? 1 : 0;
}

// Whether a text stands at an angle, so that its box says little of where its letters are.
function isSlanted(node) {
  const holder = holderOf(node);
  return [holder, ...ancestors(holder)].some((element) => {
    const { transform, rotate } = getComputedStyle(element);
    const [, along, across] = transform.match(/^matrix\(([^,]+), ([^,]+)/) ?? [];
    return (rotate && rotate !== "none") || (Math.abs(+along) > 0.01 && Math.abs(+across) > 0.01);
  });
}

// Overlapping texts, as pairs of nodes.
export function overlaps(looks) {
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
      const isOver = area(common(line, other)) > OVERLAP * Math.min(area(line), area(other));
      if (isOver && !isSlanted(node) && !isSlanted(second)) {
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
export function coverOf(node) {
  const holder = holderOf(node);
  Element.prototype.scrollIntoView.call(holder, { block: "center", behavior: "instant" });
  const places = linesOf(node).flatMap(([left, top, right, bottom]) =>
    [0.1, 0.5, 0.9].map((across) => [left + across * (right - left), (top + bottom) / 2]));
  return coverAt(places, (found) => isWithin(holder, found) || isWithin(found, holder) || !isSolid(found) || isPinned(found));
}
