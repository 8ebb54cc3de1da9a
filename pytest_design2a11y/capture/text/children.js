// The flat tree: an element's children as shown, and how many of their words are not shown: those of slides, tabs, menus,
// and those that a scroller cuts off.

export const closedRoots = globalThis.__design2a11yClosedRoots;

// A closed shadow root is recognized by what is missing: children without a place, a box without content.
const HOSTS = new Set(
  "article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "),
);
const range = document.createRange();
export const mayHideRoot = (element, tag) => {
  if (element.shadowRoot || closedRoots?.has(element)) return false;
  if (tag.includes("-")) return true;
  if (!HOSTS.has(tag)) return false;
  const child = element.firstElementChild;
  if (child) return getComputedStyle(child).display === "";
  if (/\S/.test(element.textContent)) {
    range.selectNodeContents(element);
    return element.offsetHeight > 0 && !range.getClientRects().length;
  }
  return element.offsetWidth >= 8 && element.offsetHeight >= 8;
};

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
const UNREAD = new Set([...NOT_TEXT, "select"]);
export const words = { shown: 0, hidden: 0, unseen: /** @type {string[]} */ ([]) };
/** @param {string} text */
export const countWords = (text) => text.match(/\S+/g)?.length ?? 0;
/** @param {string} text */
const tidied = (text) => text.replace(/\s+/g, " ").trim();
// How many words are shown and hidden; what stands elsewhere is not hidden. In `seen`, words as people see them.
/** @param {string[]} seen */
export const countedWords = (seen) => {
  const all = ` ${tidied(seen.join(" "))} `;
  const missing = words.unseen.map(tidied).filter((text) => text && !all.includes(` ${text} `));
  return { shown: words.shown, hidden: missing.reduce((sum, text) => sum + countWords(text), words.hidden) };
};
export const countHidden = (node) => {
  if (node.nodeType === Node.TEXT_NODE) words.unseen.push(node.data);
  else if (node.nodeType === Node.ELEMENT_NODE && !UNREAD.has(node.localName))
    for (const child of childrenOf(node)) countHidden(child);
};
