// The frame that is read, what is asked of it, and what its walk keeps count of.

/** @typedef {[number, number, number, number]} Box left, top, right and bottom of the viewport, or x, y, width, height */
/** @typedef {{ text: string, boxes: Box[] }} GeneratedText what a pseudo-element says, and its boxes, px of the document */
/**
 * @typedef {object} Question
 * @property {string[]} owningTags names of the elements that own the text inside them
 * @property {boolean} isMain whether it is the page's main frame
 * @property {boolean} isAudited whether accessibility rules look at it
 * @property {string[]} unserved addresses that nothing came from
 * @property {number} firstOwner number of the first owner of text
 * @property {boolean} findsElements whether candidates for elements and fonts are noted
 * @property {(GeneratedText | null)[]} generated of each pseudo-element with text
 */

/** What is asked of the frame, with its place in the document. */
export const frame = {
  isMain: true,
  isAudited: true,
  firstOwner: 0,
  findsElements: false,
  generated: /** @type {(GeneratedText | null)[]} */ ([]),
  owningTags: /** @type {Set<string>} */ (new Set()),
  unserved: /** @type {Set<string>} */ (new Set()),
  scrolled: [0, 0], // how far the main frame is scrolled; other frames are read as their viewport shows them
};
/** What the walk counts. */
export const walked = { numElements: 0, numContents: 0, isSuspicious: false };

/** @param {Question} question */
export function begin({ owningTags, unserved, ...rest }) {
  Object.assign(frame, rest, { owningTags: new Set(owningTags), unserved: new Set(unserved) });
  frame.scrolled = frame.isMain ? [scrollX, scrollY] : [0, 0];
}
