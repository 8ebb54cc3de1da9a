// How our scripts walk through a frame: its shadow roots and elements, its style sheets and their rules. In isolated
// worlds; a form's own properties are hidden by fields of the same name, those of its prototype are not.

import { getterOf } from "../clock/getters.js";

/** @type {(prototype: object, name: string, node: Node) => any} */
export const read = (prototype, name, node) => getterOf(prototype, name).call(node);
const shadowOf = getterOf(Element.prototype, "shadowRoot");

// The document and all shadow roots in it, also closed ones (`closed` maps hosts to them); `each` gets every element.
/** @param {{ closed?: WeakMap<Element, ShadowRoot>, each?: (element: Element) => void }} [options] */
export function allRoots({ closed, each = () => {} } = {}) {
  /** @type {(Document | ShadowRoot)[]} */
  const found = [document];
  for (const root of found) {
    for (const element of root.querySelectorAll("*")) {
      each(element);
      const shadow = shadowOf.call(element) ?? closed?.get(element);
      if (shadow) found.push(shadow);
    }
  }
  return found;
}
// All elements; those in open shadow roots come after their hosts.
/** @param {ParentNode} root @param {Element[]} found @returns {Element[]} */
export function allElements(root = document, found = []) {
  for (const element of root.querySelectorAll("*")) {
    found.push(element);
    const shadow = shadowOf.call(element);
    if (shadow) allElements(shadow, found);
  }
  return found;
}
/** @type {(element: Element) => Element | null} */
export const parentOf = (element) => {
  const parent = read(Element.prototype, "assignedSlot", element) ?? read(Node.prototype, "parentNode", element);
  return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
};

// A selector by position alone.
/** @param {Element} element */
export function positionSelector(element) {
  const steps = [];
  const previous = (node) => read(Element.prototype, "previousElementSibling", node);
  for (let node = /** @type {any} */ (element); node; node = read(Node.prototype, "parentElement", node)) {
    const name = CSS.escape(read(Element.prototype, "localName", node));
    let place = 1;
    for (let before = previous(node); before; before = previous(before)) place += 1;
    steps.unshift(node === document.documentElement ? name : `${name}:nth-child(${place})`);
  }
  return steps.join(" > ");
}

// Every style sheet of a root and every rule, including imported and nested ones, outermost first; null for a sheet from
// another host, which scripts cannot read.
/** @param {DocumentOrShadowRoot} root @returns {Generator<any>} */
export function* allStyles(root = document) {
  for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) yield* stylesIn(sheet);
}
/** @returns {Generator<any>} */
function* stylesIn(holder) {
  yield holder;
  if (holder.styleSheet) yield* stylesIn(holder.styleSheet);
  let rules = [];
  try {
    rules = holder.cssRules ?? [];
  } catch {
    yield null;
  }
  for (const rule of rules) yield* stylesIn(rule);
}
