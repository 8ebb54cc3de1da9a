// One page: what failed to load, the pictures with their findings, then limits, figures, and what produced them.
import { chip, counted, element, pairs, section, verdictChip, withQuery } from "./elements.js";
import { barrierDetails, CATEGORIES, Findings, isHidden, ruleLink, SEVERITIES } from "./findings.js";
import { MODES, ROLE_NAMES, Stage } from "./stage.js";

export class PageView {
  constructor(number, record, query, overview) {
    this.overview = overview;
    this.number = number;
    this.record = record;
    this.hidden = new Set((query.get("hide") ?? "").split(",").filter(Boolean));
    this.current = null;
    /** @type {number | null} */
    this.chosen = null;
    // The stage and the controls of its views; only set if there are pictures to compare.
    /** @type {any} */
    this.stage = undefined;
    /** @type {any} */
    this.controls = undefined;
    this.findings = new Findings(record, { point: (number, isReached) => this.point(number, isReached), zoom: (finding) => this.stage.zoom(finding) });
    const order = overview.visible();
    const place = order.indexOf(number);
    this.links = { prev: order[place - 1], next: place < 0 ? undefined : order[place + 1], place: place < 0 ? "" : `${place + 1} of ${order.length}` };
    this.nodes = [this.head(), this.viewer(), this.numbers(), ...this.rest()].filter(Boolean);
    if (this.stage && query.get("mode")) this.setMode(query.get("mode"));
    this.showKinds();
    const marked = Number(query.get("mark"));
    if (this.findings.entries.has(marked)) requestAnimationFrame(() => this.findings.choose(marked));
  }

  /** @returns {[string, URLSearchParams]} */
  address(number = this.number) {
    const query = this.overview.query();
    if (this.stage && this.stage.mode !== "side" && this.stage.mode !== "single") query.set("mode", this.stage.mode);
    if (this.hidden.size) query.set("hide", [...this.hidden].join(","));
    return [`page-${number}`, query];
  }

  remember() {
    const [view, query] = this.address();
    if (this.current) query.set("mark", this.current);
    if (this.nodes[0].isConnected) history.replaceState(null, "", `#${withQuery(view, query)}`);
    for (const link of this.nodes[0].querySelectorAll("a[rel]")) link.hash = withQuery(...this.address(this.links[link.rel]));
  }

  head() {
    const { record, links } = this;
    const others = this.overview.ofDesign(record.design).filter(({ number }) => number !== this.number);
    // Pages with the same name are told apart by their tests' parameters.
    const nameOf = ({ node, link }) => {
      const name = link.lastChild.textContent;
      return name === record.name ? node.lastElementChild.textContent.replace(/^.*\[(.*)\]$/, "$1") : name;
    };
    const link = (rel, text) => links[rel] !== undefined && element("a", { href: `#${withQuery(...this.address(links[rel]))}`, rel }, text);
    return element(
      "div",
      { class: "head" },
      element(
        "nav",
        { "aria-label": "Pages" },
        element("a", { href: `#${withQuery("pages", this.overview.query())}` }, "← All pages"),
        link("prev", "Previous"),
        link("next", "Next"),
        element("span", { class: "muted" }, links.place),
        others.length > 0 && element("span", { class: "others" }, "Same design:", others.slice(0, 8).map((card) => [" ", element("a", { href: card.link.hash }, nameOf(card))])),
      ),
      element("h1", { tabindex: -1 }, record.name),
      element("p", { class: "figures" }, stateChip(record), record.numbers.map(([value, label]) => element("span", {}, element("b", {}, value), ` ${label}`))),
      this.limits(),
      element("p", { class: "id" }, record.id),
      record.alerts.length > 0 &&
        element("ul", { class: `note alerts ${record.alerts.some(([isOwn]) => isOwn) ? "bad" : ""}`, "aria-label": "Not loaded or run" }, record.alerts.map(([, text]) => element("li", {}, text))),
    );
  }

