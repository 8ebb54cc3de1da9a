// Finds the text that an element is about, for findings: in the isolated world in which the frame's text was read.
import { parentOf, read } from "../page/tree.js";

const MOST = 200_000;
// Elements that make up one piece of text, whatever elements its words are in.
const PIECES = new Set(
  "a button caption dd dt figcaption h1 h2 h3 h4 h5 h6 label legend li option p summary td th".split(" "),
);
const PIECE_ROLES = new Set(
  "button checkbox heading link menuitem menuitemcheckbox menuitemradio option radio switch tab tooltip treeitem".split(" "),
);
const isPiece = (element) => {
  const role = Element.prototype.getAttribute.call(element, "role");
  return role === null ? PIECES.has(read(Element.prototype, "localName", element)) : PIECE_ROLES.has(role.trim());
};
const isPage = (element) =>
  element === document.documentElement || element === document.body || Boolean(document.head?.contains(element));

/**
 * @typedef {object} ElementTexts
 * @property {boolean} isPage whether it is the page itself (html, body, anything in the head)
 * @property {number[]} own the owners of the text it is about
 * @property {number[]} around other owners of text somewhere within it
 */

// Returns null if no text was read, or the lists are too long.
/** @param {Element[]} wanted @returns {ElementTexts[] | null} */
export function texts(wanted) {
  const text = globalThis.__design2a11yText;
  if (!text) return null;
  const parents = new Map();
  const above = (element) => {
    if (!parents.has(element)) parents.set(element, parentOf(element));
    return parents.get(element);
  };
  /** @type {Map<Element, any>} */
  const found = new Map(wanted.map((element) => [element, { own: new Set(), around: new Set() }]));
  const elementsOf = new Map();
  text.runOwners.forEach((owner, run) => {
    if (!elementsOf.has(owner)) elementsOf.set(owner, new Set());
    for (const element of text.elements[run]) elementsOf.get(owner).add(element);
  });
  let length = 0;
  /** @param {Element} element @param {"own" | "around"} group @param {number} owner */
  const note = (element, group, owner) => {
    const owners = found.get(element)?.[group];
    if (owners && !owners.has(owner)) {
      owners.add(owner);
      length += 1;
    }
  };
  for (const [top, owner] of text.owners) {
    const seen = new Set([top]);
    for (let node of elementsOf.get(owner) ?? []) {
      for (; node && !seen.has(node); node = above(node)) {
        seen.add(node);
        note(node, "own", owner);
      }
    }
    note(top, "own", owner);
    for (let node = above(top); node; node = above(node)) note(node, isPiece(node) ? "own" : "around", owner);
    if (length > MOST) return null;
  }
  return wanted.map((element) => {
    const { own, around } = found.get(element);
    return { isPage: isPage(element), own: [...own], around: isPage(element) ? [] : [...around] };
  });
}
