// Called in every isolated world of the frozen page before anything costly: how large it is, and what it is.
() => {
  const root = document.documentElement;
  const empty = new Set(["script", "style", "template", "noscript", "link", "meta", "title", "base"]);
  const shows = (node) =>
    node.nodeType === Node.TEXT_NODE
      ? /\S/.test(node.data)
      : node.nodeType === Node.ELEMENT_NODE && !empty.has(node.localName);
  const swallowing = (element) => /<\/(body|html)>|<(body|div|main|section)[\s>]/i.test(element.textContent);
  const parent = document.body;
  const unclosed = [...document.querySelectorAll("title, style, script:not([type]), textarea, xmp, iframe")]
    .filter((element) => !element.nextSibling && swallowing(element));
  return {
    nodes: document.getElementsByTagName("*").length,
    rootName: root ? root.localName : null,
    isHtml: root instanceof HTMLHtmlElement,
    isBlank: !parent || (parent.localName === "body" && ![...parent.childNodes].some(shows)),
    isQuirky: document.compatMode === "BackCompat",
    attempts: globalThis.attempts || {},
    unclosed: unclosed.length ? unclosed[0].localName : null,
  };
};