  viewer() {
    if (!this.record.sizes.candidate) return this.findings.all.length ? this.findings.node : null;
    this.stage = new Stage(this.record, this.findings, this.hidden, {
      point: (number) => this.point(number),
      choose: (number) => this.findings.choose(number),
      slide: (share) => this.slide(share),
      blink: (role) => {
        this.controls.turn.textContent = `Switch (shown: ${ROLE_NAMES[role]})`;
      },
    });
    return element(
      "section",
      { class: "viewer", "aria-label": "Pictures and findings" },
      element("div", { class: "toolbar" }, this.modes(), this.kinds(), element("button", { type: "button", class: "button zoom-out", click: () => this.stage.zoom(null) }, "Whole page")),
      element("div", { class: "split" }, this.stage.node, this.findings.node),
    );
  }

  modes() {
    if (this.stage.roles.length < 2) return null;
    const amount = element("input", { type: "range", min: 0, max: 100, value: 50, "aria-label": "Share of the generated page", input: () => this.slide(amount.value / 100) });
    const turn = element("button", { type: "button", class: "button switch", click: () => { this.stage.setBlinking(false); this.stage.blink(); } }, "Switch (shown: Generated page)");
    const choices = new Map(
      MODES.map(([mode]) => [mode, element("input", { type: "radio", name: "mode", value: mode, checked: mode === "side", change: () => this.setMode(mode) })]),
    );
    amount.hidden = turn.hidden = true;
    this.controls = { amount, turn, choices };
    return element(
      "fieldset",
      {},
      element("legend", { class: "unseen" }, "View"),
      element("div", { class: "segments" }, MODES.map(([mode, text]) => element("label", {}, choices.get(mode), element("span", {}, text)))),
      amount,
      turn,
    );
  }

  kinds() {
    return element(
      "fieldset",
      { class: "kinds" },
      element("legend", { class: "unseen" }, "Marks"),
      element("label", { class: "check" }, element("input", { type: "checkbox", change: (event) => this.stage.markAll(event.target.checked) }), "All marks"),
      [SEVERITIES, CATEGORIES].map((names) => element("div", { class: "choices" }, Object.entries(names).map(([kind, name]) => this.kind(kind, name, names === SEVERITIES)))),
    );
  }

  // A filter for one kind of finding; a severity has the color of its marks.
  kind(kind, name, isSeverity) {
    return (
      this.findings.counts.has(kind) &&
      element(
        "label",
        { class: "check", "data-severity": isSeverity && kind },
        element("input", { type: "checkbox", checked: !this.hidden.has(kind), change: (event) => this.toggle(kind, event.target.checked) }),
        isSeverity && element("span", { class: "key", "aria-hidden": "true" }),
        `${name} `,
        element("span", { class: "muted" }, this.findings.counts.get(kind)),
      )
    );
  }

  setMode(mode) {
    if (!this.controls?.choices.has(mode)) return;
    const { amount, turn, choices } = this.controls;
    choices.get(mode).checked = true;
    this.stage.setMode(mode);
    amount.hidden = mode !== "slider" && mode !== "overlay";
    turn.hidden = mode !== "blink";
    this.remember();
  }

  slide(share) {
    this.controls.amount.value = Math.round(share * 100);
    this.stage.setShare(share);
  }

  toggle(category, isShown) {
    if (isShown) this.hidden.delete(category);
    else this.hidden.add(category);
    this.showKinds();
    this.remember();
  }

  showKinds() {
    this.findings.show(this.hidden);
    this.stage?.show();
  }

  // Called by marks, and by the list, which scrolls to a finding's marks when it is reached by keyboard. A chosen
  // finding stays marked when the pointer or finger leaves.
  point(number, isReached = false) {
    if (isReached) this.chosen = number;
    const shown = number ?? this.chosen;
    if (shown) this.current = shown;
    this.stage?.highlight(shown);
    this.findings.highlight(shown, number !== null && !isReached);
    if (!isReached) return;
    if (number) this.reveal(number);
    this.remember();
  }

  // If the list is below the pictures, they stay in view above it, zoomed to the finding chosen in it.
  reveal(number) {
    const finding = this.findings.all[number - 1];
    if (!this.stage || !matchMedia("(max-width: 1100px)").matches) this.stage?.reveal(number);
    else if (finding.boxes.some(Boolean)) {
      const entry = this.findings.entries.get(number);
      const { top } = entry.getBoundingClientRect();
      this.stage.zoom(finding, true);
      scrollBy(0, entry.getBoundingClientRect().top - Math.max(top, this.stage.node.getBoundingClientRect().height + 8));
    }
  }

