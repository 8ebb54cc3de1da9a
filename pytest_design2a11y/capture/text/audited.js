// What a person sees and no accessibility rule looks at: assistive technology is kept from it, or axe-core is.

const modals = [...document.querySelectorAll("dialog:modal")];
const unauditedFrames = []; // frame elements whose documents are such parts

// axe-core takes colours as they were before filters and blending, and what is cut off by 50 of any unit for hidden.
const RECOLORS = /(opacity|contrast|brightness|invert|grayscale|sepia|saturate|hue-rotate|url)\(/;
const isContrastUnknown = ({ filter, mixBlendMode, clipPath }) =>
  RECOLORS.test(filter) || mixBlendMode !== "normal" || parseInt(/^inset\((\d+)/.exec(clipPath)?.[1]) >= 50;

const CAN_BE_DISABLED = new Set("fieldset button input select textarea".split(" "));
const isAuditedIn = (element, tag, isSvg, style, outer) =>
  outer.isAudited &&
  !isContrastUnknown(style) &&
  !(style.contentVisibility === "hidden") &&
  !isSvg &&
  !element.hasAttribute("inert") &&
  element.getAttribute("aria-hidden") !== "true" &&
  element.getAttribute("aria-disabled") !== "true" &&
  !(CAN_BE_DISABLED.has(tag) && element.disabled) &&
  !closedRoots?.has(element);
const noteFrame = (element, tag, outer) => {
  if (tag === "object" || tag === "embed" || !isAuditedIn(element, tag, false, getComputedStyle(element), outer)) unauditedFrames.push(element);
};
