// What a person sees but no accessibility rule checks: it is hidden from assistive technology, or from axe-core.
import { closedRoots } from "./children.js";
import { clipOf, isViewportOverflow } from "./clips.js";
import { edges, intersect, isShown, walked } from "./frame.js";

export const modals = [...document.querySelectorAll("dialog:modal")];

// axe-core sees colors before filters and blending, and takes an inset of 50 or more, in any unit, as hidden.
const RECOLORS = /(opacity|contrast|brightness|invert|grayscale|sepia|saturate|hue-rotate|url)\(/;
const isContrastUnknown = ({ filter, mixBlendMode, clipPath }) =>
  RECOLORS.test(filter) || mixBlendMode !== "normal" || Number(/^inset\((\d+)/.exec(clipPath)?.[1]) >= 50;

// Nor does any rule check the contrast of labels that name only disabled controls.
const isDisabled = (element) => element.matches(":disabled") || Boolean(element.closest("[aria-disabled=true]"));
const CONTROLS = "input:not([type=hidden], [type=image], [type=button], [type=submit], [type=reset]), select, textarea";
const labelsDisabled = (label) => {
  const named = label.htmlFor && label.getRootNode().getElementById(label.htmlFor);
  return [named, label.querySelector(CONTROLS)].some((control) => control && isDisabled(control));
};
const [named, namedDisabled] = [new Set(), new Set()];
for (const element of document.querySelectorAll("[aria-labelledby]"))
  for (const name of element.getAttribute("aria-labelledby")?.split(/\s+/) ?? []) (isDisabled(element) ? namedDisabled : named).add(name);
const namesDisabled = (element, tag) =>
  (tag === "label" && labelsDisabled(element)) || (namedDisabled.has(element.id) && !named.has(element.id));

// axe-core takes as hidden what lies outside a scroller, or in one smaller than 2 px, even if its position lets it
// escape: `windows` are the boxes of those around it, `left` those that do not clip it.
export const windowsOf = (element, style, { windows, left, clips }) => {
  const isOut = clipOf(style, clips) !== clips.flow;
  const clipsAnything = style.overflowX !== "visible" || style.overflowY !== "visible";
  const own = clipsAnything && !isViewportOverflow(element) ? [edges(element.getBoundingClientRect())] : [];
  return { windows: own.length ? [...windows, ...own] : windows, left: isOut ? windows : left };
};
const isOutside = (element, windows) => {
  if (!windows.length) return false;
  const box = edges(element.getBoundingClientRect());
  return windows.some(
    (window) => window[2] - window[0] < 2 || window[3] - window[1] < 2 || !isShown(intersect(box, window)),
  );
};

const CAN_BE_DISABLED = new Set("fieldset button input select textarea".split(" "));
export const isAuditedIn = (element, tag, isSvg, style, outer) =>
  outer.isAudited &&
  !isContrastUnknown(style) &&
  style.contentVisibility !== "hidden" &&
  !isSvg &&
  !element.hasAttribute("inert") &&
  element.getAttribute("aria-hidden") !== "true" &&
  element.getAttribute("aria-disabled") !== "true" &&
  !(CAN_BE_DISABLED.has(tag) && element.disabled) &&
  !closedRoots?.has(element) &&
  !namesDisabled(element, tag) &&
  !isOutside(element, outer.left);
export const noteFrame = (element, tag, outer) => {
  if (tag === "object" || tag === "embed" || !isAuditedIn(element, tag, false, getComputedStyle(element), outer)) walked.unauditedFrames.push(element);
};