  step(step) {
    const shown = this.findings.all.filter((finding) => !isHidden(finding, this.hidden));
    if (!shown.length) return;
    const place = shown.findIndex(({ number }) => number === this.current);
    const next = shown[place < 0 ? (step > 0 ? 0 : shown.length - 1) : (place + step + shown.length) % shown.length];
    const { zoomed } = this.stage ?? {};
    this.findings.choose(next.number);
    if (zoomed && next.boxes.some(Boolean)) this.stage.zoom(next);
  }

  zoom() {
    const finding = this.findings.all[this.current - 1];
    if (this.stage?.zoomed) this.stage.zoom(null);
    else if (finding?.boxes.some(Boolean)) this.stage?.zoom(finding);
  }

  go(rel) {
    if (this.links[rel] !== undefined) location.hash = withQuery(...this.address(this.links[rel]));
  }

  limits() {
    const { limits, judgements } = this.record;
    const ofCase = judgements.map(({ limit, is_passed, sentence }) => [is_passed, `${limit} for the case as a whole: ${sentence}`]);
    const sentences = [...limits, ...ofCase];
    return (
      sentences.length > 0 &&
      element("ul", { class: "limits sentences", "aria-label": "Limits" }, sentences.map(([isPassed, text]) => element("li", {}, verdictChip(isPassed), ` ${text}`)))
    );
  }

  numbers() {
    const { limits, judgements, metrics, told } = this.record;
    return element(
      "section",
      { class: "numbers" },
      told.map((text) => element("p", { class: "muted" }, text)),
      limits.length + judgements.length === 0 && element("p", { class: "muted" }, "No limit is set for this page."),
      section("All metrics", metricsTable(metrics)),
    );
  }

  rest() {
    const { record } = this;
    return [
      section("Needs a person to judge", needsPerson(record)),
      section("Accepted differences", record.accepted.length && element("ul", {}, record.accepted.map((text) => element("li", {}, text)))),
      section("Warnings", record.warnings.length && element("ul", {}, record.warnings.map(warning))),
      section("Page", pairs([...record.facts, ...record.environment])),
    ];
  }
}

function stateChip({ state, limits }) {
  const broken = limits.filter(([isPassed]) => !isPassed).length;
  const fail = broken > 1 ? `breaks ${broken} limits` : "breaks a limit";
  const [kind, text] = { error: ["warn", "not measured"], fail: ["bad", fail], pass: ["good", "within limits"] }[state] ?? [];
  return text ? chip(kind, text) : null;
}

function warning([role, message, count]) {
  return element("li", {}, role === "reference" ? "Design: " : null, message, count > 1 ? ` (${count} times)` : null);
}

function needsPerson({ review, unsure }) {
  return (
    review.length + unsure.length > 0 && [
      element("ul", {}, review.map((rule) => element("li", {}, ruleLink(rule), ` · ${counted(rule.count, "element")}`))),
      unsure.map(({ help, count, findings }) =>
        section(`${help} (${count})`, findings.map((node) => element("div", { class: "details" }, element("code", {}, node.message), barrierDetails(node)))),
      ),
    ]
  );
}

function metricsTable(metrics) {
  return element(
    "div",
    { class: "scroll", role: "region", "aria-label": "All metrics", tabindex: 0 },
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ["Metric", "Value", "Limit"].map((text) => element("th", { scope: "col" }, text)))),
      element(
        "tbody",
        {},
        metrics.map(({ id, value, isCount, limits }) =>
          element(
            "tr",
            {},
            element("th", { scope: "row" }, id),
            element("td", { class: "number" }, value?.toFixed(isCount ? 0 : 4) ?? "–"),
            element("td", {}, limits.map(([operator, limit, isPassed, origin]) => [verdictChip(isPassed), ` ${operator} ${limit} `, element("span", { class: "muted" }, `(${origin}) `)])),
          ),
        ),
      ),
    ),
  );
}

