// Text nodes become runs; text that follows without a break continues a run.
import { countWords, NOT_TEXT } from "./children.js";
import { isGlyph, noteIcon } from "../elements/elements.js";
import { drawnLetters, isIllegible, noteFont, noteFontOf } from "./fonts.js";
import { areaOf, edges, frame, intersect, isShown, placeOf, unite, visibleBoxes, walked } from "./frame.js";
import { comparePaths, inlinePath } from "../elements/layers.js";
import { isLegible, isSmeared, paintedText, range, standingText, visibleWords } from "./letters.js";
import { FILLED, INVISIBLE_ALPHA, isHorizontal, textColor } from "./styles.js";
import { isForListeners, noteUnseen, restOf } from "./unseen.js";

/** @import { Box } from "./frame.js" */
/** @import { DrawnLetter, FontPart } from "./fonts.js" */
/** @typedef {{ name: string, text: string, color: Color | null, box: Box, isTaken: boolean }} Marker */
/** @typedef {[number, number, number, number]} Color red, green, blue, and alpha, 0..1 */
/**
 * @typedef {object} Run
 * @property {string} text
 * @property {Box[]} boxes px, clipped to what is visible, of the document in the main frame and of the viewport in others
 * @property {Color | null} tint with the opacity of its elements; null if a gradient or a picture fills the text
 * @property {number} owner
 * @property {Color | null} color the color of its first text, the same object for all text of that color
 * @property {Set<Element>} elements
 * @property {number} unaudited number of characters that no accessibility rule checks
 * @property {{ text: string, isRecolored: boolean } | null} source set by `noteSource`; null outside owning elements
 * @property {Box[]} marks the boxes that hold a bullet or the like, not letters
 * @property {[number, number]} span its first and last element, in the order of elements
 * @property {Map<number, FontPart>} fonts
 * @property {number} paragraph the nearest element around it that is not inline
 * @property {number[]} path its place in the painting order (see layers.js)
 * @property {number[]} gaps where parts of its text begin that are far apart in a line
 * @property {boolean} isUnderlined whether all of it is
 * @property {boolean} isLink whether all of it is
 * @property {number[][]} fills the first and the last color of the gradient that fills it, if one does
 * @property {boolean} hasShadow
 * @property {boolean} isVertical whether its lines are columns
 * @property {Marker | null} marker that of its list item, if it begins one
 * @property {number} shownArea
 * @property {number} wholeArea including clipped parts
 * @property {number} cutHeight area that its lines lack in height
 * @property {Box | null} around all of it, whether it shows or not, px of the viewport
 * @property {Box | null} pane the window on scrolled content that cuts it off
 */

export const breakRun = () => {
  walked.previous = null;
};
/** @param {unknown} key */
export const ownerNumber = (key) => {
  const number = walked.owners.get(key) ?? frame.firstOwner + walked.owners.size;
  walked.owners.set(key, number);
  return number;
};

// A line stays one box even if a comment or tag divides its text.
/** @param {Box[]} boxes @param {Box[]} places */
const extend = (boxes, places) => {
  const last = boxes[boxes.length - 1];
  const [x, y, width, height] = places[0];
  const continues = Math.abs(last[0] + last[2] - x) < 0.05 && last[1] === y && last[3] === height;
  if (continues) last[2] = x + width - last[0];
  boxes.push(...places.slice(continues ? 1 : 0));
};
// In line heights: text this far from the text before it is read by itself (`stands_apart`).
const FAR = 1.5;
/** @param {Box} before @param {Box} place */
const isFarAside = ([x, y, width, height], [left, top, wide, high]) =>
  2 * (Math.min(y + height, top + high) - Math.max(y, top)) > Math.min(height, high) &&
  Math.max(left - x - width, x - left - wide) > FAR * Math.max(height, high);
/** @param {Color | null} one @param {Color | null} other */
const isSameTint = (one, other) =>
  one === other || Boolean(one && other && one.every((part, at) => part === other[at]));
// Returns the run that a text becomes part of; null if it is not visible.
/** @returns {Run | null} */
export const addRun = ({ text, boxes, color, opacity, owner, continues, origin, drawn = /** @type {DrawnLetter[]} */ ([]) }) => {
  const alpha = (color ? color[3] : 1) * opacity;
  if (!boxes.length || alpha < INVISIBLE_ALPHA) return null;
  const places = boxes.map(placeOf);
  /** @type {Color | null} */
  const tint = color && [color[0], color[1], color[2], alpha];
  const unaudited = origin.isAudited ? 0 : text.replace(/\s/g, "").length;
  const marker = walked.markers.get(owner);
  const marks = marker && marker.color === color ? marker.places : [];
  walked.markers.delete(owner);
  places.unshift(...marks);
  const path = inlinePath(origin.stack, origin.order);
  let { previous } = walked;
  if (continues && previous && previous.owner === owner && isSameTint(previous.tint, tint)) {
    if (isFarAside(previous.boxes[previous.boxes.length - 1], places[0])) previous.gaps.push(previous.text.length);
    previous.text += text;
    extend(previous.boxes, places);
    previous.elements.add(origin.element);
    previous.unaudited += unaudited;
    previous.isUnderlined &&= origin.isUnderlined;
    previous.isLink &&= origin.isLink;
    previous.marks.push(...marks);
    previous.span[1] = origin.order;
    if (comparePaths(path, previous.path) > 0) previous.path = path;
  } else {
    previous = {
      text, boxes: places, tint, owner, color, unaudited, path,
      elements: new Set([origin.element]), source: null, marks: [...marks], span: [origin.order, origin.order],
      fonts: new Map(), paragraph: origin.paragraph, gaps: [], shownArea: 0, wholeArea: 0, cutHeight: 0, around: null, pane: null,
      isUnderlined: origin.isUnderlined, isLink: origin.isLink,
      fills: color === FILLED ? origin.fills : [], hasShadow: origin.style.textShadow !== "none", isVertical: !isHorizontal(origin.style),
      marker: origin.marker?.isTaken ? null : origin.marker,
    };
    if (origin.marker) origin.marker.isTaken = true;
    walked.runs.push(previous);
    walked.previous = previous;
  }
  noteFontOf(previous.fonts, origin, text, drawn);
  walked.words.shown += countWords(text);
  return previous;
};
// Bullets, arrows, separators: like list markers, ink of the text beside them, but not text.
/** @param {"before" | "after"} kind @param {Box[]} boxes @param {Color | null} color @param {number} owner */
export const addDecoration = (kind, boxes, color, owner) => {
  const places = boxes.map(placeOf);
  if (kind === "before")
    walked.markers.set(owner, { places: [...(walked.markers.get(owner)?.places ?? []), ...places], color });
  else if (walked.previous?.owner === owner && walked.previous.color === color) {
    walked.previous.boxes.push(...places);
    walked.previous.marks.push(...places);
  }
};

