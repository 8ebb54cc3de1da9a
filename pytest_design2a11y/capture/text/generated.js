// Text and marks that a style sheet generates: ::before, ::after, list markers.

const pseudos = [];
const FEW_MARKS = 3; // characters that are not letters
const PARTS = ["before", "after"];
const hasMarks = (element) =>
  PARTS.some((part) => !/^(none|normal|"")$/.test(getComputedStyle(element, `::${part}`).content));
const generatedText = new Map(); // by element: which of its parts are text

// Markers of a few characters at most; others could be words, or paint over them.
const SHORT_MARKER =
  /^(none|disc|circle|square|decimal(-leading-zero)?|(lower|upper)-(alpha|latin|roman)|lower-greek|disclosure-(open|closed)|".{0,3}")$/u;
// Where the bullet or number of a list item can lie: it is ink of the item's own text.
const noteMarker = (element, tag, context) => {
  const { style } = context;
  const own = getComputedStyle(element, "::marker");
  if (style.listStyleType === "none" && style.listStyleImage === "none" && own.content === "normal") return;
  isAnywhere ||= own.content !== "normal" || !SHORT_MARKER.test(style.listStyleType);
  const [left, top, right] = contentEdges(element, style);
  const isInside = style.listStylePosition === "inside";
  const outer = element.getBoundingClientRect();
  const boxOf = (reach, line) =>
    style.direction === "rtl"
      ? [isInside ? right - reach : right, top, isInside ? right : outer.right + reach, top + line]
      : [isInside ? left : outer.left - reach, top, isInside ? left + reach : left, top + line];
  const size = Math.max(parseFloat(style.fontSize), parseFloat(own.fontSize));
  addDecoy(KINDS.LID, placeOf(boxOf(4 * size, 2 * size)));
  if (findsElements && style.listStyleImage !== "none") noteMarkerPicture(intersect(boxOf(4 * size, outer.bottom - top), context.outerClip));
  if (tag !== "li" || style.display !== "list-item") return;
  const reach = 2 * parseFloat(style.fontSize) + 8;
  const line = parseFloat(style.lineHeight) || 1.5 * parseFloat(style.fontSize);
  const seen = intersect(boxOf(reach, line), context.clips.flow);
  if (!isShown(seen)) return;
  markers.set(ownerNumber(element), { places: [placeOf(seen)], color: textColor(own, false) });
};

// Text that a style sheet puts before or after an element's own.
const readPseudo = (element, tag, kind, context) => {
  const style = getComputedStyle(element, "::" + kind);
  if (style.content === "none" || style.content === "normal" || style.display === "none") return;
  if (style.visibility === "visible") noteGenerated(style);
  noteGeneratedBox(tag, kind, style, context, clipOf(style, context.clips));
  if (!/"[^"]*[^"\s][^"]*"|counter|quote/.test(style.content)) return;
  pseudos.push([kind, tag]);
  const found = generated?.[pseudos.length - 1];
  if (!found || style.visibility !== "visible") return;
  const rects = found[1].map(([x, y, width, height]) => {
    const [left, top] = [x - scrolled[0], y - scrolled[1]];
    return { left, top, right: left + width, bottom: top + height };
  });
  const boxes = visibleBoxes(rects, clipOf(style, context.clips));
  const color = textColor(style, false);
  if (boxes.length) noteFont(element, style, found[0]);
  if (!/[\p{L}\p{N}\p{Sc}%]/u.test(found[0])) {
    addDecoration(kind, boxes, color, context.owner());
    if (found[0].length > FEW_MARKS) for (const box of boxes) addDecoy(KINDS.PAINT, placeOf(box));
    return;
  }
  generatedText.set(element, (generatedText.get(element) ?? new Set()).add(kind));
  const isInline = style.display === "inline";
  if (!isInline) breakRun();
  const origin = { ...context, style, isAudited: false, isPlain: context.isPlain && !hasEffect(element, "", style) };
  const opacity = context.opacity * +style.opacity;
  addRun(transformText(found[0], style), boxes, color, opacity, context.owner(), true, origin);
  if (!isInline) breakRun();
};
// Bullets, arrows, separators: like a list marker, ink of the text that they stand at, but not text.
const addDecoration = (kind, boxes, color, owner) => {
  const places = boxes.map(placeOf);
  if (kind === "before")
    markers.set(owner, { places: [...(markers.get(owner)?.places ?? []), ...places], color });
  else if (previous?.[3] === owner && previous[4] === color) {
    previous[1].push(...places);
    previous[8].push(...places);
  }
};
