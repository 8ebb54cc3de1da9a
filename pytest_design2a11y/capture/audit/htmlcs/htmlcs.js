// Runs HTML_CodeSniffer on one frame, in its isolated world, after HTML_CodeSniffer's own script.
import { allElements } from "../../page/tree.js";
import { describeAlike, register, reporting, shortened } from "../descriptions.js";

const LONGEST_MESSAGE = 1000;
const { elements, numberOf } = register();
let frames = [];

export const check = reporting(({ include, exclude }) => {
  const isChosen = chooser(include, exclude);
  if (!isChosen) return { isNothing: true };
  const rules = new Map();
  for (const { element, msg, code } of messages().filter(isTaken)) {
    const place = element instanceof Element ? element : document.documentElement;
    if (!isChosen(place)) continue;
    if (!rules.has(code)) rules.set(code, []);
    rules.get(code).push([numberOf(place), shortened(msg, LONGEST_MESSAGE)]);
  }
  const isFrame = (element) => element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement;
  const isShown = (element) => Element.prototype.getClientRects.call(element).length > 0;
  frames = allElements().filter((element) => isFrame(element) && isChosen(element) && isShown(element));
  return { rules: [...rules].map(([rule, found]) => ({ rule: String(rule), found })), frames: frames.length };
});

// Version 2.5.1 looks up the texts of its own 1.3.5 by names that they do not have, and takes a field without a
// type not to be a text field.
const PURPOSE = /1_3_5\.H98$/;
const isTaken = ({ type, element, code }) =>
  type === HTMLCS.ERROR &&
  !(PURPOSE.test(code) && element instanceof HTMLInputElement && !Element.prototype.hasAttribute.call(element, "type"));
function messages() {
  const { getTranslation } = HTMLCS;
  HTMLCS.getTranslation = (name) =>
    getTranslation.call(HTMLCS, name) ??
    getTranslation.call(HTMLCS, name.replace("AutoComplete", "Autocomplete")) ??
    name;
  // It processes the whole page before it answers.
  let isDone = false;
  HTMLCS.process("WCAG2AA", document, () => {
    isDone = true;
  });
  if (!isDone) throw new Error("it did not check the page against WCAG2AA");
  return HTMLCS.getMessages();
}

function chooser(include, exclude) {
  const included = include.length ? document.querySelectorAll(include.join()) : [document];
  const excluded = exclude.length ? [...document.querySelectorAll(exclude.join())] : [];
  if (!included.length) return null;
  const holds = (holder, element) => {
    const isAbove = Node.prototype.contains.call(holder, element);
    const host = isAbove ? null : /** @type {ShadowRoot} */ (Node.prototype.getRootNode.call(element)).host;
    return isAbove || (host instanceof Element && holds(holder, host));
  };
  return (element) =>
    [...included].some((holder) => holds(holder, element)) && !excluded.some((holder) => holds(holder, element));
}

export const describe = (wanted) => describeAlike(wanted.map((number) => elements[number]));
export const describeFrame = (index) => describeAlike([frames[index]])[0];
export const frameElement = (index) => frames[index];
