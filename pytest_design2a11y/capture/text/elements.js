// What a page shows besides its text, as far as layout and styles tell where to look. Whether it is there, pixels say.
//
// A candidate is [kind, tag, box, inner, outer, blur, radius, isLoose, first, end, pseudo]: box [x, y, width, height] as
// a run's boxes are, clipped; inner and outer: how far lines reach into it and out of it, by side (top, right, bottom,
// left), px; blur: how far a shadow reaches; isLoose: whether its outline is not that of its box; first, end: the
// elements in it, by their order; pseudo: which of `generatedBoxes` it is, whose box is beyond scripts, or -1.

const LOOKS = { PICTURE: 0, GROUND: 1, BOX: 2, CONTROL: 3 };
const FAINT = 0.05; // less opaque than this, nobody sees it
const MOST_PARTS = 50; // of an element that is broken into lines
const candidates = [];
const generatedBoxes = []; // [part, tag of the element, what clips it] of each ::before and ::after

const NONE = [0, 0, 0, 0];
const REPLACED_LOOKS = new Set("canvas video object embed iframe frame".split(" "));
const PAINTS_URL = /url\(|image-set|cross-fade|element\(/;
// What paints next to nothing is nowhere, however much shows through it.
const isBare = (tint) => parseColor(tint)[3] < FAINT;
const TINT = /(?:rgba?|color|oklch|oklab|lab|lch|color-mix)\([^()]*\)/g;
const paintsImage = (image) => image !== "none" && (PAINTS_URL.test(image) || !image.match(TINT)?.every(isBare));
// Beside widgets that style sheets say nothing of, native controls are what these make of them.
const WIDGETS = /^(checkbox|radio|range|color|file)$/;
const isWidget = (element, tag) => /^(progress|meter)$/.test(tag) || (tag === "input" && WIDGETS.test(element.type));

const lookOf = (element, tag, style, isSvg) => {
  if (isSvg) return tag === "svg" ? LOOKS.PICTURE : null;
  if (tag === "img") return element.naturalWidth ? LOOKS.PICTURE : boxLook(style);
  if (REPLACED_LOOKS.has(tag) || (tag === "input" && element.type === "image")) return LOOKS.PICTURE;
  if (PAINTS_URL.test(style.content)) return LOOKS.PICTURE;
  // What the root paints, or the body where the root paints nothing, is the ground of the page.
  const isGround = element === root || (element === document.body && isBare(rootStyle.backgroundColor) && rootStyle.backgroundImage === "none");
  if (!isGround && PAINTS_URL.test(imageOf(style))) return LOOKS.GROUND;
  const isNative = NATIVE.has(tag) && style.appearance !== "none";
  const look = boxLook(style, isGround);
  return isNative && (look !== null || isWidget(element, tag)) ? LOOKS.CONTROL : look;
};
const paintedBorders = (style) =>
  SIDES.map((side) => (style.borderWidth === "0px" || isBare(style[`border${side}Color`]) ? 0 : parseFloat(style[`border${side}Width`])));
const hasOutline = (style) => style.outlineStyle !== "none" && !isBare(style.outlineColor);
const boxLook = (style, isGround = false) =>
  (!isGround && (!isBare(style.backgroundColor) || paintsImage(style.backgroundImage))) ||
  paintedBorders(style).some((width) => width > 0) ||
  hasOutline(style) ||
  paintedShadows(style).length ||
  paintsImage(style.borderImageSource)
    ? LOOKS.BOX
    : null;

const FAINT_SHADOW = 0.02;
const paintedShadows = (style) =>
  style.boxShadow === "none" ? [] : shadowsOf(style).filter(({ tint }) => parseColor(tint)[3] >= FAINT_SHADOW);
// How far borders, outlines and sharp shadows reach in and out, and blurred shadows.
const reachesOf = (style, isDrawnByBrowser = false) => {
  const inner = paintsImage(style.borderImageSource) ? borderWidths(style) : paintedBorders(style);
  const outer = [...NONE];
  let blurred = 0;
  for (const { x, y, blur, spread, isInset } of paintedShadows(style)) {
    const sides = [spread - y, spread + x, spread + y, spread - x];
    // Inside, a shadow that is moved down is seen at the top.
    if (isInset && blur < 2) sides.forEach((reach, at) => (inner[(at + 2) % 4] = Math.max(inner[(at + 2) % 4], reach)));
    else if (!isInset && blur < 2) sides.forEach((reach, at) => (outer[at] = Math.max(outer[at], reach)));
    else if (!isInset) blurred = Math.max(blurred, blur + Math.max(...sides));
  }
  if (hasOutline(style)) {
    const [width, offset] = [parseFloat(style.outlineWidth), parseFloat(style.outlineOffset)];
    const lines = offset < 0 ? inner : outer;
    lines.forEach((reach, at) => (lines[at] = Math.max(reach, Math.abs(offset) + (offset < 0 ? 0 : width))));
  }
  if (/drop-shadow/.test(style.filter)) blurred = Math.max(blurred, ...lengthsIn(style.filter));
  if (isDrawnByBrowser) inner.forEach((reach, at) => (inner[at] = Math.max(reach, 1)));
  return [inner, outer, blurred];
};
const cornerOf = ({ borderTopLeftRadius, borderBottomRightRadius, clipPath }, width, height) => {
  if (/^(circle|ellipse)/.test(clipPath)) return Math.min(width, height) / 2;
  const least = Math.min(width, height);
  return Math.max(...[borderTopLeftRadius, borderBottomRightRadius].map((one) => lengthOf(one.split(" ")[0], least) || 0));
};
const nameOf = (element, tag) => (tag === "input" ? `input[type=${element.type}]` : tag);

const noteElement = (element, tag, style, isSvg, { clip, opacity, isTurned }) => {
  if (opacity < FAINT || style.display === "contents") return;
  const look = lookOf(element, tag, style, isSvg);
  if (look === null) return;
  const parts = style.display === "inline" && look >= LOOKS.BOX ? Array.from(element.getClientRects()).slice(0, MOST_PARTS) : [element.getBoundingClientRect()];
  const shape = style.clipPath === "none" && style.clip === "auto" ? null : shapeEdges(style, edges(parts[0] ?? element.getBoundingClientRect()));
  const [inner, outer, blurred] = reachesOf(style, look === LOOKS.CONTROL && isWidget(element, tag));
  for (const rect of parts) {
    const whole = edges(rect);
    const seen = intersect(shape ? intersect(whole, shape) : whole, clip);
    if (!isShown(seen)) continue;
    // What is cut off ends without a border.
    const isCut = [seen[1] > whole[1] + 0.5, seen[2] < whole[2] - 0.5, seen[3] < whole[3] - 0.5, seen[0] > whole[0] + 0.5];
    const kept = (reaches) => reaches.map((reach, at) => (isCut[at] ? 0 : reach));
    const radius = element.type === "radio" ? rect.width / 2 : cornerOf(style, rect.width, rect.height);
    const isLoose = isTurned || turns(style) || /^(polygon|path|url)/.test(style.clipPath) || style.maskImage !== "none";
    candidates.push([look, nameOf(element, tag), placeOf(seen), kept(inner), kept(outer), blurred, radius, isLoose, numWalked, numWalked, -1]);
  }
};
const noteMarkerPicture = (box) => candidates.push([LOOKS.PICTURE, "li::marker", placeOf(box), NONE, NONE, 0, 0, false, numWalked, ++numWalked, -1]);
// A part's box is looked up in the layout, by its place among all parts.
const noteGeneratedBox = (tag, part, style, context, clip) => {
  if (!findsElements) return;
  const isShownPart = style.visibility === "visible" && context.opacity * +style.opacity >= FAINT;
  const look = PAINTS_URL.test(style.content) ? LOOKS.PICTURE : PAINTS_URL.test(imageOf(style)) ? LOOKS.GROUND : boxLook(style);
  const [width, height] = [parseFloat(style.width), parseFloat(style.height)];
  generatedBoxes.push([part, tag, placeOf(clip)]);
  if (!isShownPart || look === null || width === 0 && height === 0 && style.borderWidth === "0px") return;
  const [inner, outer, blurred] = reachesOf(style);
  const radius = cornerOf(style, width || 0, height || 0);
  const isLoose = context.isTurned || turns(style) || style.clipPath !== "none" || style.maskImage !== "none";
  candidates.push([look, `${tag}::${part}`, NONE, inner, outer, blurred, radius, isLoose, numWalked, ++numWalked, generatedBoxes.length - 1]);
};

// The largest, where there are more than are looked at; in document order.
const MOST_CANDIDATES = 5000;
const largestCandidates = () => {
  if (candidates.length <= MOST_CANDIDATES) return candidates;
  const areas = candidates.map(([, , [, , width, height]]) => width * height);
  const order = candidates.map((_, at) => at).sort((one, other) => areas[other] - areas[one] || one - other);
  return order.slice(0, MOST_CANDIDATES).sort((one, other) => one - other).map((at) => candidates[at]);
};
