// What shows only once a part of the page is scrolled.
import { edges, frame, intersect, isShown, placeOf, unite, visibleBoxes, walked } from "./frame.js";

/** @import { Box } from "./frame.js" */

// The part of an element that shows, if it is a window on its content.
/** @type {(element: Element, isScroller: boolean, clip: Box, around: Box | null) => Box | null} */
export const paneOf = (element, isScroller, clip, around) => {
  const pane = intersect(edges(element.getBoundingClientRect()), clip);
  return isScroller && isShown(pane) ? pane : around;
};
// Cut down to nothing in both directions, a text is for screen readers alone.
const NOTHING = 2;
/** @param {Box} clip */
export const isForListeners = ([left, top, right, bottom]) => right - left <= NOTHING && bottom - top <= NOTHING;

const SAME_PLACE = 2; // px
/** @type {(text: string | null, rects: Iterable<DOMRect>, reach: Box, pane: Box | null) => void} */
export const noteUnseen = (text, rects, reach, pane) => {
  const boxes = visibleBoxes(rects, reach);
  if (!pane || !boxes.length || isForListeners(reach)) return;
  const box = placeOf(boxes.reduce(unite));
  const before = walked.unseen[walked.unseen.length - 1];
  // A picture on a picture counts once, as where both show.
  const isSame = text === null && before?.text === null && box.every((edge, at) => Math.abs(edge - before.box[at]) <= SAME_PLACE);
  if (!isSame) walked.unseen.push({ text, box, window: placeOf(pane) });
};
// What stands in a text besides words that show.
/** @type {(text: string, shown: string) => string} */
export const restOf = (text, shown) => {
  const left = new Map();
  for (const word of shown.split(/\s+/)) left.set(word, (left.get(word) ?? 0) + 1);
  const isLeft = (word) => {
    const number = left.get(word) ?? 0;
    left.set(word, number - 1);
    return number <= 0;
  };
  return (text.match(/\S+/g) ?? []).filter(isLeft).join(" ");
};
// A frame scrolls its document to the right and down, unless that forbids it.
/** @type {(viewport: Box, overflow: { overflowX: string, overflowY: string }) => Box} */
export const reachOfFrame = ([left, top, right, bottom], { overflowX, overflowY }) =>
  frame.isMain ? [left, top, right, bottom] : [left, top, overflowX === "hidden" ? right : 1e9, overflowY === "hidden" ? bottom : 1e9];
