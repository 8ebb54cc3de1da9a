// The findings of a page: numbered by cost, and listed beside the pictures.
import { chip, counted, drawn, element, pairs, pictureAddress } from "./elements.js";

// The worst first.
export const SEVERITIES = { critical: "Critical", serious: "Serious", moderate: "Moderate", minor: "Minor" };
export const CATEGORIES = { text: "Text", elements: "Elements", typography: "Typography", accessibility: "Accessibility" };

// The others are marked when pointed at, or when all marks are shown.
const MOST_MARKED = 5;

export class Findings {
  constructor(record, on) {
    this.record = record;
    this.on = on;
    this.all = record.groups.flatMap((group) => group.findings.map((finding) => Object.assign(finding, { group, category: group.category })));
    this.all.forEach((finding, place) => {
      finding.number = place + 1;
      finding.label = finding.group.help ? `${finding.group.help}: ${finding.message}` : finding.message;
    });
    const weight = ({ cost, group }) => cost ?? (group.isCounted === false ? 0 : group.cost / group.count);
    // Several findings in one place share one mark.
    const places = new Set();
    for (const finding of [...this.all].sort((one, other) => weight(other) - weight(one))) {
      const place = String(finding.boxes);
      if (finding.boxes.some(Boolean) && (places.has(place) || places.size < MOST_MARKED)) {
        places.add(place);
        finding.isMarked = true;
      }
    }
    this.counts = new Map();
    for (const { category, severity } of this.all) for (const kind of [category, severity]) this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    this.entries = new Map();
    this.node = element("section", { class: "findings", "aria-label": "Findings, the most costly first" }, this.groups());
  }

  groups() {
    const { lacksDetails, groups } = this.record;
    const lacking = "Only critical and serious differences are kept with this run: one of --save keeps all on the machine that measured it.";
    const note = lacksDetails ? lacking : groups.length ? null : "No differences found.";
    return [note && element("p", { class: "muted" }, note), ...groups.map((group, place) => this.group(group, place))];
  }

  group(group, place) {
    const hidden = group.count - group.findings.length;
    const isAccepted = group.accepted >= group.count;
    const severity = worstOf(group.findings) ?? group.impact;
    return element(
      "details",
      { class: `group ${group.category}`, "data-severity": severity, "data-category": group.category, open: place < 2 || group.findings.length < 4 },
      element(
        "summary",
        {},
        element("span", { class: "key", "aria-hidden": "true" }),
        element("span", { class: "what" }, group.title, isAccepted ? [" ", chip("plain", "accepted")] : null),
        severity && element("span", { class: "severity" }, severity),
        group.isCounted !== false && cost(group.cost, group.category === "accessibility" ? "adds to weighted_ir" : "costs"),
      ),
      group.help ? element("p", { class: "about" }, ruleLink(group)) : null,
      group.accepted ? element("p", { class: "about muted" }, acceptance(group)) : null,
      element("ol", {}, group.findings.map((finding) => this.entry(finding))),
      hidden > 0 ? element("p", { class: "about muted" }, `and ${counted(hidden, "more", "more")}`) : null,
    );
  }

  entry(finding) {
    const { number, severity } = finding;
    const entry = element(
      "details",
      { class: "entry", "data-severity": severity, toggle: () => entry.open && entry.children.length === 1 && entry.append(this.full(finding)) },
      element(
        "summary",
        {
          // Keeps the pressed entry under the pointer until the click.
          focus: ({ target }) => target.matches(":active") || this.on.point(number, true),
          click: () => this.on.point(entry.open ? null : number, true),
          mouseenter: () => this.on.point(number),
          mouseleave: () => this.on.point(null),
        },
        element("span", { class: "badge", "aria-hidden": "true" }, number),
        element("span", { class: "what", dir: "auto" }, finding.message),
        severity !== worstOf(finding.group.findings) && element("span", { class: "severity" }, severity),
      ),
    );
    this.entries.set(number, entry);
    return element("li", {}, entry);
  }

  full(finding) {
    return element(
      "div",
      { class: "details" },
      finding.group.help ? barrierDetails(finding) : [sideDetails("Design", finding.sides[0]), sideDetails("Generated", finding.sides[1])],
      finding.boxes.some(Boolean) && element("p", {}, element("button", { type: "button", class: "button", click: () => this.on.zoom(finding) }, "Zoom")),
      finding.accept && acceptCommand(finding.accept),
    );
  }

