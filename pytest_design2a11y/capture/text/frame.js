// The frame being read, the question about it, the counts of its walk, and geometry. Boxes are [left, top, right, bottom]
// px of the viewport; those that leave the frame are [x, y, width, height].

/** @typedef {[number, number, number, number]} Box left, top, right and bottom of the viewport, or x, y, width, height */
/**
 * @typedef {object} Generated a pseudo-element; places are px of the document
 * @property {string} kind
 * @property {string} tag its element's
 * @property {Box} bounds
 * @property {{ text: string, boxes: Box[] } | null} text its text, if it has any
 */
/**
 * @typedef {object} Question
 * @property {string[]} owningTags names of the elements that own the text inside them
 * @property {boolean} isMain whether it is the page's main frame
 * @property {boolean} isAudited whether accessibility rules check it
 * @property {string[]} unserved addresses that returned nothing
 * @property {number} firstOwner number of the first owner of text
 * @property {boolean} findsElements whether candidates for elements and fonts are noted
 * @property {number} height how far down the frame is captured, px
 * @property {Generated[]} generated pseudo-elements that have boxes, in order
 */

/** The question about the frame, and its scroll position. */
export const frame = {
  isMain: true,
  isAudited: true,
  firstOwner: 0,
  findsElements: false,
  height: 0,
  generated: /** @type {Generated[]} */ ([]),
  owningTags: /** @type {Set<string>} */ (new Set()),
  unserved: /** @type {Set<string>} */ (new Set()),
  scrolled: [0, 0], // how far the main frame is scrolled; other frames are read as their viewport shows them
};
/** What the walk counts. */
export const walked = { numElements: 0 };

/** @param {Question} question */
export function begin({ owningTags, unserved, ...rest }) {
  Object.assign(frame, rest, { owningTags: new Set(owningTags), unserved: new Set(unserved) });
  frame.scrolled = frame.isMain ? [scrollX, scrollY] : [0, 0];
}

/** @type {Box} */
export const EVERYWHERE = [-1e9, -1e9, 1e9, 1e9];

/** @type {(first: Box, second: Box) => Box} */
export const intersect = (first, second) => [
  Math.max(first[0], second[0]),
  Math.max(first[1], second[1]),
  Math.min(first[2], second[2]),
  Math.min(first[3], second[3]),
];
/** @type {(first: Box, second: Box) => Box} */
export const unite = (first, second) => [
  Math.min(first[0], second[0]),
  Math.min(first[1], second[1]),
  Math.max(first[2], second[2]),
  Math.max(first[3], second[3]),
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
