// Form controls show text that is not a text node.

const BUTTON_LABELS = { submit: "Submit", reset: "Reset" };
const SILENT_INPUTS = new Set(["hidden", "checkbox", "radio", "range", "color", "image"]);
let pen = null; // measures text
const contentEdges = (element, style) => {
  const [left, top, right, bottom] = edges(element.getBoundingClientRect());
  const side = (name) => parseFloat(style[`border${name}Width`]) + parseFloat(style[`padding${name}`]);
  return [left + side("Left"), top + side("Top"), right - side("Right"), bottom - side("Bottom")];
};
// How the browser writes dates and times in its own locale, en-US.
const inputDate = (value) => (value ? value.replace(/^(\d+)-(\d+)-(\d+)$/, "$2/$3/$1") : "mm/dd/yyyy");
const inputTime = (value) => {
  if (!value) return "--:-- --";
  const [hours, minutes] = value.split(":");
  return `${String(+hours % 12 || 12).padStart(2, "0")}:${minutes} ${+hours < 12 ? "AM" : "PM"}`;
};
const inputText = (element) => {
  const { type, value } = element;
  const [day = "", time = ""] = value.split("T");
  if (type === "date") return [inputDate(value), false];
  if (type === "time") return [inputTime(value), false];
  if (type === "datetime-local") return [`${inputDate(day)}, ${inputTime(time)}`, false];
  if (type === "submit" || type === "reset") return [value || BUTTON_LABELS[type], false];
  if (type === "file") return ["Choose File " + (element.files?.[0]?.name ?? "No file chosen"), false];
  if (type === "password" && value) return ["•".repeat(value.length), false];
  return value ? [value, false] : [element.placeholder ?? "", true];
};
const controlText = (element, tag) => {
  if (tag === "select") return [element.selectedOptions[0]?.label ?? "", false];
  if (tag === "textarea") return element.value ? [element.value, false] : [element.placeholder, true];
  return SILENT_INPUTS.has(element.type) ? ["", false] : inputText(element);
};
// The part of a one-line control in which its text lies.
const lineEdges = (element, text, style) => {
  const [left, top, right, bottom] = contentEdges(element, style);
  pen ??= document.createElement("canvas").getContext("2d");
  pen.font = style.font;
  pen.letterSpacing = style.letterSpacing === "normal" ? "0px" : style.letterSpacing;
  const width = pen.measureText(text).width + 2;
  const spare = Math.max(right - left - width, 0);
  const isCentred = style.textAlign === "center" || /^(button|submit|reset)$/.test(element.type);
  const isReversed = style.direction === "rtl";
  const side = { start: isReversed ? "right" : "left", end: isReversed ? "left" : "right" }[style.textAlign];
  const isAtEnd = /right$/.test(side ?? style.textAlign);
  const start = left + spare * (isCentred ? 0.5 : isAtEnd ? 1 : 0) + parseFloat(style.textIndent);
  return intersect([left, top, right, bottom], [start - 2, top, start + width, bottom]);
};
const readControl = (element, tag, context) => {
  breakRun();
  const { style } = context;
  if (style.visibility !== "visible") return;
  const [text, isPlaceholder] = controlText(element, tag);
  if (!/\S/.test(text)) return;
  const colors = isPlaceholder ? getComputedStyle(element, "::placeholder") : style;
  const opacity = context.opacity * (isPlaceholder ? +colors.opacity : 1);
  const shown = isPlaceholder ? transformText(text, style) : paintedText(text, style);
  const place = tag === "textarea" ? contentEdges(element, style) : lineEdges(element, shown, style);
  const boxes = visibleBoxes([element.getBoundingClientRect()], intersect(context.outerClip, place));
  addRun(shown, boxes, textColor(colors, false), opacity, ownerNumber(element), false, context);
  breakRun();
};
// A menu with a button of the page's own shows that.
const readSelect = (element, tag, context) => {
  const face = context.style.appearance === "base-select" && element.querySelector(":scope > button:first-child");
  if (element.multiple || element.size > 1) readListBox(element, context);
  else if (face) walk(face, context);
  else readControl(element, tag, context);
};
const readListBox = (element, context) => {
  for (const option of element.options) {
    const style = getComputedStyle(option);
    const boxes = visibleBoxes([option.getBoundingClientRect()], context.clips.flow);
    const origin = { ...context, element: option };
    if (style.visibility === "visible")
      addRun(option.label, boxes, textColor(style, false), context.opacity, ownerNumber(option), false, origin);
  }
  breakRun();
};
