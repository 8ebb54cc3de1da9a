// The targets probe's part in a frame: in its isolated world.
import {
  all, attribute, boxOf, called, elementOf, holderOf, isDisabled, isShown, isWithin, nameOf, numberOf, parentOf,
  place, textNodes, topAt,
} from "../capture/running/page.js";

const LEAST = 24;
const ROUNDING = 0.05;
const MOST = 2000;
const ROLES = "button link checkbox switch menuitem menuitemcheckbox menuitemradio option radio slider tab treeitem";
const TARGETS = ["a[href]", "button", "input:not([type=hidden])", "select", "textarea", "summary"]
  .concat(ROLES.split(" ").map((role) => `[role=${role}]`))
  .join();
const FIELDS = new Set(["input", "select", "textarea"]);

const isLabelOfHidden = (element) => nameOf(element) === "label" && element.control && !isShown(element.control) && !isDisabled(element.control);

// The area that takes clicks, as content may reach beyond its element. [left, top, right, bottom] in the page.
function areaOf(element) {
  const boxes = [element, ...all(element).filter((inner) => isShown(inner) && !inner.matches(TARGETS))].map(place);
  const [starts, ends] = [boxes, boxes.map(([x, y, width, height]) => [x + width, y + height])];
  return [Math.min(...starts.map(([x]) => x)), Math.min(...starts.map(([, y]) => y)), Math.max(...ends.map(([x]) => x)), Math.max(...ends.map(([, y]) => y))];
}
/** @param {number[]} area */
const isLarge = ([left, top, right, bottom]) => Math.min(right - left, bottom - top) >= LEAST - ROUNDING;
const middleOf = ([left, top, right, bottom]) => [(left + right) / 2, (top + bottom) / 2];

// Whether a click at its middle hits it.
function isHit(element) {
  element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const rect = Element.prototype.getClientRects.call(element)[0] ?? boxOf(element);
  const top = topAt(rect.x + rect.width / 2, rect.y + rect.height / 2);
  return top !== null && (isWithin(top, element) || isWithin(element, top) || top.closest("label")?.control === element);
}

const isInline = (element) => /^(inline|contents)/.test(getComputedStyle(element).display);
const blockOf = (element) => {
  let block = parentOf(element);
  while (block && isInline(block)) block = parentOf(block);
  return block;
};
// Whether it stands in a line of other text, whose height limits it.
function isInSentence(element) {
  if (FIELDS.has(nameOf(element)) || !isInline(element) || !/\p{L}/u.test(element.textContent)) return false;
  const block = blockOf(element);
  const isOther = (holder) =>
    isShown(holder) && !holder.closest(TARGETS) && (holder === block || (isInline(holder) && blockOf(holder) === block));
  return block !== null && [...textNodes(block)].some((node) => /[\p{L}\p{N}]/u.test(node.data) && isOther(holderOf(node)));
}

// Whether it has the browser's default size.
function isUnstyled(element) {
  if (!FIELDS.has(nameOf(element)) && nameOf(element) !== "button") return false;
  const written = attribute(element, "style");
  const before = boxOf(element);
  element.style.setProperty("all", "revert", "important");
  const after = boxOf(element);
  if (written === null) element.removeAttribute("style");
  else element.setAttribute("style", written);
  return Math.abs(before.width - after.width) < 0.5 && Math.abs(before.height - after.height) < 0.5;
}

const isSame = (one, other) => isWithin(one, other) || isWithin(other, one) || one.control === other || other.control === one;
// The target that is too near, and its distance from the middle.
function tooNear(target, targets) {
  const [x, y] = middleOf(target.area);
  /** @type {{ element: Element, distance: number } | null} */
  let nearest = null;
  for (const other of targets) {
    if (other === target || isSame(target.element, other.element)) continue;
    const [left, top, right, bottom] = other.area;
    const toArea = Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
    const [otherX, otherY] = middleOf(other.area);
    const toMiddle = other.isLarge ? Infinity : Math.hypot(otherX - x, otherY - y);
    if (toArea >= LEAST / 2 - ROUNDING && toMiddle >= LEAST - ROUNDING) continue;
    const distance = Math.min(toArea, toMiddle);
    if (!nearest || distance < nearest.distance) nearest = { element: other.element, distance };
  }
  return nearest;
}

// "#" stands for anything that a script does on click.
const leads = ({ href }) => typeof href === "string" && !/^javascript:|#$/.test(href) && href !== location.href;
function hasEquivalent({ element }, targets) {
  if ([...(element.labels ?? [])].some((label) => isShown(label) && isLarge(areaOf(label)))) return true;
  return leads(element) && targets.some((other) => other.isLarge && other.element.href === element.href);
}

// [number, outcome, why] of everything that people click.
export function found(clicked) {
  const more = new Set(clicked.map(elementOf));
  const elements = all().filter((element) => (element.matches(TARGETS) || more.has(element) || isLabelOfHidden(element)) && isShown(element) && !isDisabled(element));
  const measured = elements.slice(0, MOST).map((element) => {
    const area = areaOf(element);
    return { element, area, isLarge: isLarge(area) };
  });
  const targets = measured.filter(({ element }) => isHit(element));
  return targets.map((target) => [numberOf(target.element), ...outcomeOf(target, targets)]);
}
function outcomeOf(target, targets) {
  const { element, area } = target;
  if (target.isLarge || isInSentence(element)) return ["passed", ""];
  const near = tooNear(target, targets);
  if (!near || hasEquivalent(target, targets) || isUnstyled(element)) return ["passed", ""];
  const size = `${Math.round(area[2] - area[0])} x ${Math.round(area[3] - area[1])} px`;
  const words = called(near.element) || nameOf(near.element);
  const why = `It is ${size}, and “${words}” is ${Math.round(near.distance)} px from its middle: it needs ${LEAST} x ${LEAST} px, or a circle as wide to itself.`;
  return [element instanceof SVGElement ? "unsure" : "failed", why];
}
