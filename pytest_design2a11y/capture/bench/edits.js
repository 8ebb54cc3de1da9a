// Edits of an open page: find what they are about, apply them, place what they move, and take them back.

/** @typedef {[number, number, number, number]} Box left, top, width, height, px of the page */
/**
 * @typedef {object} Thing
 * @property {"text" | "element" | "line"} kind
 * @property {string} tag
 * @property {string} text
 * @property {Box} box
 */
/**
 * @typedef {object} Edit
 * @property {string} selector of what is edited
 * @property {Record<string, string>} css
 * @property {string[]} texts what its own texts are to be, in order; empty: as they are
 * @property {Record<string, string | null>} attributes null: it is to have none
 * @property {string} html its markup, if it is to be added
 * @property {string} into selector of the element at whose end it is added
 * @property {string} content what it is to hold in place of all that it holds
 * @property {string} wrap the tag of an element to put around its content, but for header, nav and footer at its ends
 */
/**
 * @typedef {object} Place
 * @property {string} selector
 * @property {Box} box where it is to be
 * @property {boolean} isText whether the box is of its text, not its own
 * @property {number | null} level what has a higher one lies above it, where they overlap
 */

const SHEET = "design2a11y-edits";
const NEAR = 0.3; // px; nothing is moved by less
/** @type {any} */
const kept = globalThis;

/** @returns {Box} */
const boxOf = ({ left, top, width, height }) => [left + scrollX, top + scrollY, width, height];
const letters = (text) => text.toLowerCase().replace(/[\s\p{C}]+/gu, "");
/** What two boxes have in common; its size is not positive if that is nothing. @returns {Box} */
const commonOf = ([x, y, w, h], [left, top, width, height]) => {
  const [right, bottom] = [Math.min(x + w, left + width), Math.min(y + h, top + height)];
  return [Math.max(x, left), Math.max(y, top), right - Math.max(x, left), bottom - Math.max(y, top)];
};
const overlapOf = (one, other) => {
  const [, , across, down] = commonOf(one, other);
  const common = Math.max(across, 0) * Math.max(down, 0);
  return common / (one[2] * one[3] + other[2] * other[3] - common || 1);
};
const isUnique = (selector, element) => {
  const found = document.querySelectorAll(selector);
  return found.length === 1 && found[0] === element;
};
// Elements of these names may be added, so that a name alone finds others, too.
const ADDED = /^(div|p|input|img|a|span)$/;
/** The shortest of: its id, its tag with classes, and its place below the nearest element with an id. */
export const selectorOf = (element) => {
  if (element === document.documentElement || element === document.body) return element.localName;
  if (element.id && isUnique(`#${CSS.escape(element.id)}`, element)) return `#${CSS.escape(element.id)}`;
  const named = [element.localName, ...[...element.classList].slice(0, 2).map((name) => CSS.escape(name))].join(".");
  if (!ADDED.test(named) && isUnique(named, element)) return named;
  const parent = element.parentElement;
  const alike = [...parent.children].filter((child) => child.localName === element.localName);
  const place = alike.length > 1 || ADDED.test(element.localName) ? `:nth-of-type(${alike.indexOf(element) + 1})` : "";
  return `${selectorOf(parent)} > ${CSS.escape(element.localName)}${place}`;
};

const textRects = (node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
};
/** @returns {Box} */
const around = (rects) => {
  const [left, top] = [Math.min(...rects.map((rect) => rect.left)), Math.min(...rects.map((rect) => rect.top))];
  const [right, bottom] = [Math.max(...rects.map((rect) => rect.right)), Math.max(...rects.map((rect) => rect.bottom))];
  return boxOf({ left, top, width: right - left, height: bottom - top });
};
/** @returns {Text[]} the texts in an element, without those of spaces alone */
const textsIn = (element) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = /** @type {Text | null} */ (walker.nextNode()); node; node = /** @type {Text | null} */ (walker.nextNode())) {
    if (/\S/.test(node.data)) found.push(node);
  }
  return found;
};
const textNodes = () =>
  textsIn(document.body)
    .map((node) => ({ element: node.parentElement, words: letters(node.data), rects: textRects(node) }))
    .filter(({ rects }) => rects.length)
    .map(({ rects, ...place }) => ({ ...place, box: around(rects) }));
