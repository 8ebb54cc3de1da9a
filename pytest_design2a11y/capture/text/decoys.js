// What could be taken for text without being it: pictures and the like, frames, edges of plain boxes.

const KINDS = { PICTURE: 0, PAINT: 1, FRAME: 2, PLAIN: 3, LID: 4 };
const HOLDERS = new Map([
  ...["audio", "canvas", "video", "object", "embed"].map((tag) => [tag, KINDS.PICTURE]),
  ["iframe", KINDS.FRAME],
  ["frame", KINDS.FRAME],
]);
const NATIVE = new Set(
  "input select textarea button meter progress permission geolocation usermedia install login".split(" "),
);
const FAR = 8; // px; a shadow that lies farther from what casts it could be read in its own right
const MANY_SHADOWS = 6; // of one box: enough of them draw anything
const LARGE = 12; // px
const BIG = 60; // px; lines at letters of this size are as thick as those of a text
const THIN = 4; // px; what is no thicker is a line, not letters
const BROKEN_LINE = /das|dot/;
const MANY_SMALL = 20; // pseudo-elements that are small: enough of them draw anything
const MANY_PARTS = 200; // boxes of one element
const decoys = []; // [kind, x, y, width, height, from, to]
const addDecoy = (kind, place) => decoys.push([kind, ...place, 0, 0]);
let isAnywhere = false; // whether something paints where its box does not tell
let numSmall = 0;

const noteDecoy = (element, tag, style, isSvg) => {
  if (isSvg && tag !== "svg") return;
  isAnywhere ||= paintsFar(style) || paintsBeyond(element, tag, style);
  const kind = kindOf(element, tag, style);
  if (kind === null) return;
  if (kind === KINDS.PLAIN) noteEdges(element, style);
  else if (isCanvas(element) && imageOf(style) !== "none") addDecoy(kind, pageBox());
  else noteBox(kind, element);
  if (tag === "svg" && style.overflowX === "visible") for (const child of element.children) noteDrawn(kind, child);
};
const noteRect = (kind, rect) => {
  if (rect.width && rect.height) addDecoy(kind, placeOf(edges(rect)));
};
const noteBox = (kind, element) => noteRect(kind, element.getBoundingClientRect());
// What holds a picture or a document of its own.
const noteHolder = (element, tag, outer) => {
  const style = getComputedStyle(element);
  if (style.visibility !== "visible") return;
  if (findsElements && style.display !== "none" && tag !== "audio") {
    const { opacity, isTurned, clips } = outer;
    noteElement(element, tag, style, false, { clip: clipOf(style, clips), opacity: opacity * +style.opacity, isTurned });
    numWalked += 1;
  }
  isAnywhere ||= paintsFar(style) || paintsBeyond(element, tag, style);
  noteBox(HOLDERS.get(tag), element);
  if (paintsEdges(style)) noteEdges(element, style);
};
// A line is drawn beyond the box that it is the middle of.
const noteDrawn = (kind, child) => {
  const reach = parseFloat(getComputedStyle(child).strokeWidth) || 0;
  const { left, top, right, bottom, width, height } = child.getBoundingClientRect();
  if (width || height) addDecoy(kind, placeOf([left - reach, top - reach, right + reach, bottom + reach]));
};

