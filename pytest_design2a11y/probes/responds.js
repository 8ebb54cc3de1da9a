// Which controls there are, and what changes when one is clicked: in the isolated world of the main frame.
import {
  all, ancestors, attribute, boxOf, brief, called, deepest, elementOf, has, isDisabled, isShown, isWithin, nameOf, numberOf,
  parentOf, place, topAt,
} from "../capture/running/page.js";

const ROLES = "button link tab menuitem menuitemcheckbox menuitemradio switch checkbox radio option combobox treeitem slider";
const CONTROLS = ["a[href]", "button", "input:not([type=hidden])", "select", "textarea", "summary", "[onclick]"]
  .concat(ROLES.split(" ").map((role) => `[role=${role}]`))
  .join();
const FIELDS = "textarea, select, input:not([type=button], [type=submit], [type=reset], [type=image], [type=checkbox], [type=radio])";
// Of controls with one name, as in the rows of a table, so many are tried; and of all controls together.
const ALIKE = 3;
const MOST = 40;
const LEAST_SIZE = 4;

const plain = (text) => brief(text ?? "", 100).toLowerCase();
function nameFor(element) {
  const label = [...(element.labels ?? [])].map((one) => one.textContent).join(" ");
  const value = /^(button|submit|reset)$/.test(element.type ?? "") ? attribute(element, "value") : "";
  const picture = element.querySelector?.("img[alt], svg title");
  const text = nameOf(element) === "select" ? "" : called(element);
  const inner = picture ? attribute(picture, "alt") || picture.textContent : "";
  return brief(text || label || value || attribute(element, "placeholder") || attribute(element, "title") || inner || "", 100);
}
const ROLE_OF = { a: "link", button: "button", summary: "button", select: "combobox", textarea: "textbox" };
const INPUTS = { button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox", radio: "radio", range: "slider" };
const roleOf = (element) =>
  attribute(element, "role") || (nameOf(element) === "input" ? INPUTS[element.type] ?? "textbox" : ROLE_OF[nameOf(element)] ?? "");

// What is chosen already has nothing left to do.
const isChosen = (element) => element.matches("[aria-selected=true], [aria-current]:not([aria-current=false]), [type=radio]:checked");
const isUsable = (element) => {
  const { width, height } = boxOf(element);
  return isShown(element) && Math.min(width, height) >= LEAST_SIZE && !element.closest("[aria-hidden=true]");
};
// A link that leads to another document, and on which no script listens, need not be clicked.
function leadsAway(element, heard) {
  if (nameOf(element) !== "a" || [element, ...ancestors(element)].some((outer) => heard.has(outer))) return false;
  const address = new URL(element.href, document.baseURI);
  return /^(mailto|tel|sms):$/.test(address.protocol) || (address.protocol !== "javascript:" && address.href.split("#")[0] !== location.href.split("#")[0]);
}

// Numbers all elements, so that they have the same numbers each time that the page is opened; returns how many there are.
export function number() {
  for (const element of all()) numberOf(element);
  return all().length;
}

const alike = (elements, name, role) => elements.filter((element) => plain(nameFor(element)) === plain(name) && (!role || roleOf(element) === role));
// Controls that can be tried: number, role, name, which one of how many with both it is, its middle in the page, and whether
// it leads away without a click.
export function controls(listeners) {
  const heard = new Set(listeners.filter(([, type]) => /^(click|mousedown|mouseup|pointerdown|pointerup)$/.test(type)).map(([number]) => elementOf(number)));
  const isControl = (element) => element.matches(CONTROLS) || (heard.has(element) && getComputedStyle(element).cursor === "pointer");
  const found = all().filter((element) => isControl(element) && isUsable(element) && !isDisabled(element) && !isChosen(element));
  const counts = new Map();
  const kept = found.filter((element) => {
    const key = `${roleOf(element)} ${plain(nameFor(element))}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.get(key) <= ALIKE && !ancestors(element).some((outer) => found.includes(outer));
  });
  const known = all().filter((element) => isUsable(element) && element.matches(CONTROLS));
  return kept.slice(0, MOST).map((element) => {
    const [role, name] = [roleOf(element), nameFor(element)];
    const same = alike(known, name, role);
    return { number: numberOf(element), role, name, which: [same.indexOf(element), same.length], at: middleOf(element), leads: leadsAway(element, heard) };
  });
}

function middleOf(element) {
  const [x, y, width, height] = place(element);
  return [x + width / 2, y + height / 2];
}

// For each control of the design, the number of its counterpart here, null if there is none: the control of its name and
// role, of its name, or the innermost element with its words; of several the one of the same number, or else the nearest.
const NEAR = 80;
export function counterparts(wanted) {
  const shown = all().filter(isUsable);
  const controls = shown.filter((element) => element.matches(CONTROLS));
  const taken = new Set();
  return wanted.map(({ role, name, which: [index, count], at }) => {
    const distance = (element) => Math.hypot(...middleOf(element).map((value, axis) => value - at[axis]));
    const nearest = (elements) => elements.filter((element) => !taken.has(element)).sort((one, other) => distance(one) - distance(other))[0];
    const same = alike(controls, name, role);
    const words = name ? alike(shown, name, "") : [];
    const innermost = words.filter((element) => !words.some((inner) => inner !== element && isWithin(inner, element)));
    const found = name
      ? (same.length === count && same[index]) || nearest(same) || nearest(alike(controls, name, "")) || nearest(innermost)
      : nearest(same.filter((element) => distance(element) <= NEAR));
    if (!found) return null;
    taken.add(found);
    return numberOf(found);
  });
}

// Scrolls a control into view and returns a point of the window that hits it, or at least lies on it.
export function aim(number) {
  const element = elementOf(number);
  Element.prototype.scrollIntoView.call(element, { block: "center", inline: "center", behavior: "instant" });
  const rect = Element.prototype.getClientRects.call(element)[0] ?? boxOf(element);
  const points = [0.5, 0.2, 0.8].map((across) => [rect.x + across * rect.width, rect.y + rect.height / 2]);
  return points.find(([x, y]) => isWithin(topAt(x, y) ?? document.body, element)) ?? points[0];
}

const STATES = "aria-expanded aria-selected aria-pressed aria-checked aria-current aria-hidden open".split(" ");
const STYLES = "color backgroundColor borderTopColor opacity backgroundImage textDecorationLine fontWeight fill boxShadow".split(" ");
const ownText = (element) => [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data.trim()).join(" ");
function factsOf(element) {
  const { checked, value, selectedIndex, scrollTop, scrollLeft, paused } = element;
  const states = STATES.map((name) => attribute(element, name));
  const style = getComputedStyle(element);
  // The window's own scrolling is read apart.
  const scrolled = element === document.scrollingElement ? [] : [scrollTop, scrollLeft];
  return {
    text: ownText(element),
    state: JSON.stringify([states, checked, value, selectedIndex, paused, ...scrolled]),
    box: place(element).map(Math.round),
    style: STYLES.map((name) => style[name]).join(),
  };
}
const look = () => ({
  elements: new Map(all().filter(isShown).map((element) => [element, factsOf(element)])),
  scroll: [scrollX, scrollY],
  address: location.href,
});
/** @type {any} how the page looked before the click, and before the pointer came */
let before = null;
/** @type {any} */
let resting = null;
const restless = new Set();
const isMoved = (one, other) => one.some((side, at) => Math.abs(side - other[at]) > 4);

export function remember() {
  before = look();
}
// What has changed since `remember` changes by itself, and says nothing.
export function heed() {
  const now = look();
  for (const [element, facts] of now.elements) {
    const earlier = before.elements.get(element);
    if (!earlier || JSON.stringify(earlier) !== JSON.stringify(facts)) restless.add(element);
  }
  for (const element of before.elements.keys()) if (!now.elements.has(element)) restless.add(element);
  before = now;
}

// What the pointer alone has changed is no answer to a click.
export function pointed() {
  resting = before;
  before = look();
}

const isCalm = (element) => !restless.has(element) && !ancestors(element).some((outer) => restless.has(outer));
const words = (element) => `“${brief(nameFor(element) || nameOf(element), 40)}”`;
const outermost = (elements) => elements.find((element) => !elements.includes(/** @type {any} */ (parentOf(element))));
// [kind, what] of what a click has changed: "leads" to another address, "changes" the page where it is, "routes" (both, by
// the address's fragment), "jumps" to a place, or "takes" (a field gets the focus); null if nothing has.
export function difference(number) {
  const [clicked, now] = [elementOf(number), look()];
  const [[page, fragment], [earlier, fragmentBefore]] = [now.address, before.address].map((address) => address.split("#"));
  if (page !== earlier) return ["leads", `leads to ${brief(page, 80)}`];
  const changes = fragment && fragment !== fragmentBefore ? "routes" : "changes";
  const roots = [document.documentElement, document.body];
  const shared = [...now.elements].filter(([element]) => before.elements.has(element) && isCalm(element) && !roots.includes(element));
  const differs = (field) => shared.find(([element, facts]) => before.elements.get(element)[field] !== facts[field])?.[0];
  const hasContent = (element) => called(element) !== "" || element.querySelector("img, svg, input, canvas, video") !== null || has(element, "src");
  const shown = outermost([...now.elements.keys()].filter((element) => !before.elements.has(element) && isCalm(element) && hasContent(element)));
  if (shown) return [changes, `shows ${words(shown)}`];
  const hidden = outermost([...before.elements.keys()].filter((element) => !now.elements.has(element) && isCalm(element)));
  if (hidden) return [changes, `hides ${words(hidden)}`];
  const changed = differs("text") ?? differs("state");
  if (changed) return [changes, `changes ${words(changed)}`];
  const moved = shared.find(([element, { box }]) => isMoved(box, before.elements.get(element).box))?.[0];
  if (moved) return [changes, `moves ${words(moved)}`];
  // A link to "#" scrolls to the top only because it leads nowhere.
  if (isMoved(now.scroll, before.scroll) && fragment !== "") return ["jumps", "scrolls the page"];
  if (fragment && document.querySelector(":target") && isShown(document.querySelector(":target"))) return ["jumps", `leads to #${brief(fragment)}`];
  return focused(clicked);
}
function focused(clicked) {
  const element = /** @type {any} */ (deepest());
  if (!element || element === document.body) return null;
  if (isWithin(element, clicked)) return element.matches(FIELDS) && !element.readOnly ? ["takes", "takes the focus"] : null;
  return isWithin(clicked, element) ? null : ["changes", `moves the focus to ${words(element)}`];
}
// What looks different once the pointer and the focus have gone; null if nothing does.
export function lookDifference() {
  const now = look();
  const found = [...now.elements].find(([element, { style }]) => isCalm(element) && resting.elements.has(element) && resting.elements.get(element).style !== style);
  return found ? ["changes", `changes the look of ${words(found[0])}`] : null;
}
