// The flat tree: an element's children as shown, and how many of their words are not shown: those of slides, tabs, menus,
// and those that a scroller cuts off.
import { walked } from "./frame.js";

export const closedRoots = globalThis.__design2a11yClosedRoots;

export const childrenOf = (element) => {
  const shadow = element.shadowRoot ?? closedRoots?.get(element);
  if (shadow) return shadow.childNodes;
  if (element.localName === "slot" && element.assignedNodes) {
    const assigned = element.assignedNodes();
    if (assigned.length) return assigned;
  }
  return element.childNodes;
};

export const NEVER_SHOWN = new Set(
  "script style template title head noframes datalist canvas video audio object embed iframe frame".split(" "),
);
export const NOT_TEXT = new Set([...NEVER_SHOWN, "noscript"]);
// An annotation holds the source of a formula.
const UNREAD = new Set([...NOT_TEXT, "select", "annotation", "annotation-xml"]);
// Whether an element is the name or description of another one, which screen readers read there.
/** @param {Element} element */
const describes = (element) => {
  walked.descriptions ??= new Set(
    Array.from(document.querySelectorAll("[aria-describedby], [aria-labelledby]"), (other) =>
      `${other.getAttribute("aria-describedby") ?? ""} ${other.getAttribute("aria-labelledby") ?? ""}`.split(/\s+/),
    ).flat(),
  );
  return element.id !== "" && walked.descriptions.has(element.id);
};
/** @param {string} text */
export const countWords = (text) => text.match(/\S+/g)?.length ?? 0;
/** @param {string} text */
const tidied = (text) => text.replace(/\s+/g, " ").trim();
// How many words are shown and hidden; what stands elsewhere is not hidden. In `seen`, words as people see them.
/** @param {string[]} seen */
export const countedWords = (seen) => {
  const all = ` ${tidied(seen.join(" "))} `;
  const missing = walked.words.unseen.map(tidied).filter((text) => text && !all.includes(` ${text} `));
  return { shown: walked.words.shown, hidden: missing.reduce((sum, text) => sum + countWords(text), walked.words.hidden) };
};
export const countHidden = (node) => {
  if (node.nodeType === Node.TEXT_NODE) walked.words.unseen.push(node.data);
  else if (node.nodeType === Node.ELEMENT_NODE && !UNREAD.has(node.localName) && !describes(node))
    for (const child of childrenOf(node)) countHidden(child);
};
