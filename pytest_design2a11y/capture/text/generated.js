// Text and marks that a style sheet generates: ::before, ::after, list markers.

const pseudos = [];

// Where the bullet or number of a list item can lie: it is ink of the item's own text.
const noteMarker = (element, context) => {
  const { style } = context;
  if (style.display !== "list-item" || (style.listStyleType === "none" && style.listStyleImage === "none"))
    return;
  const [left, top, right] = contentEdges(element, style);
  const reach = 2 * parseFloat(style.fontSize) + 8;
  const line = parseFloat(style.lineHeight) || 1.5 * parseFloat(style.fontSize);
  const isInside = style.listStylePosition === "inside";
  const outer = element.getBoundingClientRect();
  const box =
    style.direction === "rtl"
      ? [isInside ? right - reach : right, top, isInside ? right : outer.right + reach, top + line]
      : [isInside ? left : outer.left - reach, top, isInside ? left + reach : left, top + line];
  const seen = intersect(box, context.clips.flow);
  if (!isShown(seen)) return;
  markers.set(ownerNumber(element), {
    places: [placeOf(seen)],
    color: textColor(getComputedStyle(element, "::marker"), false),
  });
};

// Text that a style sheet puts before or after an element's own.
const readPseudo = (element, tag, kind, context) => {
  const style = getComputedStyle(element, "::" + kind);
  if (style.content === "none" || style.content === "normal" || style.display === "none") return;
  if (style.visibility === "visible") noteGenerated(style);
  if (!/"[^"]*[^"\s][^"]*"|counter|quote/.test(style.content)) return;
  pseudos.push([kind, tag]);
  const found = generated?.[pseudos.length - 1];
  if (!found || style.visibility !== "visible") return;
  const rects = found[1].map(([x, y, width, height]) => {
    const [left, top] = [x - scrolled[0], y - scrolled[1]];
    return { left, top, right: left + width, bottom: top + height };
  });
  const { absolute, fixed, flow } = context.clips;
  const clip = style.position === "fixed" ? fixed : style.position === "absolute" ? absolute : flow;
  const boxes = visibleBoxes(rects, clip);
  const color = textColor(style, false);
  if (boxes.length) noteFont(element, style, found[0]);
  if (!/[\p{L}\p{N}\p{Sc}%]/u.test(found[0])) {
    addDecoration(kind, boxes, color, context.owner());
    return;
  }
  const isInline = style.display === "inline";
  if (!isInline) breakRun();
  addRun(
    transformText(found[0], style),
    boxes,
    color,
    context.opacity * +style.opacity,
    context.owner(),
    true,
    { element, isAudited: false },
  );
  if (!isInline) breakRun();
};
// Bullets, arrows, separators: like a list marker, ink of the text that they stand at, but not text.
const addDecoration = (kind, boxes, color, owner) => {
  const places = boxes.map(placeOf);
  if (kind === "before")
    markers.set(owner, { places: [...(markers.get(owner)?.places ?? []), ...places], color });
  else if (previous?.[3] === owner && previous[4] === color) previous[1].push(...places);
};
