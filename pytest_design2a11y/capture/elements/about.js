// A candidate's label, role and state.
import { controlText } from "../text/control_text.js";
import { frame, walked } from "../text/frame.js";

const MOST_LABEL = 120; // characters
/**
 * @typedef {object} About
 * @property {string} role
 * @property {string} label
 * @property {string} region
 * @property {string[]} states
 * @property {string} value
 * @property {string} placeholder
 * @property {[number, number] | null} naturalSize of a picture that has one
 * @property {boolean} isLooseFit whether a picture keeps its aspect ratio, whatever its box is
 * @property {boolean} covers whether it is placed over what is around it
 * @property {string} unloaded of an image without its file: "blocked", where another host refused it, or "missing"; or ""
 */

const ROLES = new Map(
  Object.entries({
    button: "button", summary: "button", textarea: "textbox", nav: "navigation", main: "main", aside: "complementary",
    form: "form", search: "search", table: "table", tr: "row", td: "cell", th: "columnheader", ul: "list", ol: "list",
    li: "listitem", dialog: "dialog", progress: "progressbar", meter: "meter", hr: "separator", article: "article",
    img: "img", svg: "img", canvas: "img", details: "group", fieldset: "group", option: "option",
  }),
);
const INPUT_ROLES = { checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton", search: "searchbox" };
const REGIONS = new Set(
  "navigation main complementary form search banner contentinfo region dialog alertdialog table grid menu tablist toolbar".split(" "),
);
const HEADINGS = /^h[1-6]$/;
const PAGE_ENDS = { header: "banner", footer: "contentinfo" };
const roleOf = (element, tag) => {
  const [own] = tidy(element.getAttribute("role")).split(" ");
  if (own) return own;
  if (tag === "a") return element.hasAttribute("href") ? "link" : "";
  if (tag === "input")
    return INPUT_ROLES[element.type] ?? (/^(submit|button|reset|image)$/.test(element.type) ? "button" : "textbox");
  if (tag === "select") return element.multiple || element.size > 1 ? "listbox" : "combobox";
  if (HEADINGS.test(tag)) return "heading";
  if (PAGE_ENDS[tag]) return element.closest("article, aside, main, nav, section") ? "" : PAGE_ENDS[tag];
  return ROLES.get(tag) ?? "";
};
export const regionOf = (element, tag, outer) => {
  const role = roleOf(element, tag);
  return REGIONS.has(role) ? role : outer;
};

// Any property of a form may be one of its fields.
const tidy = (text) => (typeof text === "string" ? text : "").replace(/[\s\p{Co}]+/gu, " ").trim().slice(0, MOST_LABEL).toWellFormed();
// Controls that are one thing, whatever they are drawn with: knobs, dots and tracks are parts of them. A row of a
// table that one can choose is none: its cells are things of their own.
const DRAWN_CONTROLS = /^(switch|checkbox|radio|menuitemcheckbox|menuitemradio|slider|progressbar|meter)$/;
export const controlOf = (element, tag, outer) => (tag !== "tr" && DRAWN_CONTROLS.test(roleOf(element, tag)) ? element : outer);

const SPEAKING = "a[href], button, summary, label, [role=button], [role=link], [role=tab], [role=menuitem], [aria-label], [title]";
const FIELDS = /^(input|select|textarea)$/;
// Its words as shown, separated where they lie apart.
const wordsIn = (element) => tidy(element?.childElementCount ? element.innerText : element?.textContent);
const nameOfElement = (element) => {
  const numbers = element.getAttribute("aria-labelledby")?.split(/\s+/) ?? [];
  const by = numbers.map((id) => element.getRootNode().getElementById?.(id)?.textContent ?? "").join(" ");
  const own = [by, element.getAttribute("aria-label"), element.getAttribute("alt"), element.labels?.[0]?.innerText];
  return own.map(tidy).find(Boolean) ?? "";
};
const labelOf = (element, tag) => {
  const named = nameOfElement(element) || (tag === "svg" ? tidy(element.querySelector("title")?.textContent) : "");
  const isSpeaking = element.matches(SPEAKING) || !element.childElementCount;
  const label = named || (isSpeaking && !FIELDS.test(tag) ? wordsIn(element) : "") || tidy(element.getAttribute("title"));
  if (label) return label;
  // A field without a label, other than a button, takes the words beside it, unless others or paragraphs are there; a panel its heading.
  const isField = FIELDS.test(tag) && !/^(submit|button|reset|image)$/.test(element.type);
  const around = element.parentElement;
  const isAlone = () => around?.querySelectorAll(`${SPEAKING}, input, select, textarea`).length === 1 && !/\n\n/.test(around.innerText.trim());
  const other = isField ? isAlone() && around : element.querySelector("h1, h2, h3, h4, h5, h6, legend, caption, th");
  const words = wordsIn(other || null);
  return words.length < MOST_LABEL ? words : "";
};

const statesOf = (element, tag) => {
  const control = (tag === "label" && element.control) || element;
  const says = (name, value = "true") => element.getAttribute(`aria-${name}`) === value;
  const current = element.getAttribute("aria-current");
  const opens = tag === "summary" ? element.parentElement : element;
  const found = {
    checked: control.checked || says("checked"),
    mixed: control.indeterminate || says("checked", "mixed"),
    selected: says("selected") || (tag === "option" && element.selected),
    disabled: control.matches(":disabled") || says("disabled"),
    expanded: says("expanded"),
    collapsed: says("expanded", "false"),
    current: Boolean(current) && current !== "false",
    pressed: says("pressed"),
    open: /^(details|dialog)$/.test(opens?.localName) && opens.open,
  };
  return Object.keys(found).filter((state) => found[state]).sort();
};
const GAUGES = /^(slider|progressbar|meter)$/;
const statedValue = (element, tag) => {
  if (GAUGES.test(element.getAttribute("role"))) return element.getAttribute("aria-valuenow") ?? "";
  if (/^(progress|meter)$/.test(tag)) return element.hasAttribute("value") ? `${element.value}` : "";
  if (tag === "input" && /^(range|color)$/.test(element.type)) return element.value;
  if (!/^(input|select|textarea)$/.test(tag) || element.type === "password") return "";
  const { text, isPlaceholder } = controlText(element, tag);
  return isPlaceholder ? "" : tidy(text);
};

// A drawing without words, in a label or after its checkbox, stands for that, if it is not visible itself.
const drawnControl = (element, isGenerated) => {
  const control = element.closest("label")?.control ?? element.previousElementSibling;
  if (!/^(checkbox|radio)$/.test(control?.type) || (!isGenerated && tidy(element.textContent))) return null;
  const [{ width, height }, style] = [control.getBoundingClientRect(), getComputedStyle(control)];
  return Math.min(width, height) <= 1 || style.opacity === "0" || style.visibility !== "visible" ? control : null;
};
// A drawing without a name represents the link or button that it stands in, and what is in a control represents that.
const speakerOf = (element, isDrawn, isGenerated, control) =>
  control ?? drawnControl(element, isGenerated) ?? (isDrawn && !nameOfElement(element) ? (element.closest(SPEAKING) ?? element) : element);
// Drawings that fit themselves into their box.
const DRAWN = /^data:image\/svg|\.svg([?#]|$)/i;
// Why an image has no file: its host was refused, or its site lacks it; "" if it has one.
export const unloadedBy = ({ localName, naturalWidth, currentSrc }) => {
  const [address] = (currentSrc ?? "").split("#");
  if (localName !== "img" || naturalWidth || !frame.unserved.has(address)) return "";
  return new URL(address).origin === origin ? "missing" : "blocked";
};
export const aboutOf = (element, tag, style, { region, covers, control }, isDrawn = /^(svg|canvas|img)$/.test(tag), isGenerated = false) => {
  const speaker = speakerOf(element, isDrawn, isGenerated, control);
  if (!walked.aboutNumbers.has(speaker)) {
    walked.aboutNumbers.set(speaker, walked.abouts.length);
    const own = speaker.localName;
    const { naturalWidth, naturalHeight } = element;
    const hasSize = tag === "img" && !DRAWN.test(element.currentSrc) && naturalWidth && naturalHeight;
    walked.abouts.push({
      role: roleOf(speaker, own),
      label: labelOf(speaker, own),
      region,
      states: statesOf(speaker, own),
      value: statedValue(speaker, own),
      placeholder: tidy(element.placeholder),
      naturalSize: hasSize ? [naturalWidth, naturalHeight] : null,
      isLooseFit: tag === "img" ? style.objectFit !== "fill" : !/^[\d.]+(px|%) [\d.]+(px|%)$/.test(style.backgroundSize),
      covers,
      unloaded: unloadedBy(element),
    });
  }
  return walked.aboutNumbers.get(speaker);
};