// What the published metric takes of a run: with the first run of an owning element, the text nodes that the element owns,
// as in the source, visible or not; and whether a color set on the element colors the run.
const MOST_SOURCE = 1_000_000; // characters of a page
/** @type {(element: Element) => string[]} */
const sourceTexts = (element) =>
  Array.from(element.childNodes).flatMap((/** @type {any} */ child) => {
    if (child.nodeType === Node.TEXT_NODE) return child.data.trim() || [];
    const isElement = child.nodeType === Node.ELEMENT_NODE;
    return isElement && !frame.owningTags.has(child.localName) && !NOT_TEXT.has(child.localName) ? sourceTexts(child) : [];
  });
/** @param {Element} element */
const readSource = (element) => {
  const text = sourceTexts(element).join(" ").slice(0, MOST_SOURCE - walked.numSource);
  walked.numSource += text.length;
  walked.sourced.add(element);
  return text;
};
/** @param {Run} run */
const noteSource = (run, { style, isSvg, owning, owningStyle }) => {
  if (!owning || !frame.isMain || isSvg) return;
  const text = walked.sourced.has(owning) ? "" : readSource(owning);
  const { color } = owningStyle;
  const isRecolored = style.webkitTextFillColor === color && (style === owningStyle || style.color === color);
  run.source = { text: (run.source?.text ?? "") + text, isRecolored: isRecolored || (run.source?.isRecolored ?? false) };
};

const isInside = ({ left, top, right, bottom }, clip) =>
  left >= clip[0] - 1 && top >= clip[1] - 1 && right <= clip[2] + 1 && bottom <= clip[3] + 1;

export const readTextNode = (node, context) => {
  if (/\S/.test(node.data)) {
    const shown = walked.words.shown;
    readShownText(node, context);
    if (walked.words.shown > shown) walked.words.hidden += Math.max(countWords(node.data) - (walked.words.shown - shown), 0);
    else if (!isForListeners(context.clips.flow)) walked.words.unseen.push(node.data);
  } else if (walked.previous && node.data) walked.previous.text += " ";
};
// How much of a text is cut off, and where all of it would be.
/** @param {Run} run @param {Box[]} wholes @param {Box} clip @param {boolean} isAcross */
const noteCut = (run, wholes, clip, isAcross) => {
  for (const whole of wholes) {
    const shown = intersect(whole, clip);
    const [width, height] = [shown[2] - shown[0], shown[3] - shown[1]];
    run.wholeArea += areaOf([whole]);
    if (isShown(shown)) {
      run.shownArea += width * height;
      run.cutHeight += isAcross ? width * (whole[3] - whole[1] - height) : height * (whole[2] - whole[0] - width);
    }
    run.around = run.around ? unite(run.around, whole) : whole;
  }
};
const noteRest = (node, readable, rects, { style, clips, reached, pane }) => {
  const rest = restOf(node.data, readable);
  if (!rest || isIllegible(style, rest)) return;
  const hidden = rects.filter((rect) => !isInside(rect, clips.flow));
  noteUnseen(isGlyph(rest, rects, style) ? null : rest, hidden, reached.flow, pane);
};
const readShownText = (node, context) => {
  const { style } = context;
  if (style.visibility !== "visible") return;
  range.selectNodeContents(node);
  const rects = [...range.getClientRects()].filter((rect) => isLegible(rect, style));
  const clip = context.clips.flow;
  const boxes = visibleBoxes(rects, clip);
  const { opacity } = context;
  const isWhole = rects.every((rect) => isInside(rect, clip));
  const readable = !boxes.length ? "" : isWhole ? standingText(node, context) : visibleWords(node, clip);
  const isScrolled = !isWhole && context.reached !== context.clips && opacity >= INVISIBLE_ALPHA;
  if (isScrolled) noteRest(node, readable, rects, context);
  if (!readable) return;
  const own = textColor(style, context.isSvg);
  if (isGlyph(readable, rects, style)) noteIcon(context.element.localName, boxes, context, own);
  if (isSmeared(node, rects, context) || isIllegible(style, readable)) return;
  const color = own && own[3] < INVISIBLE_ALPHA && context.isPictureText ? FILLED : own;
  const text = paintedText(readable, style);
  const drawn = drawnLetters(node, style);
  const run = addRun({ text, boxes, color, opacity, owner: context.owner(), continues: true, origin: context, drawn });
  if (!run) return;
  if (isScrolled) run.pane = context.pane;
  noteCut(run, rects.map(edges), clip, isHorizontal(style));
  noteFont(node, style, readable);
  noteSource(run, context);
};