const best = (found, rated) => {
  const rates = found.map(rated);
  const most = Math.max(0, ...rates);
  return most > 0 ? found[rates.lastIndexOf(most)].element : null;
};
const SIDES = ["top", "right", "bottom", "left"];
/** @param {Box} own @param {Box} line @returns {Box[]} */
const stripsOf = ([x, y, width, height], [, , across, down]) => [
  [x, y, width, down],
  [x + width - across, y, across, height],
  [x, y + height - down, width, down],
  [x, y, across, height],
];
const WHOLE = 0.9;
// The side at which an element draws a line; "" if the element is, nearly, that line itself.
const sideOf = (own, line) => {
  const overlaps = stripsOf(own, line).map((strip) => overlapOf(strip, line));
  const most = Math.max(...overlaps);
  return overlapOf(own, line) >= WHOLE * most ? "" : SIDES[overlaps.indexOf(most)];
};
const likeness = (own, box, isLine) => (isLine ? Math.max(overlapOf(own, box), ...stripsOf(own, box).map((strip) => overlapOf(strip, box))) : overlapOf(own, box));
/** Whether a field holds it, whose text is not in the document. */
const holds = (element) => /^(input|textarea|select)$/.test(element.localName);
const ownText = (element) => [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && /\S/.test(node.data));

/** The pseudo-elements of an element that show words, which are some of these. */
const drawn = (element, words) =>
  ["::before", "::after"].filter((part) => {
    const [, told] = /^"(.*)"$/s.exec(getComputedStyle(element, part).content) ?? [];
    // Quotes and control characters are told escaped.
    const shown = letters((told ?? "").replace(/\\(?:[\da-f]+ |(.))/gi, "$1"));
    return shown && words.includes(shown);
  });
/** The pseudo-element that shows words which no node holds, nearest to a box. */
const drawnBy = (elements, words, box) => {
  const shown = elements.flatMap(({ element, box: own }) =>
    drawn(element, words).map((part) => ({ selector: selectorOf(element) + part, apart: Math.abs(own[1] - box[1]) + Math.abs(own[0] - box[0]) })),
  );
  const nearest = shown.sort((one, other) => one.apart - other.apart)[0];
  return nearest ? { selector: nearest.selector, tag: "", field: "", option: "", isInline: false, side: "", numElements: 0, source: "", link: "", drawn: [], texts: [], control: "", behind: [], faded: [] } : null;
};

/** The element that holds all of some words, of which an element holds a part. */
const holderOf = (element, words) => {
  const own = letters(element?.textContent ?? "");
  const isPart = own && own !== words && words.includes(letters(element.parentElement.textContent));
  return isPart ? holderOf(element.parentElement, words) : element;
};

