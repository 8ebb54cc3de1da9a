// Which suspected faults of a layout a person would see, by the running page: in the isolated world of the main frame.
import {
  all, ancestors, attribute, boxOf, brief, called, coverAt, holderOf, isDisabled, isPinned, isShown, isWithin, nameOf,
  numberOf, parentOf, textNodes,
} from "../capture/running/page.js";
import { area, common, coverOf, isRendered, linesOf, look, overlaps, wordNodes } from "./text_look.js";

const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary";
const words = (node) => brief(node.data, 50);
// As shown and as written differ in case, with text-transform.
const plain = (text) => text.replace(/\s+/g, " ").trim().toLowerCase();

// The text nodes that a suspicion is about, with the line of each that lies in its box, px of the page.
/** @param {any} place @param {string} text */
function nodesAt([left, top, width, height], text) {
  const box = [left - scrollX, top - scrollY, left + width - scrollX, top + height - scrollY];
  const isMeant = (node) => plain(text).includes(plain(node.data)) || plain(node.data).includes(plain(text));
  return wordNodes().filter((node) => isMeant(node) && isRendered(holderOf(node)) &&
    linesOf(node).some((line) => area(common(line, box)) > 0.5 * Math.min(area(line), area(box))));
}

// Letters that are painted by other means than their color alone.
const PAINTED = { textShadow: "none", backgroundClip: "border-box", mixBlendMode: "normal", webkitTextStrokeWidth: "0px" };
function isPaintedOtherwise(node) {
  return [holderOf(node), ...ancestors(holderOf(node))].some((element) => {
    const style = getComputedStyle(element);
    return style.backgroundClip === "text" || style.mixBlendMode !== PAINTED.mixBlendMode ||
      (element === holderOf(node) && (style.textShadow !== PAINTED.textShadow || style.webkitTextStrokeWidth !== PAINTED.webkitTextStrokeWidth));
  });
}

// Of suspected [kind, box, text]: [number, why] of the first element that shows it; null if a person would not see it.
/** @param {[string, number[], string][]} suspected */
export function confirmed(suspected) {
  scrollTo({ left: 0, top: 0, behavior: "instant" });
  const looks = new Map(wordNodes().map((node) => [node, look(node)]));
  const pairs = overlaps(looks);
  const known = new Map(suspected.map((one) => [one, nodesAt(one[1], one[2])]));
  return suspected.map((one) => {
    for (const node of known.get(one) ?? []) {
      const why = { covered, unreadable, overflowing }[one[0]]?.(node, pairs);
      if (why) return [numberOf(holderOf(node)), why];
    }
    return null;
  });
}
function covered(node, pairs) {
  const other = pairs.get(node);
  if (other && plain(other.data) !== plain(node.data)) return `“${words(node)}” and “${words(other)}” lie over each other.`;
  const cover = coverOf(node) ?? bannerOver(node);
  return cover ? `“${words(node)}” lies under ${nameOf(cover)}${called(cover) ? ` “${called(cover)}”` : ""}.` : "";
}
// A pinned banner over the beginning of the page, from under which nothing can be scrolled. `coverOf` has scrolled to it.
function bannerOver(node) {
  if (scrollY) return null;
  const places = linesOf(node).flatMap(([left, top, right, bottom]) =>
    [0.1, 0.5, 0.9].map((across) => [left + across * (right - left), (top + bottom) / 2]));
  const cover = coverAt(places, (found) => isWithin(holderOf(node), found) || isWithin(found, holderOf(node)) || !isPinned(found));
  const holder = cover && [cover, ...ancestors(cover)].findLast((element) => isPinned(element));
  return holder && boxOf(holder).top <= 1 && boxOf(holder).height < 0.4 * innerHeight ? cover : null;
}
const unreadable = (node) => (isPaintedOtherwise(node) ? "" : `“${words(node)}” has almost the color of what is behind it.`);
const overflowing = (node) => `“${words(node)}” runs out of the box around it.`;

