// What a page shows besides its text, as far as layout and styles tell where to look. Pixels decide whether it is there.
import { hasGivenSize } from "../page/keep_boxes.js";
import { aboutOf, unloadedBy } from "./about.js";
import { containsFixed, root, rootStyle, shapeEdges } from "../text/clips.js";
import { brought } from "../text/fonts.js";
import { edges, frame, intersect, isShown, placeOf, walked } from "../text/frame.js";
import { holdsItems, inlinePath, LAYERS, pathIn, stackOf } from "./layers.js";
import { angleOf, borderWidths, COLORS, floats, imageOf, lengthOf, lengthsIn, measuredWidth, NATIVE, parseColor, shadowsOf, SIDES, turns } from "../text/styles.js";
import { noteUnseen } from "../text/unseen.js";

/** @import { Shape } from "../text/drawings.js" */
/** @import { Box } from "../text/frame.js" */
/** @typedef {[number, number, number, number]} Sides top, right, bottom, left, px */
/**
 * @typedef {object} Candidate
 * @property {number} kind one of KINDS
 * @property {string} tag
 * @property {Box} box as a run's boxes are, clipped
 * @property {Sides} inner how far lines reach into it
 * @property {Sides} outer how far lines reach out of it
 * @property {[number, number]} ring how far from it a line around it is, below 0 within it, and its width, 0 without one
 * @property {number} blur how far a shadow reaches
 * @property {number} radius
 * @property {boolean} isLoose whether its outline differs from its box
 * @property {number} angle by how many degrees it is turned
 * @property {[number, number]} span its first element, in order, and the one after its last
 * @property {number[]} path its place in the painting order (see layers.js)
 * @property {number} ground opacity of what it paints over its whole box, 0..1
 * @property {[number, number, number, number]} tint its background color: red, green, blue, alpha
 * @property {number} about its index in `abouts`
 * @property {Shape[]} shapes those of a drawing, as the walk through it finds them
 * @property {Box | null} window the part of the page that cuts it off and can be scrolled
 * @property {string} look its style, if it lies below what is captured
 * @property {number} opacity with that of the elements around it, 0..1
 * @property {Box | null} whole all of it, if the elements around it cut off a part
 */

