// Text and marks that a style sheet generates: ::before, ::after, list markers.
import { clipOf } from "./clips.js";
import { contentEdges } from "./controls.js";
import { isGlyph, noteGeneratedBox, noteIcon, noteMarkerPicture } from "./elements.js";
import { noteFont } from "./fonts.js";
import { frame, intersect, isShown, placeOf, visibleBoxes } from "./frame.js";
import { transformText } from "./letters.js";
import { addDecoration, addRun, breakRun, markers, ownerNumber } from "./runs.js";
import { textColor } from "./styles.js";

/** @import { Box } from "./frame.js" */

/** @type {{ kind: string, tag: string }[]} every ::before and ::after with text */
export const pseudos = [];
export const generatedText = new Map(); // by element: which of its parts are text

// Notes where the bullet or number of a list item can lie: it is ink of the item's own text. Returns a bullet that shows.
export const noteMarker = (element, tag, context) => {
  const { style } = context;
  const own = getComputedStyle(element, "::marker");
  if (style.listStyleType === "none" && style.listStyleImage === "none" && own.content === "normal") return null;
  const [left, top, right] = contentEdges(element, style);
  const isInside = style.listStylePosition === "inside";
  const outer = element.getBoundingClientRect();
  /** @type {(reach: number, line: number) => Box} */
  const boxOf = (reach, line) =>
    style.direction === "rtl"
      ? [isInside ? right - reach : right, top, isInside ? right : outer.right + reach, top + line]
      : [isInside ? left : outer.left - reach, top, isInside ? left + reach : left, top + line];
  const size = Math.max(parseFloat(style.fontSize), parseFloat(own.fontSize));
  if (frame.findsElements && style.listStyleImage !== "none") noteMarkerPicture(intersect(boxOf(4 * size, outer.bottom - top), context.outerClip), context);
  if (tag !== "li" || style.display !== "list-item") return null;
  const reach = 2 * parseFloat(style.fontSize) + 8;
  const line = parseFloat(style.lineHeight) || 1.5 * parseFloat(style.fontSize);
  const seen = intersect(boxOf(reach, line), context.clips.flow);
  if (!isShown(seen)) return null;
  const color = textColor(own, false);
  markers.set(ownerNumber(element), { places: [placeOf(seen)], color });
  const isBullet = style.listStyleImage === "none" && own.content === "normal" && /^(disc|circle|square)$/.test(style.listStyleType);
  return isBullet ? { shape: style.listStyleType, color, isTaken: false } : null;
};

// Text that a style sheet puts before or after an element's own.
export const readPseudo = (element, tag, kind, context) => {
  const style = getComputedStyle(element, `::${kind}`);
  if (style.content === "none" || style.content === "normal" || style.display === "none") return;
  noteGeneratedBox(tag, kind, style, context, clipOf(style, context.clips));
  if (!/"[^"]*[^"\s][^"]*"|counter|quote/.test(style.content)) return;
  pseudos.push({ kind, tag });
  const found = frame.generated[pseudos.length - 1];
  if (!found || style.visibility !== "visible") return;
  const rects = found.boxes.map(([x, y, width, height]) => {
    const [left, top] = [x - frame.scrolled[0], y - frame.scrolled[1]];
    return { left, top, right: left + width, bottom: top + height };
  });
  const boxes = visibleBoxes(rects, clipOf(style, context.clips));
  const color = textColor(style, false);
  if (boxes.length) noteFont(element, style, found.text);
  if (isGlyph(found.text, rects, style)) noteIcon(`${tag}::${kind}`, boxes, { ...context, opacity: context.opacity * +style.opacity }, color);
  if (!/[\p{L}\p{N}\p{Sc}%]/u.test(found.text)) return addDecoration(kind, boxes, color, context.owner());
  generatedText.set(element, (generatedText.get(element) ?? new Set()).add(kind));
  const isInline = style.display === "inline";
  if (!isInline) breakRun();
  const origin = { ...context, style, isAudited: false };
  const opacity = context.opacity * +style.opacity;
  const text = transformText(found.text, style);
  addRun({ text, boxes, color, opacity, owner: context.owner(), continues: true, origin });
  if (!isInline) breakRun();
};