// A line that shows in part only, and that a reader misses: [node, whether more follows, as behind a "read more"].
const PART = { least: 0.1, most: 0.8 };
export function cut() {
  scrollTo({ left: 0, top: 0, behavior: "instant" });
  const found = [];
  for (const node of wordNodes()) {
    const state = look(node);
    if (!state || state.isNone || state.loss < 2 || isShortened(state.clipper) || isTrack(state.clipper, node)) continue;
    const isPart = state.lines.some((line, at) => {
      const share = area(state.shown[at]) / area(line);
      return share > PART.least && share < PART.most;
    });
    if (!isPart) continue;
    const more = state.clipper ? state.clipper.scrollHeight - state.clipper.clientHeight : 0;
    const isCollapsed = more > 2 * parseFloat(getComputedStyle(holderOf(node)).fontSize);
    found.push([numberOf(holderOf(node)), words(node), isCollapsed]);
  }
  return found;
}
function isShortened(clipper) {
  if (!clipper) return false;
  const style = getComputedStyle(clipper);
  return style.textOverflow !== "clip" || style.webkitLineClamp !== "none" || style.maskImage !== "none";
}
// Whether what is cut is one of several pieces in a row or column that moves, such as a carousel's.
function isTrack(clipper, node) {
  if (!clipper) return false;
  for (const piece of [holderOf(node), ...ancestors(holderOf(node))]) {
    if (piece === clipper) return false;
    const track = parentOf(piece);
    const siblings = track ? [...track.children].filter((other) => nameOf(other) === nameOf(piece) && isShown(other)) : [];
    const isWider = track && track.scrollWidth > clipper.clientWidth + 1 && siblings.length > 1;
    if (isWider || getComputedStyle(piece).transform !== "none" || piece.getAnimations().length) return true;
  }
  return false;
}

// [number, why] of controls that cannot be clicked anywhere.
export function controls() {
  const found = [];
  const links = all().filter((element) => nameOf(element) === "a").slice(0, 3);
  for (const element of all().filter(isOffered)) {
    // A link that skips to the content may lie under it until it has the focus.
    if (links.includes(element) && /#./.test(attribute(element, "href") ?? "")) continue;
    const cover = coverOfControl(element);
    const name = called(element) || attribute(element, "value") || attribute(element, "placeholder") || nameOf(element);
    // Of two that do the same in one place, the lower one is for browsers without scripts.
    if (!cover || (cover.form && cover.form === element.form && cover.type === element.type)) continue;
    found.push([numberOf(element), `“${brief(name)}” lies under ${nameOf(cover)}${called(cover) ? ` “${called(cover)}”` : ""}, and cannot be clicked.`]);
  }
  scrollTo({ left: 0, top: 0, behavior: "instant" });
  return found;
}
function isOffered(element) {
  if (!element.matches(CONTROLS) || !isShown(element) || !isRendered(element) || isDisabled(element)) return false;
  return !element.closest("[aria-hidden=true]") && getComputedStyle(element).pointerEvents !== "none";
}
/** @returns {any} */
function coverOfControl(element) {
  Element.prototype.scrollIntoView.call(element, { block: "center", inline: "center", behavior: "instant" });
  const rects = [...Element.prototype.getClientRects.call(element), ...[...textNodes(element)].flatMap((node) => linesOf(node).map(([x, y, right, bottom]) => new DOMRect(x, y, right - x, bottom - y)))];
  const places = rects.flatMap(({ left, top, width, height }) =>
    [0.1, 0.5, 0.9].flatMap((across) => [0.2, 0.5, 0.8].map((down) => [left + across * width, top + down * height])));
  const labels = [...(element.labels ?? [])];
  const isFree = (found) => isWithin(element, found) || isWithin(found, element) || labels.some((label) => isWithin(found, label)) ||
    found.closest("label")?.control === element || isPinned(found, element);
  return coverAt(places, isFree);
}

// [number, address] of pictures of the page's own site that did not load.
export function pictures() {
  const isOwn = (address) => {
    try {
      return new URL(address, document.baseURI).origin === location.origin;
    } catch {
      return true;
    }
  };
  return all()
    .filter((element) => nameOf(element) === "img" && element.complete && element.naturalWidth === 0)
    .map((element) => [element, attribute(element, "src") || element.currentSrc])
    .filter(([element, address]) => address && isOwn(address) && isRendered(element))
    .map(([element, address]) => [numberOf(element), brief(address, 120)]);
}
