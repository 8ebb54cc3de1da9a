// The findings of a case: what each is called, all that is known of it, and the list beside the drawing.

class Findings {
  constructor(record) {
    this.record = record;
    this.slide = () => {};
    this.entries = new Map();
    this.kinds = new Map();
    record.blocks.forEach((block, place) => this.kinds.set(`block-${place}`, block.kinds[0]));
    record.rules.forEach((rule, place) => rule.nodes.forEach((_, number) => this.kinds.set(`rule-${place}-${number}`, "barrier")));
    this.order = [...this.kinds.keys()];
    this.counts = new Map();
    for (const kind of this.kinds.values()) this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  attach(stage) {
    this.stage = stage;
  }

  // What the drawing calls when a finding in it is chosen.
  choose(name) {
    const entry = this.entries.get(name);
    if (!entry) return;
    const group = entry.parentElement.closest("details");
    if (group) group.open = true;
    entry.open = true;
    entry.querySelector("summary").focus();
  }

  parts(name) {
    const [group, first, second] = name.split("-");
    return group === "block"
      ? { block: this.record.blocks[first] }
      : { rule: this.record.rules[first], node: this.record.rules[first].nodes[second] };
  }

  label(name) {
    const { block, rule, node } = this.parts(name);
    if (rule) return `${rule.help}: ${node.target}`;
    const text = (block.reference ?? block.candidate).text;
    return `${block.kinds.map((kind) => KIND_NAMES[kind]).join(", ")}: ${text}`;
  }

  full(name) {
    const { block, rule, node } = this.parts(name);
    return rule ? barrierDetails(rule, node) : blockDetails(block);
  }

  list() {
    const wrong = this.record.blocks.map((block, place) => [block, `block-${place}`]);
    const groups = [
      ["Text blocks that differ", wrong.filter(([block]) => block.kinds[0] !== "fine")],
      ["Text blocks that are fine", wrong.filter(([block]) => block.kinds[0] === "fine")],
    ].filter(([, blocks]) => blocks.length);
    return element(
      "div",
      { class: "findings" },
      groups.map(([title, blocks], place) => this.group(title, blocks.length, place === 0 && blocks[0][0].kinds[0] !== "fine", blocks.map(([block, name]) => this.blockEntry(block, name)))),
      this.record.rules.length ? element("h3", {}, "Accessibility") : null,
      this.record.rules.map((rule, place) => this.ruleGroup(rule, place)),
      this.order.length ? null : element("p", { class: "muted" }, "Nothing was found."),
    );
  }

  group(title, count, isOpen, entries) {
    return element(
      "details",
      { class: "group", open: isOpen },
      element("summary", {}, element("span", {}, title), element("span", { class: "muted" }, count)),
      element("ul", {}, entries),
    );
  }

  ruleGroup(rule, place) {
    const hidden = rule.count - rule.nodes.length;
    const isNew = rule.accepted < rule.count;
    const impact = chip(IMPACT_STATES[rule.impact] ?? "plain", rule.impact ?? "no impact");
    const title = [impact, " ", isNew ? null : [chip("plain", "accepted"), " "], rule.help || rule.rule];
    const entries = rule.nodes.map((node, number) => this.entry(`rule-${place}-${number}`, "barrier", element("code", {}, node.target), null));
    const about = element("li", { class: "about" }, ruleLink(rule), acceptance(rule));
    const more = hidden > 0 ? element("li", { class: "about muted" }, `and ${counted(hidden, "more element")}`) : null;
    return this.group(title, rule.count, false, [about, entries, more]);
  }

  blockEntry(block, name) {
    const text = (block.reference ?? block.candidate).text;
    return this.entry(name, block.kinds[0], text, block.cost >= 0.00005 ? `−${block.cost.toFixed(4)}` : null);
  }

  entry(name, kind, title, cost) {
    const entry = element(
      "details",
      { class: `entry ${kind}`, "data-kind": kind, toggle: () => entry.open && entry.children.length === 1 && entry.append(this.full(name)) },
      element(
        "summary",
        { focus: () => this.stage.reveal(name), mouseenter: () => this.stage.mark(name), mouseleave: () => this.stage.mark(null) },
        element("span", { class: "key", "aria-hidden": "true" }),
        element("span", { class: "what" }, kind === "fine" || kind === "barrier" ? null : element("b", {}, `${KIND_NAMES[kind]} `), title),
        cost && element("span", { class: "cost" }, element("span", { class: "unseen" }, "costs "), cost),
      ),
    );
    this.entries.set(name, entry);
    return element("li", {}, entry);
  }

  toggle(kind, isShown) {
    for (const entry of this.entries.values()) if (entry.dataset.kind === kind) entry.parentElement.hidden = !isShown;
  }
}

// Accepted failures are known by their number a rule, not one by one.
function acceptance(rule) {
  if (!rule.accepted) return null;
  const rest = rule.count - rule.accepted;
  return element("p", { class: "muted" }, `${counted(rule.accepted, "failure")} accepted${rest ? `, ${rest} new` : ""}; accepted failures still count in all rates.`);
}

const IMPACT_STATES = { critical: "bad", serious: "bad", moderate: "warn", minor: "plain" };

function blockDetails(block) {
  const { reference, candidate, likeness } = block;
  const numbers = [["share of area", block.share], ...(likeness ? [["text", likeness[0]], ["position", likeness[1]], ["color", likeness[2]]] : [])];
  return element(
    "div",
    { class: "details" },
    element("p", {}, block.kinds.map((kind) => [element("span", { class: `tag ${kind}` }, KIND_NAMES[kind]), " "])),
    reference && side("Reference", reference),
    candidate && side("Generated", candidate),
    likeness && block.kinds.includes("moved") ? element("p", { class: "muted" }, shift(reference.box, candidate.box)) : null,
    element("dl", { class: "numbers" }, numbers.map(([label, value]) => element("div", {}, element("dt", {}, label), element("dd", {}, decimals(value))))),
  );
}

function side(label, block) {
  const [x, y, width, height] = block.box.map(Math.round);
  return element(
    "div",
    { class: "side" },
    element("p", { class: "muted" }, swatch(block.color), `${label} · ${block.color} · at ${x}, ${y}, ${width} × ${height} px`),
    block.confidence === null ? null : element("p", { class: "muted" }, `Read from the picture, ${Math.floor(100 * block.confidence)} % sure`),
    element("p", { class: "quote", dir: "auto" }, block.text),
  );
}

function shift(from, to) {
  const across = Math.round(to[0] + to[2] / 2 - from[0] - from[2] / 2);
  const down = Math.round(to[1] + to[3] / 2 - from[1] - from[3] / 2);
  const parts = [across && `${Math.abs(across)} px ${across > 0 ? "right" : "left"}`, down && `${Math.abs(down)} px ${down > 0 ? "down" : "up"}`];
  return `Centre moved ${parts.filter(Boolean).join(" and ") || "with the page’s size"}.`;
}

// Colours reach attributes of drawings only, and only those that were checked to be colours.
function swatch(color) {
  return drawn("svg", { class: "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" }, drawn("rect", { width: 10, height: 10, fill: color }));
}

function barrierDetails(rule, node) {
  const { contrast } = node;
  return element(
    "div",
    { class: "details" },
    element("p", {}, element("span", { class: "tag barrier" }, node.impact ?? "no impact"), " ", rule.help || rule.rule, " ", element("code", {}, rule.rule)),
    contrast &&
      element("p", {}, swatch(contrast.foreground), contrast.foreground, " on ", swatch(contrast.background), `${contrast.background}: ${contrast.ratio}, needs ${contrast.required}`),
    node.picture && element("img", { class: "evidence", src: pictureAddress(node.picture), alt: "Picture of what was found" }),
    element("pre", { class: "snippet" }, node.html),
    element("p", { class: "muted" }, element("code", {}, node.target)),
    node.summary.map((line) => element("p", { class: "advice" }, line)),
  );
}
