// The fonts that text is set in: which texts to ask the browser about, and which characters no font has.

const MAX_STYLES = 40;
const MAX_SAMPLES = 60; // texts that the browser is asked about, each a command
const MAX_BOXED = 100;
const NO_CHARACTER = "\u{10FFFD}"; // drawn as a box: no font has it
const SIDE = 64;
const fontStyles = new Map();
const samples = [];

// Text of one style takes its fonts by the script that it is in, so one text for each is enough.
const noteFont = (node, style, text) => {
  const key = style.fontFamily;
  let known = fontStyles.get(key);
  if (!known) {
    if (fontStyles.size === MAX_STYLES) return;
    known = { font: `${style.fontStyle} ${style.fontWeight} 32px ${key}`, blocks: new Set(), characters: new Set() };
    fontStyles.set(key, known);
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
  if (isNew && samples.length < MAX_SAMPLES) samples.push(node);
};

// Characters that are drawn as the box for a character that no font has.
const boxedCharacters = () => {
  const boxed = new Set();
  let canvas = null;
  for (const { font, characters } of fontStyles.values()) {
    const drawn = [...characters].filter((one) => /[\p{L}\p{N}\p{P}\p{S}\p{Co}]/u.test(one) && one !== "\u2800");
    if (!drawn.length) continue;
    canvas ??= new OffscreenCanvas(SIDE, SIDE).getContext("2d", { willReadFrequently: true });
    canvas.font = font;
    const width = canvas.measureText(NO_CHARACTER).width;
    let box = null;
    for (const character of drawn) {
      if (boxed.size === MAX_BOXED) break;
      if (canvas.measureText(character).width !== width) continue;
      box ??= pixelsOf(canvas, NO_CHARACTER);
      if (pixelsOf(canvas, character).every((pixel, at) => pixel === box[at])) boxed.add(character);
    }
  }
  return [...boxed];
};

// Whether a font that the page brings draws letters that nobody could tell apart: bars, dots, nothing. The text is
// read by what it says, and would count for words that nobody sees.
const LETTERS = /[a-z\u00df-\u024f\u0370-\u052f]/g;
const FEW_LETTERS = 4;
const MANY_LETTERS = 10;
const ALIKE = 0.4; // of the letters: so few shapes say nothing
const CLEAR = 96; // of 255; less ink than that in a pixel is hardly seen
const drawn = new Map();
const LATIN = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"];
const WHOLE_RANGE = "U+0-10FFFF";
const lettersIn = (unicodeRange) => {
  if (unicodeRange === WHOLE_RANGE) return LATIN;
  const ranges = unicodeRange.split(",").map((part) => part.trim().slice(2).split("-").map((end) => parseInt(end, 16)));
  return LATIN.filter((letter) => ranges.some(([from, to = from]) => from <= letter.charCodeAt() && letter.charCodeAt() <= to));
};
const faces = [...document.fonts]
  .filter((face) => face.status === "loaded" || face.status === "loading")
  .map(({ family, unicodeRange }) => [family.replace(/^["']|["']$/g, "").toLowerCase(), lettersIn(unicodeRange)])
  // Another name could be written otherwise in a style, and counts as any font's.
  .map(([family, letters]) => [/^[\p{L}\p{N} _-]+$/u.test(family) ? family : "", letters]);
const brought = faces.map(([family]) => family);
// Faces that draw some Latin letters and leave others to another font.
const splitFaces = faces
  .filter(([, letters]) => letters.length && letters.length < LATIN.length)
  .map(([family, letters]) => [family, new Set(letters)]);
const isIllegible = (style, text) => {
  if (!brought.length) return false;
  const families = style.fontFamily.toLowerCase();
  if (!brought.some((family) => families.includes(family))) return false;
  const letters = [...new Set(text.toLowerCase().match(LETTERS))].sort().slice(0, MANY_LETTERS);
  if (letters.length < FEW_LETTERS) return false;
  return !hasMoreShapes(`${style.fontStyle} ${style.fontWeight} 32px ${style.fontFamily}`, letters, ALIKE * letters.length);
};
const hasMoreShapes = (font, letters, limit) => {
  if (!drawn.has(font)) {
    const canvas = new OffscreenCanvas(SIDE, SIDE).getContext("2d", { willReadFrequently: true });
    canvas.font = font;
    drawn.set(font, { canvas, shapes: [], numbers: new Map() });
  }
  const seen = new Set();
  return letters.some((letter) => seen.add(shapeNumber(drawn.get(font), letter)).size > limit);
};
const shapeNumber = ({ canvas, shapes, numbers }, letter) => {
  if (!numbers.has(letter)) {
    // Specks are not letters, however they differ.
    const pixels = pixelsOf(canvas, letter).map((pixel) => +(pixel >>> 24 >= CLEAR));
    const known = shapes.findIndex((shape) => shape.every((pixel, at) => pixel === pixels[at]));
    numbers.set(letter, known < 0 ? shapes.push(pixels) - 1 : known);
  }
  return numbers.get(letter);
};
const pixelsOf = (canvas, character) => {
  canvas.clearRect(0, 0, SIDE, SIDE);
  canvas.fillText(character, 8, 40);
  return new Uint32Array(canvas.getImageData(0, 0, SIDE, SIDE).data.buffer);
};
