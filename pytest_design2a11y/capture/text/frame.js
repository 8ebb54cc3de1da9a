// The frame being read, the question about it, the counts of its walk, and geometry. Boxes are [left, top, right, bottom]
// px of the viewport; those that leave the frame are [x, y, width, height].

/** @import { About } from "../elements/about.js" */
/** @import { Candidate } from "../elements/elements.js" */
/** @import { Font } from "./fonts.js" */
/** @import { Color, Run } from "./runs.js" */
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
const nothing = () => ({
  numElements: 0,
  words: { shown: 0, hidden: 0, unseen: /** @type {string[]} */ ([]) },
  descriptions: /** @type {Set<string> | null} */ (null), // ids of what names or describes something else
  runs: /** @type {Run[]} */ ([]),
  previous: /** @type {Run | null} */ (null), // the run that text continues if there is no break before it
  owners: /** @type {Map<unknown, number>} */ (new Map()),
  markers: /** @type {Map<number, { places: Box[], color: Color | null }>} */ (new Map()), // of list items, by owner, until a run of the item takes it
  sourced: /** @type {Set<Element>} */ (new Set()), // those whose text is taken for the published metric
  numSource: 0, // its characters
  fontStyles: new Map(),
  samples: /** @type {Node[]} */ ([]),
  fonts: /** @type {Font[]} */ ([]),
  typefaces: /** @type {string[]} */ ([]), // each one's canvas font at 100 px
  fontNumbers: new Map(),
  generatedText: new Map(), // by element: its parts that are text
  numMatched: 0, // of the pseudo-elements that have boxes
  candidates: /** @type {Candidate[]} */ ([]),
  abouts: /** @type {About[]} */ ([]),
  aboutNumbers: new Map(),
  filled: /** @type {Element[]} */ ([]), // those whose background shows only through their text
  decorated: /** @type {Element[]} */ ([]), // those whose text has lines under, over or through it
  // Where each thing lies that shows only once a part is scrolled, and through what; pictures have no text
  unseen: /** @type {{ text: string | null, box: Box, window: Box }[]} */ ([]),
  unauditedFrames: /** @type {Element[]} */ ([]),
});
/** What the walk has counted and found so far. */
export const walked = nothing();

/** @param {Question} question */
export function begin({ owningTags, unserved, ...rest }) {
  Object.assign(walked, nothing());
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