export const KINDS = { PICTURE: 0, GROUND: 1, BOX: 2, CONTROL: 3, ICON: 4 };
const FAINT = 0.05; // less opaque than this, it cannot be seen
const MOST_PARTS = 50; // per element that is broken into lines
// Those that are pictures.
const SCENIC = new Set([KINDS.PICTURE, KINDS.GROUND, KINDS.ICON]);
/** @type {Sides} */
const NONE = [0, 0, 0, 0];
/** @type {Candidate["tint"]} */
const BLACK = [0, 0, 0, 0];
// An element that has no lines, shadows or rounded corners, and covers nothing.
const BARE = { inner: NONE, outer: NONE, ring: /** @type {Candidate["ring"]} */ ([0, 0]), blur: 0, radius: 0, isLoose: false, angle: 0, ground: 0, tint: BLACK, shapes: [], window: null, look: "", opacity: 1, whole: null };
const REPLACED = new Set("canvas video object embed iframe frame".split(" "));
export const PAINTS_URL = /url\(|image-set|cross-fade|element\(/;
// An element that paints next to nothing does not count, however much shows through it.
const isBare = (tint) => parseColor(tint)[3] < FAINT;
const paintsImage = (image) => image !== "none" && (PAINTS_URL.test(image) || !image.match(COLORS)?.every(isBare));
// Native controls follow style sheets, except these widgets.
const WIDGETS = /^(checkbox|radio|range|color|file)$/;
// What a style sheet draws of these are parts that scripts cannot read.
const GAUGES = /^(progress|meter)$/;
const isWidget = (element, tag) => GAUGES.test(tag) || (tag === "input" && WIDGETS.test(element.type));

const kindOf = (element, tag, style, isSvg) => {
  if (isSvg) return tag === "svg" ? KINDS.PICTURE : null;
  // Without its file, an image may be no more than its text, which has no box.
  const isShown = element.naturalWidth || (unloadedBy(element) && hasGivenSize(element));
  if (tag === "img") return isShown ? KINDS.PICTURE : boxKind(style);
  if (REPLACED.has(tag) || (tag === "input" && element.type === "image")) return KINDS.PICTURE;
  if (PAINTS_URL.test(style.content)) return KINDS.PICTURE;
  // The background of the root, or of the body if the root has none, is the ground of the page.
  const isGround = element === root || (element === document.body && isBare(rootStyle.backgroundColor) && rootStyle.backgroundImage === "none");
  if (!isGround && PAINTS_URL.test(imageOf(style))) return KINDS.GROUND;
  const isNative = NATIVE.has(tag) && (style.appearance !== "none" || GAUGES.test(tag) || element.type === "range");
  const kind = boxKind(style, isGround);
  return isNative && (kind !== null || isWidget(element, tag)) ? KINDS.CONTROL : kind;
};
const paintedBorders = (style) =>
  SIDES.map((side) => (style.borderWidth === "0px" || isBare(style[`border${side}Color`]) ? 0 : parseFloat(style[`border${side}Width`])));
const hasOutline = (style) => style.outlineStyle !== "none" && style.outlineWidth !== "0px" && !isBare(style.outlineColor);
const boxKind = (style, isGround = false) =>
  (!isGround && (!isBare(style.backgroundColor) || paintsImage(style.backgroundImage))) ||
  paintedBorders(style).some((width) => width > 0) ||
  hasOutline(style) ||
  paintedShadows(style).length ||
  paintsImage(style.borderImageSource)
    ? KINDS.BOX
    : null;

const FAINT_SHADOW = 0.02;
const paintedShadows = (style) =>
  style.boxShadow === "none" ? [] : shadowsOf(style).filter(({ tint }) => parseColor(tint)[3] >= FAINT_SHADOW);
/** @param {number[]} reaches @param {number[]} least */
const grow = (reaches, least) => {
  for (const [side, reach] of least.entries()) reaches[side] = Math.max(reaches[side], reach);
};
const AUTO = 2; // px; an outline that the browser draws lies over a border, or over the edge
// The line around it and its border: an outline, or the outermost of its sharp shadows.
/** @returns {{ ring: Candidate["ring"], others: ReturnType<typeof paintedShadows> }} the line, and the other shadows */
const ringOf = (style) => {
  const [shadows, hasBorder] = [paintedShadows(style), paintedBorders(style).every(Boolean)];
  if (hasOutline(style)) {
    const [offset, width] = [parseFloat(style.outlineOffset), parseFloat(style.outlineWidth)];
    return { ring: style.outlineStyle === "auto" ? [offset - (hasBorder ? AUTO : AUTO / 2), AUTO] : [offset, width], others: shadows };
  }
  const isAround = ({ x, y, blur, isInset }) => !x && !y && blur < 2 && !isInset;
  const [far = 0, near = 0] = shadows.filter(isAround).map(({ spread }) => spread).sort((one, other) => other - one);
  // Without a border or gap, a thin shadow is the border.
  const isRing = far - near >= (near >= 1 || hasBorder ? 1 : 2);
  return isRing ? { ring: [near, far - near], others: shadows.filter((one) => !isAround(one)) } : { ring: BARE.ring, others: shadows };
};
// How far borders and sharp shadows reach in and out, and how far blurred shadows reach.
/** @returns {{ inner: Sides, outer: Sides, ring: Candidate["ring"], blur: number }} */
const reachesOf = (style, isDrawnByBrowser = false) => {
  /** @type {number[]} */
  const inner = paintsImage(style.borderImageSource) ? borderWidths(style) : paintedBorders(style);
  /** @type {Sides} */
  const outer = [...NONE];
  const { ring, others } = ringOf(style);
  let blurred = 0;
  for (const { x, y, blur, spread, isInset } of others) {
    const sides = [spread - y, spread + x, spread + y, spread - x];
    // An inset shadow that is moved down is visible at the top.
    if (isInset && blur < 2) grow(inner, [sides[2], sides[3], sides[0], sides[1]]);
    else if (!isInset && blur < 2) grow(outer, sides);
    else if (!isInset) blurred = Math.max(blurred, blur + Math.max(...sides));
  }
  if (/drop-shadow/.test(style.filter)) blurred = Math.max(blurred, ...lengthsIn(style.filter));
  if (isDrawnByBrowser) grow(inner, [1, 1, 1, 1]);
  return { inner: /** @type {Sides} */ (inner), outer, ring, blur: blurred };
};
const cornerOf = ({ borderTopLeftRadius, borderBottomRightRadius, clipPath }, width, height) => {
  const least = Math.min(width, height);
  if (/^(circle|ellipse)/.test(clipPath)) return least / 2;
  return Math.max(...[borderTopLeftRadius, borderBottomRightRadius].map((radius) => lengthOf(radius.split(" ")[0], least) || 0));
};
// What shows through a picture, or beside its content, may belong to something else.
const OPAQUE = new Set("img video iframe frame object embed".split(" "));
const THROUGH = 0.5;
const groundOf = (kind, tag, style, opacity, isUnloaded = false) => {
  if (kind === KINDS.PICTURE) return isUnloaded ? 0 : opacity * (OPAQUE.has(tag) ? 1 : THROUGH);
  const image = imageOf(style);
  const shown = image === "none" || !paintsImage(image) ? 0 : style.backgroundSize === "cover" && PAINTS_URL.test(image) ? 1 : THROUGH;
  return opacity * Math.max(parseColor(style.backgroundColor)[3], shown, kind === KINDS.CONTROL ? THROUGH : 0);
};
/** @returns {Candidate["tint"]} */
const tintOf = (style, opacity) => {
  const [red, green, blue, alpha] = parseColor(style.backgroundColor);
  return [red, green, blue, alpha * opacity];
};
/** @type {(element: { currentSrc: string }, style: CSSStyleDeclaration, box: Box) => string} */
const lookOf = ({ currentSrc }, { backgroundImage, borderColor, boxShadow, opacity }, [, top]) =>
  top < frame.height ? "" : [currentSrc, backgroundImage, borderColor, boxShadow, opacity].join();
const MASKED = 64; // px; a mask up to this size is the shape of an icon
const isMask = (style, { width, height }) => PAINTS_URL.test(style.maskImage) && Math.max(width, height) <= MASKED;

export const noteElement = (element, tag, style, isSvg, { clip, reach, pane, opacity, isTurned, angle, stack, around, order }) => {
  if (opacity < FAINT || style.display === "contents") return;
  const found = kindOf(element, tag, style, isSvg);
  if (found === null) return;
  const kind = isMask(style, element.getBoundingClientRect()) ? KINDS.ICON : found;
  const path = pathIn(kind === KINDS.PICTURE && stack.layer !== null ? { ...stack, layer: LAYERS.INLINE } : stack, order);
  const [ground, tint, about] = [groundOf(kind, tag, style, opacity, Boolean(unloadedBy(element))), tintOf(style, opacity), aboutOf(element, tag, style, around)];
  const parts = style.display === "inline" && kind >= KINDS.BOX ? Array.from(element.getClientRects()).slice(0, MOST_PARTS) : [element.getBoundingClientRect()];
  const shape = style.clipPath === "none" && style.clip === "auto" ? null : shapeEdges(style, edges(parts[0] ?? element.getBoundingClientRect()));
  const { inner, outer, ring, blur } = reachesOf(style, kind === KINDS.CONTROL && isWidget(element, tag) && style.appearance !== "none");
  for (const rect of parts) {
    const whole = edges(rect);
    const own = shape ? intersect(whole, shape) : whole;
    const seen = intersect(own, clip);
    if (!isShown(seen)) {
      if (SCENIC.has(kind)) noteUnseen(null, [rect], reach, pane);
      continue;
    }
    // A side that is cut off has no border.
    const isCut = [seen[1] > whole[1] + 0.5, seen[2] < whole[2] - 0.5, seen[3] < whole[3] - 0.5, seen[0] > whole[0] + 0.5];
    const kept = (reaches) => /** @type {Sides} */ (reaches.map((reach, at) => (isCut[at] ? 0 : reach)));
    const isClipped = own.some((edge, at) => Math.abs(edge - seen[at]) > 0.5);
    const radius = element.type === "radio" ? rect.width / 2 : cornerOf(style, rect.width, rect.height);
    // A circle that is cut off is none.
    const isLoose = isTurned || turns(style) || (isClipped && !pane && radius > 0) || /^(polygon|path|url)/.test(style.clipPath) || style.maskImage !== "none";
    const lines = { inner: kept(inner), outer: kept(outer), ring, blur, radius, isLoose, angle: angle + angleOf(style) };
    const window = isCut.some(Boolean) && pane && placeOf(pane);
    const box = placeOf(seen);
    walked.candidates.push({ kind, tag: tag === "input" ? `input[type=${element.type}]` : tag, box, ...lines, span: [order, order], path, ground, tint, about, shapes: [], window: window || null, look: lookOf(element, style, box), opacity, whole: isClipped ? placeOf(own) : null });
  }
};
// The backdrop between a modal dialog and the page.
export const noteBackdrop = (element, tag, { around }) => {
  if (!frame.findsElements || !element.matches(":modal")) return;
  const style = getComputedStyle(element, "::backdrop");
  if (style.display === "none" || isBare(style.backgroundColor)) return;
  walked.candidates.push({
    ...BARE,
    span: [walked.numElements, walked.numElements],
    kind: KINDS.BOX,
    tag: `${tag}::backdrop`,
    box: placeOf([0, 0, innerWidth, innerHeight]),
    path: [LAYERS.TOP, walked.numElements - 0.5],
    ground: groundOf(KINDS.BOX, tag, style, +style.opacity),
    tint: tintOf(style, +style.opacity),
    about: aboutOf(element, tag, style, around),
  });
};
export const noteMarkerPicture = (box, { element, style, stack, around }) => {
  const path = inlinePath(stack, walked.numElements);
  const about = aboutOf(element, "li", style, around);
  walked.candidates.push({ ...BARE, span: [walked.numElements, ++walked.numElements], kind: KINDS.PICTURE, tag: "li::marker", box: placeOf(box), path, about });
};
// Glyphs that are not letters: those of icon fonts (private use), symbols, and words that such a font draws as one glyph.
// biome-ignore lint/suspicious/noMisleadingCharacterClass: joiners and variants stand between symbols.
const GLYPHS = /^[\p{Co}\p{So}\u00d7\u2190-\u21ff\ufe0f\u200d\s]+$/u;
const LIGATURE = /^[a-z][a-z0-9_]{2,}$/;
const [WIDEST_GLYPH, LIGATED] = [1.5, 0.7]; // of its font's size; of the width that its letters would take
export const isGlyph = (text, rects, style) => {
  if (GLYPHS.test(text)) return true;
  if (!brought.length || rects.length !== 1 || !LIGATURE.test(text.trim())) return false;
  const { width } = rects[0];
  const families = style.fontFamily.toLowerCase();
  if (width > WIDEST_GLYPH * parseFloat(style.fontSize) || !brought.some((family) => families.includes(family))) return false;
  return width < LIGATED * measuredWidth(text.trim(), `${style.fontSize} sans-serif`);
};
export const noteIcon = (tag, boxes, { element, style, opacity, stack, around }, color) => {
  if (!frame.findsElements || opacity < FAINT) return;
  const path = inlinePath(stack, walked.numElements);
  const about = aboutOf(element, element.localName, style, around, true);
  const span = /** @type {Candidate["span"]} */ ([walked.numElements, walked.numElements]);
  for (const box of boxes)
    walked.candidates.push({ ...BARE, span, kind: KINDS.ICON, tag, box: placeOf(box), path, tint: /** @type {Candidate["tint"]} */ (color ? [color[0], color[1], color[2], color[3] * opacity] : BLACK), about });
};
// A part's bounds come from the layout: scripts cannot read them.
export const noteGeneratedBox = (tag, part, style, context, clip, [x, y, across, down]) => {
  if (!frame.findsElements) return;
  const opacity = context.opacity * +style.opacity;
  const isShownPart = style.visibility === "visible" && opacity >= FAINT;
  const kind = PAINTS_URL.test(style.content) ? KINDS.PICTURE : PAINTS_URL.test(imageOf(style)) ? KINDS.GROUND : boxKind(style);
  const [width, height] = [parseFloat(style.width), parseFloat(style.height)];
  const [left, top, right, bottom] = placeOf(clip);
  const seen = intersect([x, y, x + across, y + down], [left, top, left + right, top + bottom]);
  if (seen[2] <= seen[0] || seen[3] <= seen[1]) return;
  if (!isShownPart || kind === null || width === 0 && height === 0 && style.borderWidth === "0px") return;
  const isLoose = context.isTurned || turns(style) || style.clipPath !== "none" || style.maskImage !== "none";
  const stack = stackOf(style, context.stack, walked.numElements, { isItem: holdsItems(context.style), holdsFixed: containsFixed(style), isTop: false });
  const covers = context.around.covers || floats(style);
  const about = aboutOf(context.element, tag, context.style, { ...context.around, covers }, undefined, true);
  const path = pathIn(stack, walked.numElements);
  walked.candidates.push({
    kind: isMask(style, { width, height }) ? KINDS.ICON : kind,
    tag: `${tag}::${part}`,
    box: [seen[0], seen[1], seen[2] - seen[0], seen[3] - seen[1]],
    ...reachesOf(style),
    radius: cornerOf(style, width || 0, height || 0),
    isLoose,
    angle: context.angle + angleOf(style),
    span: [walked.numElements, ++walked.numElements],
    path,
    ground: groundOf(kind, tag, style, opacity),
    tint: tintOf(style, opacity),
    about,
    shapes: [],
    window: null,
    look: lookOf({ currentSrc: "" }, style, seen),
    opacity,
    whole: seen[2] - seen[0] < across - 0.5 || seen[3] - seen[1] < down - 0.5 ? [x, y, across, down] : null,
  });
};

// The largest ones, if there are more than this; in document order.
const MOST_CANDIDATES = 5000;
export const largestCandidates = () => {
  const { candidates } = walked;
  if (candidates.length <= MOST_CANDIDATES) return candidates;
  const areas = candidates.map(({ box: [, , width, height] }) => width * height);
  const order = candidates.map((_, at) => at).sort((one, other) => areas[other] - areas[one] || one - other);
  return order.slice(0, MOST_CANDIDATES).sort((one, other) => one - other).map((at) => candidates[at]);
};
