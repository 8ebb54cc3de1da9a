// The fonts of texts: which texts to ask the browser about, and which characters no font has.
import { frame, walked } from "./frame.js";
import { paintedText, range } from "./letters.js";
import { isHorizontal, once } from "./styles.js";

/** @typedef {{ size: number, weight: number, isItalic: boolean, widths: number[], spacing: number }} Font as models/elements.py has it */
/** @typedef {{ letters: number, checked: number, stray: number }} FontPart how many letters of a run are set in a font, how many were checked, and by how much their widths differ from those of single letters, em */
/** @typedef {{ letter: string, width: number }} DrawnLetter a letter as it is painted, and how wide it is drawn, px */

const MAX_STYLES = 40;
const MAX_SAMPLES = 60; // texts to ask the browser about, one command each
const MAX_BOXED = 100;
const NO_CHARACTER = "\u{10FFFD}"; // drawn as a box: no font has it
const SIDE = 64;

// Texts of one style get their fonts by script (Latin, ...), so one text for each is enough.
export const noteFont = (node, style, text) => {
  const key = style.fontFamily;
  let known = walked.fontStyles.get(key);
  if (!known) {
    if (walked.fontStyles.size === MAX_STYLES) return;
    known = { font: `${style.fontStyle} ${style.fontWeight} 32px ${key}`, blocks: new Set(), characters: new Set() };
    walked.fontStyles.set(key, known);
  }
  const isPlain = /^[\0-\xff]*$/.test(text);
  if (isPlain && known.blocks.has(0)) return;
  let isNew = false;
  for (const character of isPlain ? "a" : text) {
    const block = character.codePointAt(0) >> 8;
    isNew ||= !known.blocks.has(block);
    known.blocks.add(block);
    if (block) known.characters.add(character);
  }
  if (isNew && walked.samples.length < MAX_SAMPLES) walked.samples.push(node);
};

// Characters drawn as the box that stands for a missing glyph.
export const boxedCharacters = () => {
  const boxed = new Set();
  /** @type {any} */
  let canvas = null;
  for (const { font, characters } of walked.fontStyles.values()) {
    const drawn = [...characters].filter((character) => /[\p{L}\p{N}\p{P}\p{S}\p{Co}]/u.test(character) && character !== "\u2800");
    if (!drawn.length) continue;
    canvas ??= new OffscreenCanvas(SIDE, SIDE).getContext("2d", { willReadFrequently: true });
    canvas.font = font;
    const width = canvas.measureText(NO_CHARACTER).width;
    /** @type {Uint32Array | null} */
    let box = null;
    for (const character of drawn) {
      if (boxed.size === MAX_BOXED) break;
      if (canvas.measureText(character).width !== width) continue;
      box ??= pixelsOf(canvas, NO_CHARACTER);
      const boxPixels = box;
      if (pixelsOf(canvas, character).every((pixel, at) => pixel === boxPixels[at])) boxed.add(character);
    }
  }
  return [...boxed];
};

