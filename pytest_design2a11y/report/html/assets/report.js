// Shows the part that the address names: the overview, a page, the comparison or the statistics.
import { element, elementOf, pictureAddress, withQuery } from "./elements.js";
import { Overview } from "./overview.js";
import { PageView } from "./page.js";
import { MODES } from "./stage.js";

const title = document.title;
const views = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".view"));
const overview = new Overview(elementOf("cards"), elementOf("filters"), replaceAddress);
/** @type {PageView | null} */
let pageView = null;

// Keeps the address up to date with the view, without a history entry for every letter typed.
function replaceAddress(query) {
  history.replaceState(null, "", `#${withQuery("pages", query)}`);
  route();
}

function route() {
  const [view, text] = location.hash.slice(1).split("?");
  const query = new URLSearchParams(text);
  const number = /^page-\d+$/.test(view) ? Number(view.slice(5)) : null;
  const shown = number !== null ? "page" : [...views].some(({ id }) => id === view && id !== "page") ? view : "pages";
  overview.apply(query);
  if (shown === "comparison") showPictures();
  for (const node of views) node.hidden = node.id !== shown;
  for (const tab of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".tabs a"))) {
    const isCurrent = tab.hash === `#${shown === "page" ? "pages" : shown}` || tab.hash.startsWith(`#${shown}?`);
    tab.toggleAttribute("aria-current", isCurrent);
    if (isCurrent) tab.setAttribute("aria-current", "page");
  }
  if (pageView?.number === number) return;
  const last = pageView;
  last?.stage?.setBlinking(false);
  pageView = null;
  if (number !== null) showPage(number, query);
  else {
    document.title = title;
    if (last) overview.linkTo(last.number)?.focus();
    else if (view) scrollTo(0, 0);
  }
}

// The pictures of a comparison follow it in the file, as those of pages do.
function showPictures() {
  for (const image of /** @type {NodeListOf<HTMLImageElement>} */ (document.querySelectorAll("#comparison [data-picture]"))) {
    const address = pictureAddress(image.dataset.picture);
    if (!address) continue;
    image.src = address;
    image.removeAttribute("data-picture");
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", showPictures, { once: true });
}

function showPage(number, query) {
  const holder = elementOf("page");
  const island = elementOf(`page-${number}`);
  if (!island) {
    const isLoading = document.readyState === "loading";
    holder.replaceChildren(element("p", { class: "lead", role: "status" }, isLoading ? "This page is still being read …" : "There is no such page."));
    if (isLoading) document.addEventListener("DOMContentLoaded", route, { once: true });
    return;
  }
  const view = new PageView(number, JSON.parse(island.textContent), query, overview);
  pageView = view;
  holder.replaceChildren(...view.nodes);
  view.stage?.place();
  document.title = `${view.record.name} · ${title}`;
  scrollTo(0, 0);
  holder.querySelector("h1").focus({ preventScroll: true });
}

/** @type {[string, string, (key: string) => void][]} */
const KEYS = [
  ["n", "next page", () => pageView?.go("next")],
  ["p", "previous page", () => pageView?.go("prev")],
  ["u", "up to all pages", () => { if (pageView) location.hash = withQuery("pages", overview.query()); }],
  ["j", "next finding", () => pageView?.step(1)],
  ["k", "previous finding", () => pageView?.step(-1)],
  ["z", "zoom to the finding, and back", () => pageView?.zoom()],
  ["1 – 5", "side by side, slider, overlay, blink, difference", (key) => pageView?.setMode(MODES[Number(key) - 1]?.[0])],
  ["/", "search", () => { if (!pageView) overview.field("q").focus(); }],
  ["?", "these keys", () => help.showModal()],
];
const help = element(
  "dialog",
  { class: "help", "aria-labelledby": "help-title" },
  element("h2", { id: "help-title" }, "Keys"),
  element("dl", {}, KEYS.map(([key, text]) => element("div", {}, element("dt", {}, element("kbd", {}, key)), element("dd", {}, text)))),
  element("p", {}, "On a mark: ↑ and ↓ go from finding to finding, ← and → to its counterpart on the other picture, Enter opens it in the list."),
  element("label", { class: "check" }, element("input", { type: "checkbox", id: "keys-on", checked: true }), "Single-key shortcuts"),
  element("form", { method: "dialog" }, element("button", { type: "submit", class: "button" }, "Close")),
);
document.body.append(help);
document.querySelector(".top")?.append(element("button", { type: "button", class: "button", click: () => help.showModal() }, "Keys"));
addEventListener("keydown", (event) => {
  // Hides what the pointer shows over a picture (WCAG 1.4.13), even with shortcuts turned off.
  if (event.key === "Escape") pageView?.point(null, true);
  const isTyping = /** @type {Element} */ (event.target).closest?.("input:not([type=radio], [type=checkbox], [type=range]), select, dialog");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !elementOf("keys-on").checked) return;
  const entry = KEYS.find(([key]) => key === event.key || (key === "1 – 5" && /^[1-5]$/.test(event.key)));
  if (!entry) return;
  event.preventDefault();
  entry[2](event.key);
});
addEventListener("hashchange", route);
addEventListener("resize", () => pageView?.stage?.place());
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  elementOf("main").focus();
});

// On paper, a page that is shown stands alone; else all views, and then every page of the overview, have their turn.
function print() {
  const printed = elementOf("printed");
  if (!pageView && !printed.hasChildNodes()) {
    for (const node of views) node.hidden = node.id === "page";
    showPictures();
    const islands = overview.visible().map((number) => [number, elementOf(`page-${number}`)]).filter(([, island]) => island);
    const pages = islands.map(([number, island]) => new PageView(number, JSON.parse(island.textContent), new URLSearchParams(), overview));
    printed.append(...pages.map((page) => element("section", {}, page.nodes)));
    for (const page of pages) {
      page.findings.open();
      page.stage?.place();
    }
  }
  pageView?.findings.open();
  for (const details of document.querySelectorAll("details")) details.open = true;
}
addEventListener("beforeprint", print);
addEventListener("afterprint", () => {
  elementOf("printed").replaceChildren();
  route();
});
route();
