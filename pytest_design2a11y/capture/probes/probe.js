// What all probes need of a frame: numbers for its elements, what shows, and how they are told of. In the isolated
// world of every frame, after tree.js and elements.js.
globalThis.design2a11yProbe ??= (() => {
  "use strict";

  const numbers = new Map();
  const elements = [];
  const { elements: all, parentOf, read } = design2a11yTree;
  const boxOf = (element) => Element.prototype.getBoundingClientRect.call(element);
  const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
  const has = (element, name) => Element.prototype.hasAttribute.call(element, name);

  function numberOf(element) {
    if (!numbers.has(element)) numbers.set(element, elements.push(element) - 1);
    return numbers.get(element);
  }

  function ancestors(element) {
    const found = [];
    for (let one = parentOf(element); one; one = parentOf(one)) found.push(one);
    return found;
  }
  const isWithin = (element, holder) => element === holder || ancestors(element).includes(holder);

  // Whether a person can see that there is something.
  function isShown(element) {
    const { width, height } = boxOf(element);
    return width >= 1 && height >= 1 && Element.prototype.checkVisibility.call(element, { checkVisibilityCSS: true, checkOpacity: true });
  }

  // The place in the page of the main frame, in the window of another frame.
  function place(element) {
    const { x, y, width, height } = boxOf(element);
    const [left, top] = self === self.top ? [scrollX, scrollY] : [0, 0];
    return [x + left, y + top, width, height];
  }

  // What lies on top at a place of the window, in open shadow roots too.
  function topAt(x, y) {
    let found = document.elementFromPoint(x, y);
    while (found?.shadowRoot) {
      const inner = found.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === found) break;
      found = inner;
    }
    return found;
  }

  const nameOf = (element) => read(Element.prototype, "localName", element);
  // Words of what an element says, for sentences.
  function called(element) {
    const text = attribute(element, "aria-label") ?? read(Node.prototype, "textContent", element);
    const words = text.replace(/\s+/g, " ").trim();
    return words.length > 40 ? `${words.slice(0, 39).toWellFormed()}…` : words.toWellFormed();
  }

  // Ends what animates and has an end, as if one had waited, and keeps the caret from blinking.
  function rest() {
    for (const animation of document.getAnimations()) {
      try {
        animation.finish();
      } catch {
        // An endless one stands still anyway.
      }
    }
  }
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { caret-color: transparent !important; }");
  function hideCaret() {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }
  // Whether the page itself keeps the caret of a field from showing.
  function hidCaret(element) {
    sheet.disabled = true;
    const color = getComputedStyle(element).caretColor;
    sheet.disabled = false;
    return /^rgba\(.*, 0\)$|\/ 0\)$/.test(color);
  }

  return {
    all, ancestors, attribute, boxOf, called, has, hidCaret, hideCaret, isShown, isWithin, nameOf, numberOf, parentOf, place, rest, topAt,
    drawn: () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
    restore() {
      document.activeElement?.blur?.();
      scrollTo({ left: 0, top: 0, behavior: "instant" });
    },
    ownNumberOf: (node) => (node instanceof Element && node.ownerDocument === document ? numberOf(node) : null),
    elementOf: (number) => elements[number],
    describe: (wanted) => design2a11yElements.describeAlike(wanted.map((number) => elements[number])),
  };
})();