// Whether a font that the page brings draws letters that all look alike: bars, dots, nothing. Its text would otherwise
// count as words that are invisible.
const LETTERS = /[a-z\u00df-\u024f\u0370-\u052f]/g;
const FEW_LETTERS = 4;
const MANY_LETTERS = 10;
const ALIKE = 0.4; // as a share of the letters: with so few different shapes they cannot be read
const CLEAR = 96; // of 255; a pixel with less ink is hardly visible
const drawn = new Map();
const LATIN = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"];
const WHOLE_RANGE = "U+0-10FFFF";
const lettersIn = (unicodeRange) => {
  if (unicodeRange === WHOLE_RANGE) return LATIN;
  const ranges = unicodeRange.split(",").map((part) => part.trim().slice(2).split("-").map((end) => parseInt(end, 16)));
  return LATIN.filter((letter) => ranges.some(([from, to = from]) => from <= letter.charCodeAt(0) && letter.charCodeAt(0) <= to));
};
/** @type {{ family: string, letters: string[] }[]} */
const faces = [...document.fonts]
  .filter((face) => face.status === "loaded" || face.status === "loading")
  .map((face) => {
    const family = face.family.replace(/^["']|["']$/g, "").toLowerCase();
    // Other names may be written differently in a style, so these may be any font's.
    return { family: /^[\p{L}\p{N} _-]+$/u.test(family) ? family : "", letters: lettersIn(face.unicodeRange) };
  });
export const brought = faces.map(({ family }) => family);
// Faces that draw some Latin letters and leave others to another font.
const splitFaces = faces
  .filter(({ letters }) => letters.length && letters.length < LATIN.length)
  .map(({ family, letters }) => ({ family, letters: new Set(letters) }));
export const isIllegible = (style, text) => {
  if (!brought.length) return false;
  const families = style.fontFamily.toLowerCase();
  if (!brought.some((family) => families.includes(family))) return false;
  const letters = [...new Set(text.toLowerCase().match(LETTERS))].sort().slice(0, MANY_LETTERS);
  if (letters.length < FEW_LETTERS) return false;
  const font = `${style.fontStyle} ${style.fontWeight} 32px ${style.fontFamily}`;
  return new Set(letters.map((letter) => shapeOf(font, letter))).size <= ALIKE * letters.length;
};
const shapeOf = (font, letter) => {
  if (!drawn.has(font)) {
    /** @type {any} */
    const canvas = new OffscreenCanvas(SIDE, SIDE).getContext("2d", { willReadFrequently: true });
    canvas.font = font;
    drawn.set(font, { canvas, shapes: new Map() });
  }
  const { canvas, shapes } = drawn.get(font);
  // Specks do not make letters, however they differ.
  if (!shapes.has(letter)) shapes.set(letter, pixelsOf(canvas, letter).map((pixel) => +(pixel >>> 24 >= CLEAR)).join(""));
  return shapes.get(letter);
};
const pixelsOf = (canvas, character) => {
  canvas.clearRect(0, 0, SIDE, SIDE);
  canvas.fillText(character, 8, 40);
  return new Uint32Array(canvas.getImageData(0, 0, SIDE, SIDE).data.buffer);
};

// The font of a run: size, weight, slant, and, as a signature of the family that needs no name, the widths of a few
// letters.

const LETTERS_MEASURED = [..."imWag0eR"];
const MOST_FONTS = 500;
const widths = new Map();
const letterPen = once(() => new OffscreenCanvas(1, 1).getContext("2d"));

// The width of a single letter, in em.
const widthOf = (typeface, letter) => {
  const known = widths.get(typeface) ?? widths.set(typeface, new Map()).get(typeface);
  if (!known.has(letter)) {
    const ruler = letterPen();
    ruler.font = typeface;
    known.set(letter, Math.round(100 * ruler.measureText(letter).width) / 1e4);
  }
  return known.get(letter);
};
// The families of a text, without fonts of the page that lack too many of its letters: the next family in the list draws
// those.
const MOST_LETTERS = 0.9;
const FAMILY = /"(?:\\.|[^"\\])*"|[^,\s][^,]*/g;
const hasLetter = (family, letter) => {
  const [one, other] = ["monospace", "serif"].map((next) => widthOf(`100px ${family}, ${next}`, letter));
  return one === other;
};
const familiesOf = ({ fontFamily }, text) => {
  const letters = brought.length ? (text.match(/[\p{L}\p{N}]/gu) ?? []) : [];
  if (!letters.length) return fontFamily;
  const isBrought = (family) => brought.includes("") || brought.includes(family.replaceAll('"', "").toLowerCase());
  const hasMost = (family) => letters.filter((letter) => hasLetter(family, letter)).length >= MOST_LETTERS * letters.length;
  const kept = fontFamily.match(FAMILY).filter((family) => !isBrought(family) || hasMost(family));
  return kept.join(", ") || "serif";
};
// The letters to measure: those that each face has, or lacks, together with all letters of the text.
const measuredLetters = (families, text) => {
  if (!splitFaces.length) return LETTERS_MEASURED;
  const own = text.match(/[a-z0-9]/gi) ?? [];
  const split = splitFaces.filter(({ family }) => families.toLowerCase().includes(family)).map(({ letters }) => letters);
  const isDrawnAlike = (letter) => split.every((letters) => own.every((other) => letters.has(other) === letters.has(letter)));
  return LETTERS_MEASURED.filter(isDrawnAlike);
};

