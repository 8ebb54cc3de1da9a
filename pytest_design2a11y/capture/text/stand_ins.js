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
// The inner edge of a border can be seen, too.
const noteBorder = (rect, style) => {
  const [top, right, bottom, left] = ["Top", "Right", "Bottom", "Left"].map((side) => parseFloat(style[`border${side}Width`]));
  const inner = [rect.left + left, rect.top + top, rect.right - right, rect.bottom - bottom];
  if (isShown(inner)) standIns.push([KINDS.PLAIN, ...placeOf(inner)]);
};
const loaded = new Map();
for (const { name, responseStatus } of performance.getEntriesByType("resource")) loaded.set(name, responseStatus < 400);
const isLoaded = (background) =>
  Array.from(background.matchAll(/url\("([^"]*)"\)/g)).some(
    ([, address]) => !loaded.size || /^(data|blob):/.test(address) || loaded.get(address),
  );
const kindOf = (element, tag, style) => {
  if (tag === "img") return element.naturalWidth ? KINDS.PICTURE : KINDS.PAINT;
  if (tag === "svg" || element.type === "image") return KINDS.PICTURE;
  isAnywhere ||= paintsFar(style);
  if (isLoaded(style.backgroundImage)) return KINDS.PICTURE;
  if (paintsPicture(style)) return KINDS.PAINT;
  return NATIVE.has(tag) || paintsEdges(style) ? KINDS.PLAIN : null;
};
const paintsPicture = (style) =>
  style.backgroundImage !== "none" ||
  style.borderImageSource !== "none" ||
  style.maskImage !== "none" ||
  style.clipPath !== "none" ||
  style.mixBlendMode !== "normal" ||
  style.backdropFilter !== "none" ||
  /url\(|image-set|gradient/.test(style.content) ||
  /das|dot/.test(style.borderStyle + style.outlineStyle);
const paintsEdges = (style) =>
  !style.backgroundColor.endsWith(", 0)") || style.borderWidth !== "0px" || style.outlineStyle !== "none";
const lengthsIn = (text) => Array.from(text.matchAll(/(-?[\d.]+)px/g), ([, length]) => Math.abs(length));
const paintsFar = (style) =>
  (style.textShadow !== "none" && Math.max(...lengthsIn(style.textShadow)) > FAR) ||
  (style.filter !== "none" && /url|drop/.test(style.filter) && !(Math.max(0, ...lengthsIn(style.filter)) <= FAR)) ||
  (style.boxShadow !== "none" && style.boxShadow.split("px,").length > MANY_SHADOWS) ||
  style.webkitBoxReflect !== "none";
// Where a pseudo-element lies is beyond scripts.
const noteGenerated = (style) => {
  const isLarge = parseFloat(style.width) > LARGE && parseFloat(style.height) > LARGE;
  isAnywhere ||= paintsPicture(style) || paintsFar(style) || (isLarge && paintsEdges(style));
};
