// Which colour text is painted in: sRGB and alpha.

export const INVISIBLE_ALPHA = 0.02;

const UNPAINTED = [0, 0, 0, 0];
export const FILLED = null; // by a gradient or a picture: no one colour
const parsedColors = new Map();
/** @type {any} */
let painter = null; // turns any CSS colour into sRGB
const paint = (text) => {
  painter ??= Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
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