// The factor between an element's font size and the size at which its text is painted.
export const scaleOf = ({ transform, scale, zoom }) => {
  let factor = zoom === "1" ? 1 : +zoom || 1;
  if (transform !== "none") {
    const numbers = transform.match(/-?[\d.]+(e-?\d+)?(?=[,)])/g)?.map(Number) ?? [];
    const [a, b, c, d] = transform.startsWith("matrix3d") ? [0, 1, 4, 5].map((at) => numbers[at]) : numbers;
    factor *= Math.sqrt(Math.abs(a * d - b * c));
  }
  if (scale !== "none") {
    const [across, down = across] = scale.split(" ").map(Number);
    factor *= Math.sqrt(Math.abs(across * down));
  }
  return factor;
};
// The number of a text's font; -1 if it is not noted.
const fontNumber = ({ element, style, scale, isSvg }, text) => {
  const matrix = isSvg ? element.getScreenCTM?.() : null;
  const factor = matrix ? Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c)) : scale;
  const size = Math.round(100 * parseFloat(style.fontSize) * factor) / 100;
  const spacing = Math.round(100 * (parseFloat(style.letterSpacing) || 0) * factor) / 100;
  const isItalic = style.fontStyle !== "normal";
  const families = familiesOf(style, text);
  const measured = measuredLetters(families, text);
  const caps = style.fontVariantCaps === "small-caps" ? "small-caps " : "";
  const typeface = `${isItalic ? "italic" : "normal"} ${caps}${style.fontWeight} 100px ${families}`;
  const key = `${size}|${spacing}|${typeface}|${measured.join("")}`;
  if (!walked.fontNumbers.has(key)) {
    if (walked.fonts.length >= MOST_FONTS) return -1;
    const own = LETTERS_MEASURED.map((letter) => (measured.includes(letter) ? widthOf(typeface, letter) : 0));
    walked.fontNumbers.set(key, walked.fonts.push({ size, weight: Math.round(+style.fontWeight), isItalic, widths: own, spacing }) - 1);
    walked.typefaces.push(typeface);
  }
  return walked.fontNumbers.get(key);
};

// Fonts can draw letters differently inside words. Kerning changes their mean width by less than this.
const FARTHEST_DRAWN = 0.03; // em
const MOST_DRAWN = 12; // letters of a word
const TURNED = 1; // px
const WORD = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+/gu;
// Letters of the longest word of a text node, and the width of each as drawn, px.
export const drawnLetters = (node, style) => {
  if (!frame.findsElements) return [];
  const longest = [...node.data.matchAll(WORD)].reduce((one, other) => (other[0].length > (one?.[0].length ?? 0) ? other : one), null);
  const starts = [];
  const letters = [...(longest?.[0] ?? "")].slice(0, MOST_DRAWN).map((letter, at) => {
    range.setStart(node, longest.index + at);
    range.setEnd(node, longest.index + at + 1);
    const { left, top, width, height } = range.getBoundingClientRect();
    starts.push(isHorizontal(style) ? top : left);
    return { letter: paintedText(letter, style), width: isHorizontal(style) ? width : height };
  });
  // The bounding box of a rotated letter is wider than the letter.
  return Math.max(...starts) - Math.min(...starts) < TURNED ? letters : [];
};
// Notes the font of a part of a run; `parts` are by font.
/** @param {Map<number, FontPart>} parts @param {string} text @param {DrawnLetter[]} drawn */
export const noteFontOf = (parts, origin, text, drawn) => {
  if (!frame.findsElements) return;
  const font = fontNumber(origin, text);
  const { letters, checked, stray } = parts.get(font) ?? { letters: 0, checked: 0, stray: 0 };
  const sizes = [parseFloat(origin.style.fontSize), walked.fonts[font]?.size];
  const spacing = (parseFloat(origin.style.letterSpacing) || 0) / sizes[0];
  // Advances of the page's own fonts are whole pixels, before or after scaling.
  const widthAt = (size, letter) => (100 / size) * widthOf(walked.typefaces[font].replace("100px", `${size}px`), letter);
  const differences = (font < 0 ? [] : drawn).map(({ letter, width }) => {
    const own = width / sizes[1] - spacing;
    return Math.min(...sizes.map((size) => Math.abs(own - widthAt(size, letter))));
  });
  parts.set(font, {
    letters: letters + text.replace(/\s/g, "").length,
    checked: checked + differences.length,
    stray: differences.reduce((total, difference) => total + difference, stray),
  });
};
// The number of a run's font, from its parts: if they differ, that of most letters, with the mean of their widths; without
// widths if letters are drawn differently.
/** @param {Map<number, FontPart>} parts */
export const runFont = (parts) => {
  const known = [...parts].filter(([font]) => font >= 0).map(([font, part]) => ({ font, ...part }));
  if (!known.length) return -1;
  /** @param {(part: typeof known[number]) => number} value */
  const sum = (value) => known.reduce((total, part) => total + value(part), 0);
  const checked = sum((part) => part.checked);
  const isOther = checked > 1 && sum((part) => part.stray) > FARTHEST_DRAWN * checked;
  if (parts.size === 1 && !isOther) return known[0].font;
  const total = sum(({ letters }) => letters) || 1;
  /** @param {number} at */
  const mean = (at) => (isOther ? 0 : sum(({ font, letters }) => letters * walked.fonts[font].widths[at]) / total);
  const most = known.reduce((most, part) => (part.letters > most.letters ? part : most));
  return walked.fonts.push({ ...walked.fonts[most.font], widths: LETTERS_MEASURED.map((_, at) => mean(at)) }) - 1;
};
