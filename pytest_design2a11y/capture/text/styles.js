// Computed styles, in parts that several readers need, and the color in which text is painted: sRGB and alpha.
import { frame } from "./frame.js";

export const SIDES = ["Top", "Right", "Bottom", "Left"];
// Controls that the browser draws by itself.
export const NATIVE = new Set(
  "input select textarea button meter progress permission geolocation usermedia install login".split(" "),
);
const SHADOW = /([a-z]+\([^()]*\)) (-?[\d.]+)px (-?[\d.]+)px (-?[\d.]+)px (-?[\d.]+)px( inset)?/g;

/** @param {string} text @param {number} whole */
export const lengthOf = (text, whole) =>
  text.endsWith("%") ? (parseFloat(text) / 100) * whole : text.endsWith("px") ? parseFloat(text) : NaN;
/** @param {string} text */
export const lengthsIn = (text) => Array.from(text.matchAll(/(-?[\d.]+)px/g), ([, length]) => Math.abs(+length));
const FAR = 8; // px; a shadow farther than this from its text can be read by itself
export const castsFar = ({ textShadow }) => textShadow !== "none" && Math.max(...lengthsIn(textShadow)) > FAR;
export const blurOf = ({ filter }) =>
  filter.includes("blur(") ? Math.max(...Array.from(filter.matchAll(/blur\(([\d.]+)px/g), ([, length]) => +length)) : 0;
export const borderWidths = (style) => SIDES.map((side) => parseFloat(style[`border${side}Width`]));
export const shadowsOf = ({ boxShadow }) =>
  Array.from(boxShadow.matchAll(SHADOW), ([, tint, x, y, blur, spread, inset]) => ({
    tint, x: +x, y: +y, blur: +blur, spread: +spread, isInset: Boolean(inset),
  }));
// The parts of a background image that are not known to be missing.
export const imageOf = ({ backgroundImage }) =>
  frame.unserved.size && backgroundImage.includes("url(")
    ? backgroundImage
        .replace(/url\("([^"\\#]*)[^"\\]*"\)/g, (url, address) => (frame.unserved.has(address) ? "none" : url))
        .replace(/^none(, none)*$/, "none")
    : backgroundImage;
// Whether lines run in another direction than the document's. (Text turned away from the reader may still run along it.)
export const turns = ({ rotate, transform }) =>
  /^-?[\d.]+deg$/.test(rotate) || (/^matrix\(/.test(transform) && !/^matrix\([^,]+, 0, /.test(transform));
export const COLORS = /(?:rgba?|color|oklch|oklab|lab|lch|color-mix)\([^()]*\)/g;
// The first and the last color of a gradient; empty for pictures.
export const endsOf = (image) => {
  const colors = image.includes("url(") ? [] : Array.from(image.match(COLORS) ?? [], (text) => parseColor(text).slice(0, 3));
  return colors.length ? [colors[0], colors[colors.length - 1]] : [];
};
// By how many degrees it is turned clockwise.
export const angleOf = ({ rotate, transform }) => {
  const [across, down] = transform.startsWith("matrix(") ? lengthsOf(transform) : [1, 0];
  const turned = (Math.atan2(down, across) * 180) / Math.PI + (/^-?[\d.]+deg$/.test(rotate) ? parseFloat(rotate) : 0);
  return across < 0 && down === 0 ? 0 : turned; // Mirrored, not turned
};
const lengthsOf = (matrix) => matrix.slice(matrix.indexOf("(") + 1, -1).split(",").map(Number);
export const floats = ({ position }) => /fixed|sticky/.test(position);
export const isHorizontal = (style) => style.writingMode === "horizontal-tb";

/**
 * Returns what is made on first use.
 * @param {() => any} make
 */
export const once = (make) => {
  let made = null;
  return () => (made ??= make());
};
const canvasPen = once(() => document.createElement("canvas").getContext("2d"));
// The width of a text in a font.
export const measuredWidth = (text, font, letterSpacing = "0px") => {
  const pen = canvasPen();
  pen.font = font;
  pen.letterSpacing = letterSpacing;
  return pen.measureText(text).width;
};

export const INVISIBLE_ALPHA = 0.02;

const UNPAINTED = [0, 0, 0, 0];
export const FILLED = null; // by a gradient or a picture: not a single color
const parsedColors = new Map();
// Turns any CSS color into sRGB.
const pixelPen = once(() => Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d"));
const paint = (text) => {
  const painter = pixelPen();
  painter.clearRect(0, 0, 1, 1);
  painter.fillStyle = "#000";
  painter.fillStyle = text;
  painter.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = painter.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
};
export const parseColor = (text) => {
  let color = parsedColors.get(text);
  if (!color) {
    const parts = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
    color = parts ? [+parts[1], +parts[2], +parts[3], parts[4] === undefined ? 1 : +parts[4]] : paint(text);
    parsedColors.set(text, color);
  }
  return color;
};
export const textColor = (style, isSvg) => {
  const fill = isSvg ? style.fill : style.webkitTextFillColor;
  if (isSvg && /^(url|context)/.test(fill)) return FILLED;
  if (isSvg && fill === "none") return style.stroke === "none" ? UNPAINTED : parseColor(style.stroke);
  const color = parseColor(fill);
  if (isSvg || color[3] >= INVISIBLE_ALPHA) return color;
  return parseFloat(style.webkitTextStrokeWidth) > 0 ? parseColor(style.webkitTextStrokeColor) : color;
};
