// Called in every isolated world of the frozen page before anything costly.
import { allElements, allRoots, allStyles, read } from "./tree.js";

// The size of the page, and its kind.
export function survey() {
  const root = document.documentElement;
  const empty = new Set(["script", "style", "template", "noscript", "link", "meta", "title", "base"]);
  const shows = (node) =>
    node.nodeType === Node.TEXT_NODE
      ? /\S/.test(node.data)
      : node.nodeType === Node.ELEMENT_NODE && !empty.has(node.localName);
  // An element without an end tag swallows the end tags of the page.
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

// Undoes what would make the page read differently from what it is; returns the names of fields that hid something.
function restore(hasScripts) {
  /** @type {HTMLFormElement[]} */
  const forms = [];
  const roots = allRoots({ each: (element) => void (element instanceof HTMLFormElement && forms.push(element)) });

  // A field whose name is that of a property of its form (nodeType, childNodes, getAttribute, ...) hides the property from
  // everything that reads the page, including axe, so it is detached from the form. Names that are common for fields, and
  // that nothing reads, are left alone.
  const COMMON = new Set("id title lang dir hidden translate slot part prefix children".split(" "));
  const kinds = [EventTarget, Node, Element, HTMLElement];
  // Audits read the last two of any node, to recognize documents or other browsers.
  const properties = new Set([
    ...kinds.flatMap((kind) => Object.getOwnPropertyNames(kind.prototype)), "documentElement", "currentStyle",
  ]);
  const { getAttribute, setAttribute, removeAttribute, querySelectorAll } = Element.prototype;
  const names = new Set();
  const hiding = (element) =>
    ["name", "id"].filter((attribute) => {
      const name = getAttribute.call(element, attribute) ?? "";
      const hides = properties.has(name) && !COMMON.has(name);
      if (hides) names.add(name);
      return hides;
    });
  for (const form of forms) {
    for (const field of [...read(HTMLFormElement.prototype, "elements", form)]) {
      if (hiding(field).length) setAttribute.call(field, "form", "");
    }
    for (const picture of querySelectorAll.call(form, "img")) {
      for (const attribute of hiding(picture)) removeAttribute.call(picture, attribute);
    }
  }

  // Style sheets can see that scripts are stopped now: make them apply as before.
  for (const root of hasScripts ? roots : []) {
    for (const style of allStyles(root)) {
      const media = style?.media;
      if (!(media instanceof MediaList) || !media.mediaText.includes("scripting")) continue;
      media.mediaText = media.mediaText.replace(/\(\s*scripting\s*(?::\s*([\w-]+)\s*)?\)/g, (_, value = "enabled") =>
        value === "enabled" ? "(min-width: 0px)" : "(min-width: 9999999px)",
      );
    }
  }
  return [...names];
}

/** @param {boolean} hasScripts */
export const restoreAndSurvey = (hasScripts) => ({ hiding: restore(hasScripts), ...survey() });
