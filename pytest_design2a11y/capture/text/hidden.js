// Counts the words that a page has and does not show: slides, tabs, menus, what a scroller cuts off.
import { childrenOf } from "./children.js";

export const NEVER_SHOWN = new Set(
  "script style template title head noframes datalist canvas video audio object embed iframe frame".split(" "),
);
export const NOT_TEXT = new Set([...NEVER_SHOWN, "noscript"]);
const UNREAD = new Set([...NOT_TEXT, "select"]);
export const words = { shown: 0, hidden: 0 };
/** @param {string} text */
export const countWords = (text) => text.match(/\S+/g)?.length ?? 0;
export const countHidden = (node) => {
  if (node.nodeType === Node.TEXT_NODE) words.hidden += countWords(node.data);
  else if (node.nodeType === Node.ELEMENT_NODE && !UNREAD.has(node.localName))
    for (const child of childrenOf(node)) countHidden(child);
};