// Each part of an element that is broken into lines or columns has edges, and so has its border's inner side, its
// outline, and each of its shadows.
const noteEdges = (element, style) => {
  const parts = Array.from(element.getClientRects());
  isAnywhere ||= parts.length > MANY_PARTS;
  for (const rect of parts.slice(0, MANY_PARTS)) {
    noteRect(KINDS.PLAIN, rect);
    if (style.borderWidth !== "0px") noteBorder(rect, style);
    if (style.outlineStyle !== "none") {
      const offset = parseFloat(style.outlineOffset);
      for (const reach of [offset, offset + parseFloat(style.outlineWidth)]) noteGrown(rect, Array(4).fill(reach));
    }
    for (const { x, y, spread, isInset } of shadowsOf(style)) {
      const reach = isInset ? -spread : spread;
      noteGrown(rect, [reach - y, reach + x, reach + y, reach - x]);
    }
  }
};
const SIDES = ["Top", "Right", "Bottom", "Left"];
const borderWidths = (style) => SIDES.map((side) => parseFloat(style[`border${side}Width`]));
// The inner edge of a border can be seen, too, and dashes and dots anywhere in it.
const noteBorder = (rect, style) => {
  const [top, right, bottom, left] = borderWidths(style);
  const inner = [rect.left + left, rect.top + top, rect.right - right, rect.bottom - bottom];
  if (isShown(inner)) addDecoy(KINDS.PLAIN, placeOf(inner));
  if (!BROKEN_LINE.test(style.borderStyle)) return;
  const strips = [
    [rect.left, rect.top, rect.right, inner[1]],
    [inner[2], rect.top, rect.right, rect.bottom],
    [rect.left, inner[3], rect.right, rect.bottom],
    [rect.left, rect.top, inner[0], rect.bottom],
  ];
  for (const strip of strips.filter(isShown)) addDecoy(KINDS.PAINT, placeOf(strip));
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
const noteGrown = (rect, [top, right, bottom, left]) => {
  const grown = [rect.left - left, rect.top - top, rect.right + right, rect.bottom + bottom];
  if (isShown(grown)) addDecoy(KINDS.PLAIN, placeOf(grown));
};
const SHADOW = /([a-z]+\([^()]*\)) (-?[\d.]+)px (-?[\d.]+)px (-?[\d.]+)px (-?[\d.]+)px( inset)?/g;
const shadowsOf = ({ boxShadow }) =>
  Array.from(boxShadow.matchAll(SHADOW), ([, tint, x, y, blur, spread, inset]) => ({
    tint, x: +x, y: +y, blur: +blur, spread: +spread, isInset: Boolean(inset),
  }));

// What the root paints, or the body where the root paints nothing, fills the page.
const isCanvas = (element) =>
  element === root || (element === document.body && rootStyle.backgroundImage === "none");
const pageBox = () => [0, 0, Math.max(root.scrollWidth, innerWidth), Math.max(root.scrollHeight, innerHeight)];

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
  if (tag === "select" && (element.multiple || element.size > 1)) return KINDS.PAINT;
  if (tag === "img") return element.naturalWidth ? KINDS.PICTURE : KINDS.PAINT;
  // Words that a drawing writes as text are read.
  if (tag === "svg") return element.querySelector("text") ? KINDS.PAINT : KINDS.PICTURE;
  if (element.type === "image") return KINDS.PICTURE;
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
  BROKEN_LINE.test(style.outlineStyle);
const paintsEdges = (style) =>
  !/^rgba\(.*, 0\)$/.test(style.backgroundColor) ||
  style.borderWidth !== "0px" ||
  style.outlineStyle !== "none" ||
  style.boxShadow !== "none";
const lengthsIn = (text) => Array.from(text.matchAll(/(-?[\d.]+)px/g), ([, length]) => Math.abs(length));
const castsFar = ({ textShadow }) => textShadow !== "none" && Math.max(...lengthsIn(textShadow)) > FAR;
const paintsFar = (style) =>
  castsFar(style) ||
  (style.filter !== "none" && /url|drop/.test(style.filter) && !(Math.max(0, ...lengthsIn(style.filter)) <= FAR)) ||
  (style.boxShadow !== "none" && style.boxShadow.split("px,").length > MANY_SHADOWS) ||
  (style.borderImageSource !== "none" && !/^[0\s]+(px)?$/.test(style.borderImageOutset)) ||
  (style.listStyleImage !== "none" && style.display.includes("list-item")) ||
  (style.columnRuleStyle !== "none" && style.columnRuleWidth !== "0px") ||
  ((style.rowRuleStyle ?? "none") !== "none" && style.rowRuleWidth !== "0px") ||
  (style.outlineStyle !== "none" && parseFloat(style.outlineOffset) < -THIN) ||
  (style.display.startsWith("table-column") && (paintsPicture(style) || paintsEdges(style))) ||
  (style.borderCollapse === "collapse" && style.borderWidth !== "0px" && Math.max(...borderWidths(style)) > 2 * THIN) ||
  style.textEmphasisStyle !== "none" ||
  style.hyphenateCharacter !== "auto" ||
  style.appearance === "base-select" ||
  style.webkitBoxReflect !== "none" ||
  decoratesThickly(style);
// Lines thick enough to be taken for those of a text.
const decoratesThickly = (style) =>
  style.textDecorationLine !== "none" &&
  (style.textDecorationStyle === "wavy" ||
    Math.max(0, ...lengthsIn(`${style.textDecorationThickness} ${style.textUnderlineOffset}`)) > THIN ||
    /%|from-font/.test(style.textDecorationThickness + style.textUnderlineOffset) ||
    parseFloat(style.fontSize) > BIG ||
    document.fonts.size > 0);
// Pictures are cut off at their box, where nobody says otherwise.
const FITTED = /^(fill|contain)$/;
const paintsBeyond = (element, tag, style) => {
  if (tag === "svg") return style.overflowX === "visible" ? drawsBeyond(element) : isWide(style);
  if (!PICTURED.has(tag) && !/url\(|image-set|gradient/.test(style.content)) return false;
  const isCut = style.overflowX === "hidden" || (style.overflowX === "clip" && !isWide(style));
  return !isCut && !(FITTED.test(style.objectFit) && style.objectPosition === "50% 50%");
};
const PICTURED = new Set("img canvas video object embed iframe input".split(" "));
const isWide = (style) =>
  style.overflowX === "clip" && Math.max(0, ...lengthsIn(style.overflowClipMargin)) > 0;
const drawsBeyond = (svg) =>
  Array.from(svg.querySelectorAll("*")).some((element) => {
    const style = getComputedStyle(element);
    return (
      style.filter !== "none" ||
      [style.markerStart, style.markerMid, style.markerEnd].some((marker) => marker !== "none") ||
      style.stroke.startsWith("url") ||
      (element.localName === "svg" && isWide(style))
    );
  });
const thicknessAt = (side, style) => parseFloat(style[`border${side}Width`]) + (parseFloat(style[`padding${side}`]) || 0);
const outlineReach = (style) =>
  style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth) + Math.abs(parseFloat(style.outlineOffset));
// Where a pseudo-element lies is beyond scripts.
const noteGenerated = (style) => {
  const reach = 2 * Math.max(0, ...lengthsIn(style.boxShadow), outlineReach(style));
  const [top, right, bottom, left] = SIDES.map((side) => thicknessAt(side, style));
  const [width, height] = [parseFloat(style.width) + left + right + reach, parseFloat(style.height) + top + bottom + reach];
  // An inline one does not tell how large it is.
  const isLetter = paintsEdges(style) && !(width <= THIN) && !(height <= THIN);
  if (isLetter) numSmall += 1;
  const isLarge = isLetter && !(Math.max(width, height) <= LARGE);
  isAnywhere ||= paintsPicture(style) || BROKEN_LINE.test(style.borderStyle);
  isAnywhere ||= paintsFar(style) || isLarge || numSmall > MANY_SMALL;
};

// Whether lines run another way than the document's. (Text that is turned away from the reader may still run its way.)
const turns = ({ rotate, transform }) =>
  /^-?[\d.]+deg$/.test(rotate) || (/^matrix\(/.test(transform) && !/^matrix\([^,]+, 0, /.test(transform));
// Whether an element may paint its text otherwise than the style and the boxes of the text say: not at all, say.
const ROUND = 32; // px; corners that cut off letters
const hasEffect = (element, tag, style) =>
  style.filter !== "none" ||
  style.clipPath !== "none" ||
  style.clip !== "auto" ||
  style.maskImage !== "none" ||
  (style.webkitMaskBoxImageSource ?? "none") !== "none" ||
  style.mixBlendMode !== "normal" ||
  style.backfaceVisibility === "hidden" ||
  parseInt(style.zIndex) < 0 ||
  style.contentVisibility !== "visible" ||
  /paint|strict|content/.test(style.contain) ||
  style.transform.startsWith("matrix3d") ||
  style.rotate !== "none" ||
  turns(style) ||
  style.webkitTextStrokeWidth !== "0px" ||
  style.fontPalette !== "normal" ||
  (style.borderShape ?? "none") !== "none" ||
  mayLoseAnchor(style) ||
  (style.overflowX !== "visible" && isRound(style)) ||
  (tag === "details" && hidesContent(element));
const ARC = "superellipse(1)"; // the usual shape of a corner
const isRound = ({ borderRadius, cornerShape = ARC }) =>
  borderRadius.includes("%") || Math.max(0, ...lengthsIn(borderRadius)) > (cornerShape === ARC ? ROUND : 0);
// What is placed by an anchor is not painted where that is out of sight, or where there is no room.
const mayLoseAnchor = ({ position, positionVisibility, positionAnchor, positionArea }) =>
  /absolute|fixed/.test(position) &&
  positionVisibility !== "always" &&
  (positionVisibility !== "anchors-visible" || positionAnchor.startsWith("--") || positionArea !== "none");
const hidesContent = (details) => {
  const style = getComputedStyle(details, "::details-content");
  return +style.opacity < 1 || hasEffect(details, "", style);
};
const blurOf = ({ filter }) =>
  filter.includes("blur(") ? Math.max(...Array.from(filter.matchAll(/blur\(([\d.]+)px/g), ([, length]) => +length)) : 0;
// Blanks show nothing but lines under, over or through them.
const noteBlank = (node) => {
  range.selectNodeContents(node);
  for (const rect of range.getClientRects()) noteRect(KINDS.PAINT, rect);
};
// A font of the page's may draw letters that are higher than it says.
const noteTooLow = (style) => {
  isAnywhere ||= document.fonts.size > 0 && parseFloat(style.fontSize) >= LEAST_HEIGHT;
};
const hasHighlights = () => getSelection()?.isCollapsed === false || CSS.highlights.size > 0;
