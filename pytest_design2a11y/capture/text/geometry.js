// Boxes are [left, top, right, bottom] px of the viewport; those that leave the frame are [x, y, width, height].
import { frame } from "./frame.js";

/** @import { Box } from "./frame.js" */

/** @type {Box} */
export const EVERYWHERE = [-1e9, -1e9, 1e9, 1e9];

/** @type {(first: Box, second: Box) => Box} */
export const intersect = (first, second) => [
  Math.max(first[0], second[0]),
  Math.max(first[1], second[1]),
  Math.min(first[2], second[2]),
  Math.min(first[3], second[3]),
];
/** @type {(rect: { left: number, top: number, right: number, bottom: number }) => Box} */
export const edges = (rect) => [rect.left, rect.top, rect.right, rect.bottom];
/** @type {(box: Box) => boolean} */
export const isShown = (box) => box[2] - box[0] > 0.5 && box[3] - box[1] > 0.5;
/** @type {(box: Box) => Box} */
export const placeOf = (box) => [box[0] + frame.scrolled[0], box[1] + frame.scrolled[1], box[2] - box[0], box[3] - box[1]];
/** @type {(boxes: Box[]) => number} */
export const areaOf = (boxes) => boxes.reduce((sum, box) => sum + (box[2] - box[0]) * (box[3] - box[1]), 0);
/** @type {(rects: Iterable<Parameters<typeof edges>[0]>, clip: Box) => Box[]} */
export const visibleBoxes = (rects, clip) => Array.from(rects, (rect) => intersect(edges(rect), clip)).filter(isShown);
