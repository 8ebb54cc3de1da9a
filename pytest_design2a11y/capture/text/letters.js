// The text of a node that a person can read: as it is painted, and only words that are not cut off.
import { edges, intersect, isShown } from "./frame.js";
import { isHorizontal } from "./styles.js";

export const range = document.createRange();
// px; text of less height cannot be read.
export const LEAST_HEIGHT = 6;
export const isLegible = (rect, style) =>
  rect.width > 0 && rect.height > 0 && (isHorizontal(style) ? rect.height : rect.width) >= LEAST_HEIGHT;
// Nor can text that is drawn as blots, blurred, or with its letters pressed into each other. Shares of the font size, the
// last one of the height.
const BLOTTED = 0.12;
const BLURRED = 0.2;
const PRESSED = 0.12;
const FEW_PRESSED = 4;
export const isSmeared = (node, rects, { style, blur, isTurned }) => {
  const size = parseFloat(style.fontSize);
  const stroke = parseFloat(style.webkitTextStrokeWidth);
  if (blur > BLURRED * size || (stroke > BLOTTED * size && !style.paintOrder.startsWith("stroke"))) return true;
  if (isTurned) return false;
  const sides = rects.map(({ width, height }) => (isHorizontal(style) ? [width, height] : [height, width]));
  const length = sides.reduce((sum, [along]) => sum + along, 0);
  const height = sides.reduce((sum, [along, across]) => sum + along * across, 0) / length;
  const couldBe = length < PRESSED * height * node.data.length;
  const letters = couldBe ? (node.data.match(/[\p{L}\p{N}]/gu)?.length ?? 0) : 0;
  return letters >= FEW_PRESSED && length < PRESSED * height * letters;
};

export const transformText = (text, style) => {
  switch (style.textTransform) {
    case "uppercase":
      return text.toUpperCase();
    case "lowercase":
      return text.toLowerCase();
    case "capitalize":
      return text.replace(/(^|[\s\-(["'])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());
    default:
      return text;
  }
};
// A style sheet can have discs painted instead of letters.
export const paintedText = (text, style) =>
  style.webkitTextSecurity === "none" ? transformText(text, style) : text.trim().replace(/./gsu, "•");
// A number in text that runs from right to left, and what follows it up to the next such letter: its parts may stand in
// another order than in the source.
const NUMBERED = /\p{N}[^\p{L}]*(?:[^\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]*[\p{Script=Latin}\p{N}])/gu;
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
// Text of scripts that all run in one direction, with the marks between its letters.
const ONE_WAY = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc](?:[^\p{L}\p{N}]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc])*|[^\s\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc](?:[^\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]*[^\s\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc])?/gu;
const WORDS = /[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]/gu;
const LETTERS = /.\p{M}*/gsu;
const placesOf = (node, start, text, parts) => {
  let line = 0;
  let bottom = -Infinity;
  return Array.from(text.matchAll(parts), ({ 0: part, index }) => {
    range.setStart(node, start + index);
    range.setEnd(node, start + index + part.length);
    const rect = range.getBoundingClientRect();
    if (rect.height && rect.top > bottom) {
      line += 1;
      bottom = rect.top + rect.height / 2;
    }
    // A blank at which a line breaks has no place.
    return { part, line, left: rect.left, isBreak: !rect.width && /\s/.test(part) };
  });
};
// The text of a node as it is read where it stands: numbers and what follows them from left to right, and all characters
// whose direction is overridden, those of a script that runs from the right from there.
export const standingText = (node, { style, isOverridden }) => {
  if (!isOverridden && style.direction === "ltr" && !FROM_RIGHT.test(node.data)) return node.data;
  const [pieces, parts] = isOverridden ? [ONE_WAY, LETTERS] : [NUMBERED, WORDS];
  return node.data.replace(pieces, (text, start) => {
    const way = isOverridden && FROM_RIGHT.test(text) ? -1 : 1;
    return placesOf(node, start, text, parts)
      .sort((one, other) => one.line - other.line || +one.isBreak - +other.isBreak || way * (one.left - other.left))
      .map(({ part }) => part)
      .join("");
  });
};
const MADE_OUT = { length: 1 / 2, height: 1 / 3 }; // least visible shares of a word
// The words of a partly clipped text node that can be made out.
export const visibleWords = (node, clip) => {
  const kept = [];
  for (const word of node.data.matchAll(/\S+/g)) {
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    const rect = range.getBoundingClientRect();
    const box = intersect(edges(rect), clip);
    const [length, height] = [box[2] - box[0], box[3] - box[1]];
    if (isShown(box) && length >= MADE_OUT.length * rect.width && height >= MADE_OUT.height * rect.height)
      kept.push(word[0]);
  }
  return kept.join(" ");
};
