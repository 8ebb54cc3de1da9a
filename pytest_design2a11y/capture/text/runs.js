// Text nodes become runs; text without a break between continues a run.

const runs = [];
const owners = new Map();
const scrolled = isMain ? [scrollX, scrollY] : [0, 0];
const markers = new Map(); // by owner: the list item's marker, until a run of the item takes it
const range = document.createRange();
let previous = null; // the run that text without a break before it continues

const breakRun = () => {
  previous = null;
};
const ownerNumber = (key) => {
  if (!owners.has(key)) owners.set(key, firstOwner + owners.size);
  return owners.get(key);
};

const isShown = (box) => box[2] - box[0] > 0.5 && box[3] - box[1] > 0.5;
// Text of less height than this (px) is not read by anybody.
const LEAST_HEIGHT = 6;
const isHorizontal = (style) => style.writingMode === "horizontal-tb";
const isLegible = (rect, style) =>
  rect.width > 0 && rect.height > 0 && (isHorizontal(style) ? rect.height : rect.width) >= LEAST_HEIGHT;
// Nor is text that is drawn as blots, blurred, or with its letters pressed into each other. Of the size of its font;
// then of its height.
const BLOTTED = 0.12;
const BLURRED = 0.2;
const PRESSED = 0.12;
const FEW_PRESSED = 4;
const isSmeared = (node, rects, { style, blur, isTurned }) => {
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
const visibleBoxes = (rects, clip) => {
  const boxes = Array.from(rects, (rect) => intersect(edges(rect), clip));
  return boxes.filter(isShown);
};
const placeOf = (box) => [box[0] + scrolled[0], box[1] + scrolled[1], box[2] - box[0], box[3] - box[1]];
// A line stays one box where a comment or tag divides its text.
const extend = (boxes, places) => {
  const last = boxes[boxes.length - 1];
  const [x, y, width, height] = places[0];
  const continues = Math.abs(last[0] + last[2] - x) < 0.05 && last[1] === y && last[3] === height;
  if (continues) last[2] = x + width - last[0];
  boxes.push(...places.slice(continues ? 1 : 0));
};
const isSameTint = (one, other) =>
  one === other || (one && other && one.every((part, at) => part === other[at]));
// Text of less than that may be hidden, and the ink where it lies another's.
const PLAIN_ALPHA = 0.5;
const addRun = (text, boxes, color, opacity, owner, continues, origin, drawn = []) => {
  const alpha = (color ? color[3] : 1) * opacity;
  if (!boxes.length || alpha < INVISIBLE_ALPHA) return false;
  const isPlain = origin.isPlain && alpha >= PLAIN_ALPHA;
  if (!color && !isPlain && origin.isMarked) return false;
  const places = boxes.map(placeOf);
  const tint = color && [color[0], color[1], color[2], alpha];
  const unaudited = origin.isAudited ? 0 : text.replace(/\s/g, "").length;
  const marker = markers.get(owner);
  const marks = marker?.color === color ? marker.places : [];
  markers.delete(owner);
  places.unshift(...marks);
  if (continues && previous && previous[3] === owner && isSameTint(previous[2], tint)) {
    previous[0] += text;
    extend(previous[1], places);
    previous[5].add(origin.element);
    previous[6] += unaudited;
    previous[8].push(...marks);
    previous[9] &&= isPlain;
    previous[11] = origin.order;
  } else {
    previous = [text, places, tint, owner, color, new Set([origin.element]), unaudited, null];
    previous.push([...marks], isPlain, origin.order, origin.order, new Map(), origin.paragraph);
    runs.push(previous);
  }
  noteFontOf(previous[12], origin, text, drawn);
  words.shown += countWords(text);
  return true;
};

// What the published metric takes of a run: with the first of a listed element, the text nodes that it owns as they
// stand in the source, shown or not; and whether a colour that the element is given colours the run.
const MOST_SOURCE = 1_000_000; // characters of a page
const sourced = new Set();
let sourceLeft = MOST_SOURCE;
const sourceTexts = (element) =>
  Array.from(element.childNodes).flatMap((child) => {
    if (child.nodeType === Node.TEXT_NODE) return child.data.trim() || [];
    const isElement = child.nodeType === Node.ELEMENT_NODE;
    return isElement && !LISTED.has(child.localName) && !NOT_TEXT.has(child.localName) ? sourceTexts(child) : [];
  });
const readSource = (element) => {
  const text = sourceTexts(element).join(" ").slice(0, sourceLeft);
  sourceLeft -= text.length;
  sourced.add(element);
  return text;
};
const noteSource = ({ style, isSvg, listed, listedStyle }) => {
  if (!listed || !isMain || isSvg) return;
  const text = sourced.has(listed) ? "" : readSource(listed);
  const { color } = listedStyle;
  const isRecolored = style.webkitTextFillColor === color && (style === listedStyle || style.color === color);
  previous[7] = [(previous[7]?.[0] ?? "") + text, isRecolored || (previous[7]?.[1] ?? false)];
};

const transformText = (text, style) => {
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
// A style sheet can have discs painted for letters.
const paintedText = (text, style) =>
  style.webkitTextSecurity === "none" ? transformText(text, style) : text.trim().replace(/./gsu, "•");
// The words of a partly clipped text node of which at least half is visible.
const visibleWords = (node, clip) => {
  const kept = [];
  for (const word of node.data.matchAll(/\S+/g)) {
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    const rect = range.getBoundingClientRect();
    const box = intersect(edges(rect), clip);
    if (isShown(box) && (box[2] - box[0]) * (box[3] - box[1]) >= 0.5 * rect.width * rect.height)
      kept.push(word[0]);
  }
  return kept.join(" ");
};
const isInside = (rect, clip) =>
  rect.left >= clip[0] - 1 &&
  rect.top >= clip[1] - 1 &&
  rect.right <= clip[2] + 1 &&
  rect.bottom <= clip[3] + 1;

const readTextNode = (node, context) => {
  if (!/\S/.test(node.data)) {
    if (previous && /\s/.test(node.data)) previous[0] += " ";
    if (context.isDecorated) noteBlank(node);
    return;
  }
  const shown = words.shown;
  readShownText(node, context);
  words.hidden += Math.max(countWords(node.data) - (words.shown - shown), 0);
};
const readShownText = (node, context) => {
  const { style } = context;
  if (style.visibility !== "visible") return;
  range.selectNodeContents(node);
  const painted = [...range.getClientRects()];
  const rects = painted.filter((rect) => isLegible(rect, style));
  if (rects.length < painted.length) noteTooLow(style);
  const clip = context.clips.flow;
  const boxes = visibleBoxes(rects, clip);
  if (!boxes.length) return;
  const text = rects.every((rect) => isInside(rect, clip)) ? node.data : visibleWords(node, clip);
  if (!text) return;
  if (isSmeared(node, rects, context) || isIllegible(style, text)) {
    for (const rect of rects) noteRect(KINDS.PAINT, rect);
    return;
  }
  const own = textColor(style, context.isSvg);
  const color = own && own[3] < INVISIBLE_ALPHA && context.isPictureText ? FILLED : own;
  const shown = paintedText(text, style);
  const drawn = drawnLetters(node, style);
  if (!addRun(shown, boxes, color, context.opacity, context.owner(), true, context, drawn)) return;
  noteFont(node, style, text);
  noteSource(context);
};