  // Every finding with its details, at once: what a toggle event adds comes too late for paper.
  open() {
    for (const [number, entry] of this.entries) {
      if (entry.children.length === 1) entry.append(this.full(this.all[number - 1]));
      entry.open = true;
    }
  }

  choose(number) {
    const entry = this.entries.get(number);
    entry.closest(".group").open = true;
    entry.open = true;
    const summary = entry.querySelector("summary");
    if (summary === document.activeElement) this.on.point(number, true);
    else summary.focus({ preventScroll: true });
    entry.scrollIntoView({ block: "nearest" });
  }

  highlight(number, isFollowed) {
    this.node.querySelector(".entry.active")?.classList.remove("active");
    const entry = this.entries.get(number);
    entry?.classList.add("active");
    if (isFollowed && entry?.closest(".group").open && !entry.matches(":hover")) keepInView(entry, this.node);
  }

  show(hidden) {
    for (const finding of this.all) this.entries.get(finding.number).parentElement.hidden = isHidden(finding, hidden);
    for (const group of this.node.querySelectorAll(".group")) {
      const entries = [...group.querySelectorAll("li")];
      group.hidden = hidden.has(group.dataset.category) || (entries.length ? entries.every((entry) => entry.hidden) : hidden.has(group.dataset.severity));
    }
  }
}

/** The worst severity of some findings; undefined where there are none. @returns {string | undefined} */
export function worstOf(findings) {
  return Object.keys(SEVERITIES).find((severity) => findings.some((finding) => finding.severity === severity));
}

export function isHidden({ category, severity }, hidden) {
  return hidden.has(category) || hidden.has(severity);
}

// Scrolls only the list, not the window, and never under the pointer: the click would hit another entry.
function keepInView(entry, list) {
  const [inner, outer] = [entry.getBoundingClientRect(), list.getBoundingClientRect()];
  if (list.scrollHeight <= list.clientHeight) return;
  if (inner.top < outer.top) list.scrollTop += inner.top - outer.top - 8;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + 8;
}

function cost(value, verb) {
  return value >= 0.00005 ? element("span", { class: "cost" }, element("span", { class: "unseen" }, `${verb} `), value.toFixed(value < 0.01 ? 4 : 3)) : null;
}

// Accepted failures are known only by their number per rule, not individually.
function acceptance(group) {
  const rest = group.count - group.accepted;
  return `${counted(group.accepted, "failure")} accepted${rest > 0 ? `, ${rest} new` : ""}; accepted failures still count in all rates.`;
}

// Without a clipboard, as on some file systems, the command is selected to be copied by hand.
function acceptCommand(command) {
  const text = element("code", {}, command);
  const copy = ({ target }) =>
    Promise.resolve(navigator.clipboard?.writeText(command) ?? Promise.reject())
      .then(() => target.replaceChildren("Copied"))
      .catch(() => getSelection()?.selectAllChildren(text));
  return element("p", {}, "If it is wanted: ", text, " ", element("button", { type: "button", class: "button", click: copy }, "Copy"));
}

function sideDetails(label, known) {
  const facts = known?.map(([name, text, color]) => [name, [color && swatch(color), text]]);
  return facts && element("div", { class: "side" }, element("p", { class: "side-title" }, label), pairs(facts));
}

// Colors go only into attributes of drawings, and only after a check that they are colors.
function swatch(color) {
  return drawn("svg", { class: "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" }, drawn("rect", { width: 10, height: 10, fill: color }));
}

export function barrierDetails({ contrast, picture, html, summary }) {
  return [
    contrast &&
      element("p", {}, swatch(contrast.foreground), contrast.foreground, " on ", swatch(contrast.background), `${contrast.background}: ${contrast.ratio}, needs ${contrast.required}`),
    picture && element("img", { class: "evidence", src: pictureAddress(picture), alt: "Picture of what was found" }),
    summary.map((line) => element("p", {}, line)),
    element("pre", { class: "snippet" }, html),
  ];
}

export function ruleLink(rule) {
  return [
    rule.url ? element("a", { href: rule.url, rel: "noreferrer noopener", target: "_blank" }, rule.help || rule.rule) : rule.help || rule.rule,
    " ",
    element("code", {}, rule.rule),
  ];
}
