// Form controls show text that is not a text node.
import { controlText } from "./control_text.js";
import { edges, intersect, visibleBoxes } from "./frame.js";
import { paintedText, transformText } from "./letters.js";
import { addRun, breakRun, ownerNumber } from "./runs.js";
import { INVISIBLE_ALPHA, measuredWidth, textColor } from "./styles.js";
import { noteUnseen } from "./unseen.js";

/** @import { Box } from "./frame.js" */

/** @type {(element: Element, style: CSSStyleDeclaration) => Box} */
export const contentEdges = (element, style) => {
  const [left, top, right, bottom] = edges(element.getBoundingClientRect());
  const side = (name) => parseFloat(style[`border${name}Width`]) + parseFloat(style[`padding${name}`]);
  return [left + side("Left"), top + side("Top"), right - side("Right"), bottom - side("Bottom")];
};
// The part of a one-line control that contains its text.
const lineEdges = (element, text, style) => {
  const [left, top, right, bottom] = contentEdges(element, style);
  const width = measuredWidth(text, style.font, style.letterSpacing === "normal" ? "0px" : style.letterSpacing) + 2;
  const spare = Math.max(right - left - width, 0);
  const isCentered = style.textAlign === "center" || /^(button|submit|reset)$/.test(element.type);
  const isReversed = style.direction === "rtl";
  const side = { start: isReversed ? "right" : "left", end: isReversed ? "left" : "right" }[style.textAlign];
  const isAtEnd = /right$/.test(side ?? style.textAlign);
  const start = left + spare * (isCentered ? 0.5 : isAtEnd ? 1 : 0) + parseFloat(style.textIndent);
  return intersect([left, top, right, bottom], [start - 2, top, start + width, bottom]);
};
export const readControl = (element, tag, context) => {
  breakRun();
  const { style } = context;
  if (style.visibility !== "visible") return;
  const { text, isPlaceholder } = controlText(element, tag);
  if (!/\S/.test(text)) return;
  const colors = isPlaceholder ? getComputedStyle(element, "::placeholder") : style;
  const opacity = context.opacity * (isPlaceholder ? +colors.opacity : 1);
  const shown = isPlaceholder ? transformText(text, style) : paintedText(text, style);
  const place = tag === "textarea" ? contentEdges(element, style) : lineEdges(element, shown, style);
  const rects = [element.getBoundingClientRect()];
  const boxes = visibleBoxes(rects, intersect(context.outerClip, place));
  if (!boxes.length && opacity >= INVISIBLE_ALPHA) noteUnseen(shown, rects, context.outerReach, context.pane);
  const color = textColor(colors, false);
  addRun({ text: shown, boxes, color, opacity, owner: ownerNumber(element), continues: false, origin: context });
  breakRun();
};
export const readListBox = (element, context) => {
  for (const option of element.options) {
    const style = getComputedStyle(option);
    const rects = [option.getBoundingClientRect()];
    const boxes = visibleBoxes(rects, context.clips.flow);
    if (style.visibility !== "visible") continue;
    if (!boxes.length && context.opacity >= INVISIBLE_ALPHA) noteUnseen(option.label, rects, context.reached.flow, context.pane);
    const [color, owner] = [textColor(style, false), ownerNumber(option)];
    const origin = { ...context, element: option };
    addRun({ text: option.label, boxes, color, opacity: context.opacity, owner, continues: false, origin });
  }
  breakRun();
};
