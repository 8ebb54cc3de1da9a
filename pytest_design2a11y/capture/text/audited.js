// What a person sees and no accessibility rule looks at: assistive technology is kept from it, or axe-core is.

const modals = [...document.querySelectorAll("dialog:modal")];
const unauditedFrames = []; // frame elements whose documents are such parts

const CAN_BE_DISABLED = new Set("fieldset button input select textarea".split(" "));
const isAuditedIn = (element, tag, isSvg, outer) =>
  outer.isAudited &&
  !isSvg &&
  !element.hasAttribute("inert") &&
  element.getAttribute("aria-hidden") !== "true" &&
  element.getAttribute("aria-disabled") !== "true" &&
  !(CAN_BE_DISABLED.has(tag) && element.disabled) &&
  !closedRoots?.has(element);
const noteFrame = (element, tag, outer) => {
  if (tag === "object" || tag === "embed" || !isAuditedIn(element, tag, false, outer)) unauditedFrames.push(element);
};
