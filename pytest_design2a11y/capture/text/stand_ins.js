// What could be taken for text without being it: pictures and the like, frames, edges of plain boxes.

const KINDS = { PICTURE: 0, PAINT: 1, FRAME: 2, PLAIN: 3 };
const HOLDERS = new Map([
  ...["canvas", "video", "object", "embed"].map((tag) => [tag, KINDS.PICTURE]),
  ["iframe", KINDS.FRAME],
  ["frame", KINDS.FRAME],
]);
const NATIVE = new Set("input select textarea button meter progress".split(" "));
const FAR = 16; // px; a shadow that lies farther from what casts it could be read in its own right
const MANY_SHADOWS = 6; // of one box: enough of them draw anything
const LARGE = 8; // px
const THIN = 4; // px
const BROKEN_LINE = /das|dot/;
const standIns = []; // [kind, x, y, width, height]
let isAnywhere = false; // whether something paints where its box does not tell

const noteStandIn = (element, tag, style, isSvg) => {
  if (isSvg && tag !== "svg") return;
  const kind = kindOf(element, tag, style);
  if (kind === null) return;
  const rect = noteBox(kind, element);
  if (kind === KINDS.PLAIN && style.borderWidth !== "0px") noteBorder(rect, style);
  if (tag === "svg" && style.overflowX === "visible")
    for (const child of element.children) noteBox(kind, child);
};
const noteBox = (kind, element) => {
  const rect = element.getBoundingClientRect();
  if (rect.width && rect.height) standIns.push([kind, ...placeOf(edges(rect))]);
  return rect;
};
const SIDES = ["Top", "Right", "Bottom", "Left"];
const borderWidths = (style) => SIDES.map((side) => parseFloat(style[`border${side}Width`]));
// The inner edge of a border can be seen, too, and dashes and dots anywhere in it.
const noteBorder = (rect, style) => {
  const [top, right, bottom, left] = borderWidths(style);
  const inner = [rect.left + left, rect.top + top, rect.right - right, rect.bottom - bottom];
  if (isShown(inner)) standIns.push([KINDS.PLAIN, ...placeOf(inner)]);
  if (!BROKEN_LINE.test(style.borderStyle)) return;
  const strips = [
    [rect.left, rect.top, rect.right, inner[1]],
    [inner[2], rect.top, rect.right, rect.bottom],
    [rect.left, inner[3], rect.right, rect.bottom],
    [rect.left, rect.top, inner[0], rect.bottom],
  ];
  for (const strip of strips.filter(isShown)) standIns.push([KINDS.PAINT, ...placeOf(strip)]);
};
// Whether a border lies where its box and its width say, and is too thin to be read.
const isThinFrame = (element, style) => {
  const rects = element.getClientRects();
  return (
    Math.max(...borderWidths(style)) <= THIN &&
    style.borderRadius === "0px" &&
    rects.length === 1 &&
    Math.abs(rects[0].width - element.offsetWidth) < 1 &&
    Math.abs(rects[0].height - element.offsetHeight) < 1
  );
};
const loaded = new Map();
for (const { name, responseStatus } of performance.getEntriesByType("resource")) loaded.set(name, responseStatus < 400);
const isLoaded = (background) =>
  Array.from(background.matchAll(/url\("([^"]*)"\)/g)).some(
    ([, address]) => !loaded.size || /^(data|blob):/.test(address) || loaded.get(address),
  );
// What of a background is not known to be missing.
const missing = new Set(unserved);
const imageOf = ({ backgroundImage }) =>
  missing.size && backgroundImage.includes("url(")
    ? backgroundImage
        .replace(/url\("([^"\\#]*)[^"\\]*"\)/g, (url, address) => (missing.has(address) ? "none" : url))
        .replace(/^none(, none)*$/, "none")
    : backgroundImage;
const kindOf = (element, tag, style) => {
  if (tag === "img") return element.naturalWidth ? KINDS.PICTURE : KINDS.PAINT;
  if (tag === "svg" || element.type === "image") return KINDS.PICTURE;
  isAnywhere ||= paintsFar(style);
  if (isLoaded(imageOf(style))) return KINDS.PICTURE;
  if (paintsPicture(style)) return KINDS.PAINT;
  if (BROKEN_LINE.test(style.borderStyle) && !isThinFrame(element, style)) return KINDS.PAINT;
  return NATIVE.has(tag) || paintsEdges(style) ? KINDS.PLAIN : null;
};
const paintsPicture = (style) =>
  imageOf(style) !== "none" ||
  style.borderImageSource !== "none" ||
  style.maskImage !== "none" ||
  style.clipPath !== "none" ||
  style.mixBlendMode !== "normal" ||
  style.backdropFilter !== "none" ||
  /url\(|image-set|gradient/.test(style.content) ||
  BROKEN_LINE.test(style.outlineStyle) ||
  style.columnRuleStyle !== "none";
const paintsEdges = (style) =>
  !style.backgroundColor.endsWith(", 0)") ||
  style.borderWidth !== "0px" ||
  style.outlineStyle !== "none" ||
  style.boxShadow !== "none";
const lengthsIn = (text) => Array.from(text.matchAll(/(-?[\d.]+)px/g), ([, length]) => Math.abs(length));
const paintsFar = (style) =>
  (style.textShadow !== "none" && Math.max(...lengthsIn(style.textShadow)) > FAR) ||
  (style.filter !== "none" && /url|drop/.test(style.filter) && !(Math.max(0, ...lengthsIn(style.filter)) <= FAR)) ||
  (style.boxShadow !== "none" && style.boxShadow.split("px,").length > MANY_SHADOWS) ||
  style.webkitBoxReflect !== "none";
// Where a pseudo-element lies is beyond scripts.
const noteGenerated = (style) => {
  const isLarge = parseFloat(style.width) > LARGE && parseFloat(style.height) > LARGE;
  isAnywhere ||= paintsPicture(style) || BROKEN_LINE.test(style.borderStyle) || paintsFar(style) || (isLarge && paintsEdges(style));
};
