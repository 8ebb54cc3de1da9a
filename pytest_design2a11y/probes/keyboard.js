// The keyboard probe's part in a frame: in its isolated world.
import {
  all, ancestors, attribute, boxOf, called, coverAt, deepest, elementOf, has, hidCaret, isDisabled, isPinned, isShown,
  isWithin, nameOf, numberOf, parentOf, place,
} from "../capture/running/page.js";

const WIDGETS = new Set(
  ("button link checkbox switch menuitem menuitemcheckbox menuitemradio tab option radio treeitem slider " +
    "spinbutton combobox textbox searchbox").split(" "),
);
// Tab reaches one of their items; arrow keys move between the others.
const COMPOSITES = new Set("tablist menu menubar listbox radiogroup tree grid treegrid toolbar".split(" "));
const NATIVE =
  "a[href], area[href], button, input:not([type=hidden]), select, textarea, summary, audio[controls], " +
  "video[controls], [contenteditable]:not([contenteditable=false]), [tabindex]";
const CLICKS = new Set("click dblclick mousedown mouseup pointerdown pointerup touchstart touchend".split(" "));
// More kinds of events come from a framework that listens for the whole page.
const FEW_KINDS = 12;
// Share of the window's area above which an element without text is a backdrop.
const BACKDROP = 0.25;
// Pixels in a frame that shows something.
const LEAST_FRAME = 10;

const isFrame = (element) => ["iframe", "frame", "object", "embed"].includes(nameOf(element));
const isFocusable = (element) =>
  element.matches(NATIVE) && !isFrame(element) && element.tabIndex >= 0 && !isDisabled(element) && !isHiddenSummary(element);
const isHiddenSummary = (element) =>
  nameOf(element) === "summary" && !has(element, "tabindex") && element !== element.parentElement?.querySelector(":scope > summary");
// Whether people are meant to use the content of a frame element.
export function isUsable(number) {
  const element = elementOf(number);
  const { width, height } = boxOf(element);
  return isShown(element) && Math.min(width, height) >= LEAST_FRAME && !isDisabled(element);
}
const roleOf = (element) => (attribute(element, "role") ?? "").trim().split(/\s+/)[0];
const pointer = (element) => getComputedStyle(element).cursor === "pointer";
const ownsPointer = (element) => {
  const parent = parentOf(element);
  return pointer(element) && !(parent && pointer(parent));
};

// [number, name, kind]; kind: "focusable" should be reached; "control" reacts to clicks but is not focusable;
// "listener" may only observe them.
export function controls(listeners) {
  const kinds = new Map();
  for (const [number, type] of listeners) kinds.set(number, (kinds.get(number) ?? new Set()).add(type));
  const found = [];
  for (const element of all()) {
    const kind = kindOf(element, kinds.get(numberOf(element)) ?? new Set());
    if (kind) found.push([numberOf(element), called(element) || nameOf(element), kind]);
  }
  return found;
}

function kindOf(element, heard) {
  if (!isShown(element) || isDisabled(element)) return null;
  if (isFocusable(element)) return isOneOfGroup(element) ? null : "focusable";
  const clicks = [...heard].filter((type) => CLICKS.has(type));
  const hasClick = clicks.includes("click") && heard.size <= FEW_KINDS;
  const isWidget = WIDGETS.has(roleOf(element));
  if (!(clicks.length && heard.size <= FEW_KINDS) && !(isWidget && ownsPointer(element))) return null;
  if (!mayBeControl(element)) return null;
  return (hasClick && (isWidget || pointer(element) || nameOf(element) === "a")) || (isWidget && pointer(element))
    ? "control"
    : "listener";
}

// A click on a label goes to its field; a click on what contains or lies in something focusable can be made from there.
function mayBeControl(element) {
  if (["html", "body", "label", "option", "form", "dialog"].includes(nameOf(element))) return false;
  const above = ancestors(element);
  if (above.some((outer) => isFocusable(outer) || nameOf(outer) === "label")) return false;
  if (above.some((outer) => COMPOSITES.has(roleOf(outer))) && WIDGETS.has(roleOf(element))) return false;
  if (all(element).some((inner) => isFocusable(inner))) return false;
  const { width, height } = boxOf(element);
  return called(element) !== "" || width * height < BACKDROP * innerWidth * innerHeight;
}

// Among radio buttons of the same name, and items of a composite, Tab reaches only one.
function isOneOfGroup(element) {
  if (nameOf(element) === "input" && element.type === "radio" && element.name) return true;
  return WIDGETS.has(roleOf(element)) && ancestors(element).some((outer) => COMPOSITES.has(roleOf(outer)));
}

// The focused element; null if none in this frame has the focus.
export function active() {
  const element = /** @type {HTMLInputElement | null} */ (deepest());
  if (!element || !document.hasFocus()) return null;
  if (element === document.documentElement || (element === document.body && !has(element, "tabindex"))) return null;
  const labels = [...(element.labels ?? [])].filter(isShown);
  return {
    number: numberOf(element),
    name: called(element) || nameOf(element),
    isFrame: isFrame(element),
    isShown: isShown(element),
    hasCaret: isTextField(element) && caretShows(element),
    isFixed: isPinned(element),
    tabIndex: element.tabIndex,
    box: place(element),
    areas: [element, ...labels].map(place),
    cover: coverOf(element, labels),
    numOpened: numOpened(),
  };
}

// Dialogs and windows that the page has tried to open (see watch.js).
export const numOpened = () =>
  ["open", "alert", "confirm", "prompt"].reduce((sum, name) => sum + (globalThis.attempts?.[name] ?? 0), 0);

const TEXT = "textarea, input:is(:not([type]), [type=text], [type=search], [type=email], [type=url], [type=tel], " +
  "[type=password], [type=number]), [contenteditable]:not([contenteditable=false])";
const isTextField = (element) => element.matches(TEXT) && !element.readOnly;
const caretShows = (element) => {
  const { width, height } = boxOf(element);
  return isShown(element) && width > 4 && height > 4 && getComputedStyle(element).color !== "rgba(0, 0, 0, 0)" &&
    !hidCaret(element);
};

// What hides a focused element completely; null if some of it shows, or none of it is in the window.
function coverOf(element, labels) {
  const { left, top, width, height } = boxOf(element);
  if (!isShown(element)) return null;
  const places = [0.1, 0.3, 0.5, 0.7, 0.9].flatMap((across) =>
    [0.15, 0.5, 0.85].map((down) => [left + across * width, top + down * height]));
  const cover = coverAt(places, (found) => isWithin(element, found) || [element, ...labels].some((part) => isWithin(found, part)));
  if (!cover) return null;
  return { name: called(cover) || nameOf(cover), isPinned: isPinned(cover, element) };
}

// Whether the page mentions keys, which may lead out of a trap.
export const mentionsKeys = () =>
  /\b(ctrl|control|alt|option|cmd|command|shift|esc|escape|f\d{1,2})\b\s*[+-]|\bpress\b|\bkey(s|board)?\b/i.test(document.body?.innerText ?? "");
export const scroll = (x, y) => scrollTo({ left: x, top: y, behavior: "instant" });
