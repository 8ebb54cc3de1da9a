// Describes elements, whichever engine found them: selector, start of the HTML, box. Runs in an isolated world.
import { positionSelector, read } from "../page/tree.js";

const LONGEST = { target: 1000, html: 300, error: 2000 };

export function shortened(text, longest) {
  const whole = String(text ?? "").toWellFormed();
  return whole.length > longest ? `${whole.slice(0, longest - 1).toWellFormed()}…` : whole;
}

// Numbers by which Python refers to elements.
export function register() {
  const numbers = new Map();
  const elements = [];
  const numberOf = (element) => {
    if (!numbers.has(element)) numbers.set(element, elements.push(element) - 1);
    return numbers.get(element);
  };
  return { elements, numberOf };
}

// Errors are returned as values: what the browser would make of a thrown one differs between its versions.
export const reporting = (step) => async (...args) => {
  try {
    return await step(...args);
  } catch (error) {
    return { error: shortened(/** @type {Error} */ (error)?.message ?? error, LONGEST.error) };
  }
};

export function describe(elements) {
  axe.setup(document.documentElement);
  try {
    return elements.map((element) => description(element, axe.utils.getSelector(element)));
  } finally {
    axe.teardown();
  }
}

function description(element, target) {
  const { x, y, width, height } = Element.prototype.getBoundingClientRect.call(element);
  return {
    target: [target].flat().map((step) => shortened(step, LONGEST.target)),
    html: shortened(startOf(element), LONGEST.html),
    box: width > 0 && height > 0 ? [x, y, width, height] : null,
  };
}

// If an element contains the page, its outerHTML is the whole page: its start tag is enough then.
function startOf(element) {
  const isShort = read(Node.prototype, "textContent", element).length <= LONGEST.html;
  if (isShort && Element.prototype.getElementsByTagName.call(element, "*").length <= 20) {
    const whole = read(Element.prototype, "outerHTML", element);
    if (whole.length <= LONGEST.html) return whole;
  }
  const escaped = (value) => value.replace(/&/g, "&amp;").replace(/"/g, "&quot;");
  const attributes = [...read(Element.prototype, "attributes", element)];
  const written = attributes.map(({ name, value }) => ` ${name}="${escaped(value)}"`);
  return `<${read(Element.prototype, "localName", element)}${written.join("")}>`;
}

// Uses the same selectors as axe-core's findings, so that it shows where two engines mean the same element.
export function describeAlike(elements) {
  if (typeof axe !== "undefined" && typeof axe?.utils?.getSelector === "function") {
    try {
      return describe(elements);
    } catch {
      // axe-core failed on this page; its own findings report that.
    }
  }
  return elements.map((element) => description(element, positionSelector(element)));
}
