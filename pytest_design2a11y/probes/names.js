// The names probe's part in a frame: in its isolated world.
import { all, attribute, boxOf, brief, called, has, holderOf, isShown, nameOf, numberOf, textNodes } from "../capture/running/page.js";

const LONGEST = 300;
const LABELED =
  "a[href], button, summary, input[type=button], input[type=submit], input[type=reset], [role=button], [role=link], " +
  "[role=checkbox], [role=menuitem], [role=menuitemcheckbox], [role=menuitemradio], [role=option], [role=radio], " +
  "[role=switch], [role=tab], [role=treeitem]";

const isMeant = (element) => isShown(element) && !element.closest("[aria-hidden=true]");

// The visible text of an element, without its hidden parts.
function visibleText(element) {
  if (nameOf(element) === "input") return element.value;
  const range = document.createRange();
  const isLarge = ({ width, height }) => width > 2 && height > 2;
  const isSeen = (node) => {
    range.selectNodeContents(node);
    return isLarge(range.getBoundingClientRect()) && isShown(holderOf(node)) && isLarge(boxOf(holderOf(node)));
  };
  return [...textNodes(element)].filter(isSeen).map((node) => node.data).join(" ");
}

// [number, visible text] of elements that have a label besides their text.
export function labeled() {
  return all()
    .filter((element) => element.matches(LABELED) && (has(element, "aria-label") || has(element, "aria-labelledby")) && isMeant(element))
    .map((element) => [numberOf(element), brief(visibleText(element), Infinity)])
    .filter(([, text]) => text);
}

// [number, alternative text, file name] of pictures that have one.
export function pictures() {
  const found = all().filter((element) => ["img", "area"].includes(nameOf(element)) || attribute(element, "role") === "img" || element.matches("input[type=image]"));
  return found
    .filter(isMeant)
    .map((element) => {
      const alternative = attribute(element, "aria-label") || attribute(element, "alt") || attribute(element, "title") || "";
      const source = attribute(element, "src") ?? "";
      const file = source.startsWith("data:") ? "" : source.split(/[?#]/)[0].split("/").at(-1);
      return [numberOf(element), brief(alternative, LONGEST), brief(file, LONGEST)];
    })
    .filter(([, alternative]) => alternative);
}

// [number, name] of links, as far as their own content gives it.
export function links() {
  return all()
    .filter((element) => element.matches("a[href], [role=link]") && isMeant(element) && !has(element, "aria-labelledby"))
    .map((element) => {
      const pictures = [...element.querySelectorAll("img[alt]")].map((picture) => attribute(picture, "alt"));
      const name = attribute(element, "aria-label") || [called(element), ...pictures].join(" ");
      return [numberOf(element), brief(name, Infinity)];
    })
    .filter(([, name]) => name);
}
