// Called in every isolated world of the frozen page before anything costly: how large it is, and what it is.
import { allElements } from "./tree.js";

export function survey() {
  const root = document.documentElement;
  const empty = new Set(["script", "style", "template", "noscript", "link", "meta", "title", "base"]);
  const shows = (node) =>
    node.nodeType === Node.TEXT_NODE
      ? /\S/.test(node.data)
      : node.nodeType === Node.ELEMENT_NODE && !empty.has(node.localName);
  // An element without an end tag of its own contains the page's.
  const swallows = (text) => /<\/(body|html)\s*>/i.test(text);
  const unclosed = [...document.querySelectorAll("title, style, script:not([type]), textarea, xmp, iframe")]
    .filter((element) => !element.nextSibling && swallows(element.textContent))
    .map((element) => `<${element.localName}>`);
  const comments = document.createTreeWalker(document, NodeFilter.SHOW_COMMENT);
  while (comments.nextNode()) {
    if (swallows(comments.currentNode.nodeValue) && !comments.currentNode.nextSibling) unclosed.push("comment");
  }
  const parent = document.body;
  return {
    nodes: allElements().length,
    rootName: root ? root.localName : null,
    isHtml: root instanceof HTMLHtmlElement,
    isBlank: !parent || (parent.localName === "body" && ![...parent.childNodes].some(shows)),
    encoding: document.characterSet,
    isQuirky: document.compatMode === "BackCompat",
    attempts: globalThis.attempts || {},
    unclosed: unclosed[0] || null,
  };
}