/** What is painted behind an element and as large. @returns {Element[]} */
const behind = (element) => {
  const around = element.parentElement;
  const isAsLarge = around && around !== document.body && isAt(edges(around), edges(element));
  return isAsLarge ? [...(isPainted(around) ? [around] : []), ...behind(around)] : [];
};
/** Of an element and what holds it, those through which something shines. @returns {Element[]} */
const fadedBy = (element) => (element ? [...(Number(getComputedStyle(element).opacity) < 1 ? [element] : []), ...fadedBy(element.parentElement)] : []);
/** @param {string} selector */
export function faded(selector) {
  return fadedBy(document.querySelector(selector)).map(selectorOf);
}
/** The selector, and what else an edit needs, of each thing; null if it is gone. @param {Thing[]} things */
export function locate(things) {
  const elements = [...document.querySelectorAll("*")].map((element) => ({ element, tag: element.localName, box: boxOf(element.getBoundingClientRect()) }));
  const texts = [...textNodes(), ...elements.filter(({ element }) => holds(element)).map(({ element, box }) => ({ element, words: null, box }))];
  return things.map(({ kind, tag, text, box }) => {
    const words = letters(text);
    const name = tag.split(/[[:]/)[0];
    const found =
      kind === "text"
        ? holderOf(best(texts, (place) => (place.words === null || words.includes(place.words) || place.words.includes(words) ? overlapOf(place.box, box) : 0)), words)
        : best(elements.filter((place) => place.tag === name), (place) => likeness(place.box, box, kind === "line"));
    if (!found) return kind === "text" ? drawnBy(elements, words, box) : null;
    const style = getComputedStyle(found);
    return {
      selector: selectorOf(found),
      tag: found.localName,
      field: holds(found) ? (/** @type {any} */ (found).value ? "value" : "placeholder") : "",
      option: found.selectedOptions?.length ? selectorOf(found.selectedOptions[0]) : "",
      isInline: style.display === "inline",
      side: kind === "line" ? sideOf(boxOf(found.getBoundingClientRect()), box) : "",
      numElements: found.querySelectorAll("*").length,
      source: found.getAttribute("src") ?? "",
      link: found.closest("a")?.getAttribute("href") ?? "",
      drawn: drawn(found, words),
      texts: ownText(found).map(({ data }) => data),
      control: kind === "element" && found.closest("label")?.control ? selectorOf(found.closest("label").control) : "",
      behind: kind === "element" ? behind(found).map(selectorOf) : [],
      faded: kind === "text" ? fadedBy(found).map(selectorOf) : [],
    };
  });
}

const THINGS = "img, svg, canvas, video, iframe, input, textarea, select, button, [role=img]";
/** The lowest element around several, and whether it holds no other words than these, and nothing else. */
export function common(groups) {
  return groups.map(({ selectors, text }) => {
    const [first, ...others] = selectors.map((selector) => document.querySelector(selector));
    let found = first;
    while (found && !others.every((other) => found.contains(other))) found = found.parentElement;
    return found && { selector: selectorOf(found), isAll: letters(found.textContent ?? "") === letters(text), isPlain: !found.querySelector(THINGS) && !found.matches(THINGS), isLink: found.closest("a") !== null, isInline: getComputedStyle(found).display === "inline", isCell: getComputedStyle(found).display === "table-cell", isSet: getComputedStyle(found).whiteSpace.startsWith("pre") };
  });
}

/** The texts that an element holds, by their numbers, and whether it holds nothing else. */
export function contents(selector, groups) {
  const around = /** @type {Element} */ (document.querySelector(selector));
  const elements = groups.map(({ selectors }) => selectors.map((own) => document.querySelector(own)));
  const numbers = groups.map((_, at) => at).filter((at) => elements[at].length && elements[at].every((element) => around.contains(element)));
  const told = numbers.map((at) => groups[at].text).join("");
  const isAll = [...letters(told)].sort().join() === [...letters(around.textContent ?? "")].sort().join();
  return { numbers, isAll: isAll && !around.querySelector(THINGS) && !around.matches(THINGS) };
}

/** Which of some elements hold one of others. */
export function holders(selectors, inner) {
  const others = inner.map((selector) => document.querySelector(selector)).filter(Boolean);
  return selectors.filter((selector) => {
    const element = document.querySelector(selector);
    return others.some((other) => element !== other && element?.contains(other));
  });
}
/** Images that touch some of others and show the same, so that nobody sees where one ends. @param {string[]} selectors */
export function touching(selectors) {
  const known = selectors.map((selector) => document.querySelector(selector));
  const isBeside = (one, other) => other?.currentSrc === one.currentSrc && Math.min(...commonOf(edges(one), edges(other)).slice(2)) > -NEAR;
  return [...document.images].filter((one) => !known.includes(one) && known.some((other) => isBeside(one, other))).map((one) => ({ selector: selectorOf(one), box: edges(one) }));
}
const CLIPPED = 1; // px
/** Elements that cut off something that is in its place. @param {string[]} selectors */
export function clippers(selectors) {
  const found = new Set();
  for (const selector of selectors) {
    const element = document.querySelector(selector);
    const own = element?.getBoundingClientRect();
    for (let around = element?.parentElement; own && around && around !== document.body && around !== document.documentElement; around = around.parentElement) {
      const { left, top, right, bottom } = around.getBoundingClientRect();
      const isOut = own.left < left - CLIPPED || own.top < top - CLIPPED || own.right > right + CLIPPED || own.bottom > bottom + CLIPPED;
      if (isOut && getComputedStyle(around).overflow !== "visible") found.add(selectorOf(around));
    }
  }
  return [...found];
}

/** Selectors of what an accessibility engine names, as edits name them. */
export function named(targets) {
  return targets.map((target) => {
    try {
      const element = document.querySelector(target);
      return element && selectorOf(element);
    } catch {
      return null;
    }
  });
}

const isPainted = (element) => {
  const { backgroundColor, backgroundImage } = getComputedStyle(element);
  return backgroundImage !== "none" || !/^(transparent|rgba\(.*, 0\))$/.test(backgroundColor);
};
const HOLDING = "div, main, section, article, aside, header, footer, nav, form";
const levelOf = (element) => Number.parseInt(getComputedStyle(element).zIndex, 10) || 0;
const above = (element, other) => {
  const { position } = getComputedStyle(element);
  const css = { position: position === "static" ? "relative" : position, "z-index": `${Math.max(levelOf(element), levelOf(other) + 1)}` };
  return { css, under: levelOf(element) < 0 && other.matches(HOLDING) ? selectorOf(other) : "" };
};
const isIn = (element, other) => {
  const [own, around] = [element, other].map((one) => one.getBoundingClientRect());
  return own.left >= around.left && own.right <= around.right && own.top >= around.top && own.bottom <= around.bottom;
};
const POINTS = [0.5, 0.25, 0.75].flatMap((down) => [0.5, 0.25, 0.75].map((across) => [across, down])); // Shares of a box
/** Whether one element is painted over another one in what their boxes have in common. */
const isOver = (other, element, [left, top, width, height]) => {
  for (const [across, down] of POINTS) {
    const [x, y] = [left + across * width, top + down * height];
    if (y < scrollY || y >= scrollY + innerHeight) scrollTo(scrollX, y - innerHeight / 2);
    const found = document.elementsFromPoint(x - scrollX, y - scrollY);
    if (found.includes(other) && found.includes(element)) return found.indexOf(other) < found.indexOf(element);
  }
  return false;
};
/**
 * What covers things in their places: the fills of other elements, and things over which they are to lie.
 * @param {Place[]} places @param {Record<string, number | null>} levels of all that is in the design, too, by selector
 */
export function covers(places, levels) {
  const known = new Map(Object.entries(levels).map(([selector, level]) => [document.querySelector(selector), level]));
  const [across, down] = [scrollX, scrollY];
  const fills = new Set();
  const raised = {};
  const placed = new Set(places.map(({ selector }) => document.querySelector(selector)));
  const painted = [...document.body.querySelectorAll("*")]
    .filter((other) => isPainted(other) || other.matches(THINGS))
    .sort((one, other) => levelOf(one) - levelOf(other)) // What is to lie over several lies over the highest.
    .map((other) => ({ other, box: boxOf(other.getBoundingClientRect()) }));
  for (const { selector, isText, level } of places) {
    const element = document.querySelector(selector);
    if (!element) continue;
    const own = measured(element, isText, placed);
    for (const { other, box } of painted) {
      const common = commonOf(own, box);
      if (element.contains(other) || !(common[2] >= 1 && common[3] >= 1) || !isOver(other, element, common)) continue;
      let owner = /** @type {Element | null} */ (other);
      while (owner && !known.has(owner)) owner = owner.parentElement;
      const around = owner?.getBoundingClientRect();
      const isLarger = around && around.width * around.height > own[2] * own[3];
      const below = known.get(other) ?? null;
      const [isInner, isOuter] = [isIn(element, other), isIn(other, element)];
      const isHigher = isInner === isOuter ? Number(level) > Number(below) : isInner;
      const isAbove = isText || (level === null || below === null ? isLarger : isHigher);
      if (owner === other && isAbove && !other.contains(element)) raised[selector] = above(element, other);
      else if (owner !== other && (!owner || isLarger)) fills.add(selectorOf(other));
    }
  }
  scrollTo(across, down);
  return { fills: [...fills], raised };
}

const HEADINGS = "h1, h2, h3, h4, h5, h6, [role=heading]";
const LANDMARK = "main, header, nav, footer, aside, form, [role]";
const NO_REGION = "a, button, img, input, label, select, textarea, h1, h2, h3, h4, h5, h6";
const sizeOf = (element) => parseFloat(getComputedStyle(element).fontSize);
const isSeen = (element) => element.checkVisibility({ visibilityProperty: true }) && textRects(element).length > 0;
const FIXED = {
  // A heading that is raised leaves those after it as far below it as it was below another.
  "heading-order": (element) => [...document.querySelectorAll(element.localName)].filter((other) => inOrder(element, other) <= 0),
  "page-has-heading-one": () => {
    const headings = [...document.querySelectorAll(HEADINGS)].filter(isSeen);
    const texts = [...document.body.querySelectorAll("div, p, span, strong, b, em")].filter((other) => isSeen(other) && ownText(other).length && !other.closest("a, button, label"));
    return (headings.length ? headings : texts).sort((one, other) => sizeOf(other) - sizeOf(one)).slice(0, 1);
  },
  region: (element) => {
    let found = element;
    const isMore = () => found.matches(NO_REGION) || !found.parentElement.querySelector(LANDMARK);
    while (found.parentElement !== document.body && isMore()) found = found.parentElement;
    return [found];
  },
};
/** Selectors of the elements whose edit fixes that one breaks a rule. @param {string} rule @param {string} selector */
export function fixed(rule, selector) {
  const element = /** @type {Element} */ (document.querySelector(selector));
  return (FIXED[rule]?.(element) ?? [element]).map(selectorOf);
}

const ruleOf = ({ selector, css }) => {
  const values = Object.entries(css).map(([name, value]) => `${name}: ${value} !important`);
  return values.length ? `${selector} { ${values.join("; ")} }` : "";
};
const sheet = () => {
  const found = document.getElementById(SHEET);
  if (found) return found;
  const style = document.createElement("style");
  style.id = SHEET;
  document.head.append(style);
  return style;
};
const LANDMARKS = new Set(["header", "nav", "footer", "script", "style", "link"]);
const isContent = (node) => (node.nodeType === Node.ELEMENT_NODE ? !LANDMARKS.has(node.localName) : node.nodeType === Node.TEXT_NODE && /\S/.test(node.data));
// A changed value would show only when its transition is over.
const STILL = "*, *::before, *::after { transition: none !important }";
/** The selector of the main landmark; "" without one. */
export function mainPart() {
  const found = document.querySelector("main, [role=main]");
  return found ? selectorOf(found) : "";
}
/** Edit the page as said, from its own state: earlier edits are taken back first. @param {Edit[]} edits */
export function apply(edits) {
  restore();
  const undo = [];
  kept.__design2a11yUndo = undo;
  for (const edit of edits) {
    if (edit.html) {
      const template = document.createElement("template");
      template.innerHTML = edit.html;
      for (const added of [...template.content.children]) {
        document.querySelector(edit.into)?.append(added);
        undo.push(() => added.remove());
      }
    }
    const element = /** @type {HTMLElement | null} */ (document.querySelector(edit.selector));
    if (!element) continue;
    if (edit.texts.length && !holds(element)) {
      const nodes = ownText(element);
      const texts = nodes.length === edit.texts.length ? edit.texts : [edit.texts.join(" ")];
      for (const [index, node] of nodes.entries()) {
        const old = node.data;
        undo.push(() => { node.data = old; });
        node.data = texts[index] ?? " ";
      }
    }
    if (edit.content) {
      const old = [...element.childNodes];
      undo.push(() => element.replaceChildren(...old));
      element.innerHTML = edit.content;
    }
    if (edit.wrap) {
      const children = [...element.childNodes];
      const inner = children.slice(children.findIndex(isContent), children.findLastIndex(isContent) + 1);
      const wrapper = document.createElement(edit.wrap);
      wrapper.style.display = "contents";
      inner[0]?.before(wrapper);
      wrapper.append(...inner);
      undo.push(() => wrapper.replaceWith(...wrapper.childNodes));
    }
    for (const [name, value] of Object.entries(edit.attributes)) {
      const old = element.getAttribute(name);
      undo.push(() => (old === null ? element.removeAttribute(name) : element.setAttribute(name, old)));
      value === null ? element.removeAttribute(name) : element.setAttribute(name, value);
    }
  }
  const own = /** @type {any} */ (sheet());
  own.textContent = STILL;
  kept.__design2a11yRules = edits.map((edit) => {
    const text = ruleOf(edit);
    return text && own.sheet.cssRules[own.sheet.insertRule(text, own.sheet.cssRules.length)];
  });
}
const NUMBERS = /-?\d+(?:\.\d+)?/g;
const [SAME_LENGTH, SAME_CHANNEL] = [0.4, 3];
/** @param {string} one @param {string} other */
const isSame = (one, other) => {
  if (one === other) return true;
  if (one.replace(NUMBERS, "") !== other.replace(NUMBERS, "")) return false;
  const most = one.startsWith("rgb") ? SAME_CHANNEL : SAME_LENGTH;
  const numbers = other.match(NUMBERS) ?? [];
  return (one.match(NUMBERS) ?? []).every((number, at) => Math.abs(Number(number) - Number(numbers[at])) <= most);
};
// What changes nothing but where things are: needed only if something is elsewhere without them.
const GEOMETRY = new Set(
  ("box-sizing flex width height min-width min-height max-width max-height line-height text-align white-space overflow-wrap text-indent display object-fit " +
    "padding-top padding-right padding-bottom padding-left align-items justify-content").split(" "),
);
// Those of them that often are not needed where others are.
const SINGLE = ["white-space", "flex", "overflow-wrap"];
const edges = (element) => boxOf(element.getBoundingClientRect());
const outline = (element) => [edges(element), ...textRects(element).map(boxOf)].flat();
const isAt = (one, other) => one.length === other.length && one.every((value, at) => Math.abs(value - other[at]) <= SAME_LENGTH);
/** @param {any} element @param {Record<string, string>} css @param {string | null} own its style attribute */
const restyle = (element, css, own) => {
  own === null ? element.removeAttribute("style") : element.setAttribute("style", own);
  for (const [name, value] of Object.entries(css)) element.style.setProperty(name, value, "important");
};
/** What is left of an element's CSS without what changes nothing. @param {Record<string, string>} css @param {string[]} always @param {string | null} own its style attribute */
const needed = (element, css, always, own) => {
  let left = css;
  const drop = (names, isKept) => {
    const rest = Object.fromEntries(Object.entries(left).filter(([name]) => !names.includes(name)));
    restyle(element, rest, own);
    if (isKept()) left = rest;
    else restyle(element, left, own);
  };
  const before = outline(element);
  const isInPlace = () => isAt(before, outline(element));
  const lengths = Object.keys(css).filter((name) => GEOMETRY.has(name));
  if (lengths.length) drop(lengths, isInPlace);
  for (const name of SINGLE) if (name in left) drop([name], isInPlace);
  const computed = getComputedStyle(element);
  for (const name of Object.keys(left).filter((name) => !always.includes(name))) {
    const wanted = computed.getPropertyValue(name);
    drop([name], () => isSame(computed.getPropertyValue(name), wanted));
  }
  return left;
};
/** Without the properties that the page has anyway, once all others are applied. @param {Edit[]} edits @param {string[]} always */
export function pruned(edits, always) {
  apply(edits);
  const elements = edits.map(({ selector }) => /** @type {any} */ (document.querySelector(selector)));
  const styles = elements.map((element) => element?.getAttribute("style") ?? null);
  const before = elements.map((element) => element && outline(element));
  // In the elements themselves: after a change of a sheet the style of the whole page is computed again.
  for (const [at, element] of elements.entries()) {
    if (!element || !kept.__design2a11yRules[at]) continue;
    kept.__design2a11yRules[at].style.cssText = "";
    restyle(element, edits[at].css, styles[at]);
  }
  const left = edits.map(({ css }, at) => (elements[at] ? needed(elements[at], css, always, styles[at]) : css));
  // What one edit does without may be what another one needs.
  const found = edits.map(({ css }, at) => (elements[at] && !isAt(before[at], outline(elements[at])) ? css : left[at]));
  for (const [at, element] of elements.entries()) if (element) restyle(element, {}, styles[at]);
  return found;
}
function restore() {
  for (const undone of (kept.__design2a11yUndo ?? []).reverse()) undone();
  kept.__design2a11yUndo = [];
  document.getElementById(SHEET)?.remove();
}

/** The box of an element, or of its text without what has a place of its own. @param {Set<Element | null>} placed @returns {Box} */
const measured = (element, isText, placed) => {
  if (!isText || holds(element)) return boxOf(element.getBoundingClientRect());
  const isApart = (node) => node !== element && (placed.has(node) || isApart(node.parentElement));
  const texts = textsIn(element);
  const own = texts.filter((node) => !isApart(node.parentElement));
  const rects = (own.length ? own : texts).flatMap(textRects);
  return rects.length ? around(rects) : boxOf(element.getBoundingClientRect());
};
const inOrder = (one, other) => (one === other ? 0 : one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1);
/** Whether another cell of its table is none any more, so that the table does not size this one. */
const isTorn = (cell) => [...(cell.closest("table")?.querySelectorAll("td, th") ?? [])].some((other) => getComputedStyle(other).display === "block");
const isOfOtherSize = (own, box) => Math.abs(own[2] - box[2]) > 1 || Math.abs(own[3] - box[3]) > 1;
/** How far each thing has to be moved so that it ends where it is to be, given all that is applied; in document order. @param {Place[]} places */
export function settle(places) {
  const found = places
    .map((place) => ({ ...place, element: /** @type {any} */ (document.querySelector(place.selector)) }))
    .filter(({ element }) => element)
    .sort((one, other) => inOrder(one.element, other.element));
  const moves = {};
  const placed = new Set(found.map(({ element }) => element));
  const styles = new Map(found.map(({ element }) => [element, element.getAttribute("style")]));
  for (const { element, selector, box, isText } of found) {
    const own = measured(element, isText, placed);
    const style = getComputedStyle(element);
    const [right, down] = [box[0] - own[0], box[1] - own[1]];
    const isCell = !isText && style.display.startsWith("table-") && (isOfOtherSize(own, box) || isTorn(element));
    if (isCell) element.style.setProperty("display", "block", "important");
    if (isCell) moves[selector] = { display: "block" };
    if (Math.abs(right) < NEAR && Math.abs(down) < NEAR) continue;
    const isFree = /absolute|fixed/.test(style.position);
    const old = (name) => (isFree || style.position === "relative" ? parseFloat(style[name]) || 0 : 0);
    const css = { position: isFree ? style.position : "relative", left: `${round(old("left") + right)}px`, top: `${round(old("top") + down)}px` };
    if (isFree) Object.assign(css, { right: "auto", bottom: "auto" });
    for (const [name, value] of Object.entries(css)) element.style.setProperty(name, value, "important");
    moves[selector] = { ...moves[selector], ...css };
  }
  for (const [element, style] of styles) style === null ? element.removeAttribute("style") : element.setAttribute("style", style);
  return moves;
}
const round = (value) => Math.round(value * 100) / 100;

const SAMPLE = [..."imWag0eR"];
const MOST_APART = 0.06; // em; texts with some letters of another face are as far from their own
/** The name of the family whose letters are as wide as each of these fonts', if one of the names is. */
export function families(fonts, names) {
  const context = document.createElement("canvas").getContext("2d");
  return fonts.map(({ advances, weight, isItalic }) => {
    const apart = names.map((name) => {
      if (!context) return Number.POSITIVE_INFINITY;
      context.font = "1px serif";
      context.font = `${isItalic ? "italic " : ""}${weight} 100px ${name}`;
      if (context.font.startsWith("1px")) return Number.POSITIVE_INFINITY; // It is no name, such as "inherit".
      return Math.max(...SAMPLE.map((letter, at) => Math.abs(context.measureText(letter).width / 100 - advances[at])));
    });
    const least = Math.min(...apart);
    return least < MOST_APART ? names[apart.indexOf(least)] : null;
  });
}

const TOLD = "display position font-family font-size font-weight line-height letter-spacing color background-color border padding margin border-radius".split(" ");
/** Box, text, lines and style of the first element that a selector finds; null without one. @param {string} selector */
export function measure(selector) {
  let element;
  try {
    element = document.querySelector(selector);
  } catch {
    return null;
  }
  if (!element) return null;
  const style = getComputedStyle(element);
  const tops = textRects(element).map(({ top }) => Math.round(top));
  return {
    selector: selectorOf(element),
    count: document.querySelectorAll(selector).length,
    box: boxOf(element.getBoundingClientRect()).map(round),
    text: /** @type {HTMLElement} */ (element).innerText?.trim() ?? "",
    lines: new Set(tops).size,
    style: Object.fromEntries(TOLD.map((name) => [name, style.getPropertyValue(name)])),
  };
}
