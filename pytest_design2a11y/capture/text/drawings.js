// The shapes of a drawing (inline SVG) as far as layout and styles tell where to look: their boxes, and a few places in
// each. Pixels decide what shows there.
import { edges, intersect, placeOf } from "./frame.js";
import { parseColor } from "./styles.js";

/** @import { Box } from "./frame.js" */
/**
 * @typedef {object} Shape
 * @property {string} tag
 * @property {Box} box with its stroke, as a run's boxes are, clipped
 * @property {number[]} tint color of its fill, or of its stroke if it has no fill: red, green, blue, alpha
 * @property {boolean} isLine whether it has a stroke and no fill
 * @property {number} group number of the element that it stands in
 * @property {string} label
 * @property {boolean} isDashed whether its stroke has gaps all along
 * @property {[number, number][]} places px of the document
 */

const SHAPES = new Set("path line rect circle ellipse polygon polyline use image".split(" "));
const UNPAINTED = new Set("defs clipPath mask marker pattern symbol".split(" "));
const ICON = 48; // px; a smaller drawing is an icon, which is looked at as a whole
const MOST_SHAPES = 400; // per drawing
const FAINT = 0.05; // less opaque than this, it cannot be seen
const ALONG = 6; // places along a line
const ACROSS = 4; // and across and down a filled shape

/** The shapes of the drawing that an element is, or stands in; null outside drawings, and where nothing is painted. */
export const shapesAround = (element, tag, isSvg, outer, shapes) => {
  if (!isSvg) return null;
  if (outer.isSvg) return UNPAINTED.has(tag) ? null : outer.shapes;
  const { width, height } = element.getBoundingClientRect();
  return Math.max(width, height) > ICON ? (shapes ?? null) : null;
};

const tintOf = (paint, alpha, opacity) => {
  if (paint === "none") return null;
  // A gradient has no single color.
  const [red, green, blue, own] = /^(url|context)/.test(paint) ? [-1, -1, -1, 1] : parseColor(paint);
  const shown = own * alpha * opacity;
  return shown < FAINT ? null : [red, green, blue, shown];
};
const alongLine = (element) => {
  const length = element.getTotalLength();
  return Array.from({ length: ALONG }, (_, at) => element.getPointAtLength((length * (at + 0.5)) / ALONG));
};
const withinFill = (element) => {
  const { x, y, width, height } = element.getBBox();
  const at = (part) => (part + 0.5) / ACROSS;
  return Array.from({ length: ACROSS ** 2 }, (_, place) =>
    ({ x: x + width * at(place % ACROSS), y: y + height * at(Math.floor(place / ACROSS)) }),
  ).filter((point) => element.isPointInFill(point));
};
// A dash as long as the line itself is a part of it, as in a ring that shows a share.
const isDashed = (element, { strokeDasharray }) => {
  const dashes = strokeDasharray.match(/[\d.]+/g) ?? [];
  const period = dashes.reduce((sum, dash) => sum + +dash, 0);
  return period > 0 && Boolean(element.getTotalLength) && 3 * period < element.getTotalLength();
};
// (`matrixTransform` takes longer than all else.)
const placesOf = (points, { a, b, c, d, e, f }) =>
  points.map(({ x, y }) => /** @type {[number, number]} */ (placeOf([a * x + c * y + e, b * x + d * y + f, 0, 0]).slice(0, 2)));

export const noteShape = (element, tag, style, outer, clip, opacity) => {
  if (!outer.shapes || !SHAPES.has(tag)) return;
  const fill = tag === "line" ? null : tintOf(style.fill, +style.fillOpacity, opacity);
  const stroke = tintOf(style.stroke, +style.strokeOpacity, opacity);
  if (!fill && !stroke) return;
  const matrix = element.getScreenCTM();
  const reach = matrix && stroke ? (parseFloat(style.strokeWidth) * Math.hypot(matrix.a, matrix.b)) / 2 : 0;
  const [left, top, right, bottom] = edges(element.getBoundingClientRect());
  if (!matrix || (right === left && bottom === top)) return;
  const box = intersect([left - reach, top - reach, right + reach, bottom + reach], clip);
  if (box[2] <= box[0] || box[3] <= box[1]) return;
  outer.shapes.push({ element, tag, style, box: placeOf(box), fill, stroke, matrix, group: outer.order });
};
/** @returns {Shape} */
const shapeOf = ({ element, tag, style, box, fill, stroke, matrix, group }) => {
  const isKnown = Boolean(element.getTotalLength);
  const within = fill && isKnown ? withinFill(element) : [];
  // A straight line has a fill, black unless it is none, but no area.
  const isLine = !fill || Boolean(stroke && isKnown && !within.length);
  return {
    tag,
    box,
    tint: (isLine ? stroke : fill) ?? [],
    isLine,
    group,
    label: (element.getAttribute("aria-label") ?? element.querySelector(":scope > title")?.textContent ?? "").toWellFormed(),
    isDashed: isDashed(element, style),
    places: placesOf(within.length || !isKnown ? within : alongLine(element), matrix),
  };
};
const sizeOf = ({ box: [, , width, height] }) => width + height;
/** The shapes of a drawing in their order; of too many, the largest. */
export const largestShapes = (noted) => {
  const least = noted.map(sizeOf).sort((one, other) => other - one)[MOST_SHAPES - 1] ?? 0;
  const kept = noted.filter((shape) => sizeOf(shape) >= least);
  return kept.slice(-MOST_SHAPES).map(shapeOf);
};
