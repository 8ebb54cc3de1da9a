// One case: limits and measures, the two pages with their findings, the list of findings, what produced it all.

const KIND_NAMES = {
  missing: "missing",
  extra: "extra",
  moved: "moved",
  recolored: "recoloured",
  reworded: "reworded",
  fine: "fine",
  barrier: "accessibility",
};

function caseView(record, links) {
  const findings = new Findings(record);
  return [
    caseHead(record, links),
    record.error &&
      element("p", { class: "note warn" }, element("strong", {}, record.error.type), `: ${record.error.message}`),
    element(
      "div",
      { class: "columns" },
      limits(record),
      element("section", {}, element("h2", {}, "Page"), pairs(record.facts)),
    ),
    comparisonView(record, findings),
    renderings(record, links.own),
    probes(record),
    needsPerson(record),
    warnings(record),
    element("section", {}, element("h2", {}, "Produced with"), pairs(record.environment)),
  ].filter(Boolean);
}

function caseHead(record, { previous, next, place }) {
  return element(
    "div",
    { class: "case-head" },
    element(
      "nav",
      { "aria-label": "Pages" },
      element("a", { href: "#overview" }, "← All pages"),
      element("span", { class: "muted" }, place),
      previous && element("a", { href: `#${previous}`, rel: "prev" }, "Previous"),
      next && element("a", { href: `#${next}`, rel: "next" }, "Next"),
    ),
    element("h1", { tabindex: -1 }, record.id),
  );
}

function pairs(facts) {
  return element(
    "dl",
    { class: "pairs" },
    facts.map(([label, text]) => element("div", {}, element("dt", {}, label), element("dd", {}, text))),
  );
}

function limits(record) {
  const measured = record.metrics.filter(({ value }) => value !== null);
  const headings = [["Metric"], ["Value", 2], ["Limit"], ["Kept"], ["Set by"]];
  return element(
    "section",
    { class: "limits" },
    element("h2", {}, "Measured"),
    measured.length
      ? scrolling(
          "Measured values and their limits",
          element(
            "table",
            { class: "means" },
            element("caption", { class: "unseen" }, "Measured values and their limits"),
            element("thead", {}, element("tr", {}, headings.map(([text, colspan]) => element("th", { scope: "col", colspan }, text)))),
            element("tbody", {}, measured.flatMap((metric) => limitRows(metric, record.verdicts))),
          ),
        )
      : element("p", { class: "muted" }, "Nothing could be measured."),
    record.checks &&
      element(
        "p",
        { class: "muted" },
        `${record.checks[1]} of ${counted(record.checks[0], "automated check")} failed, ${record.checks[2]} need a person. ` +
          "Automated checks find a part of the barriers only.",
      ),
    record.judgements.map(({ limit, is_passed, sentence }) =>
      element("p", {}, chip(is_passed ? "good" : "bad", is_passed ? "pass" : "fail"), ` ${limit} for the case as a whole: ${sentence}`),
    ),
  );
}

function limitRows(metric, verdicts) {
  const own = verdicts.filter((verdict) => verdict.metric === metric.id);
  const places = metric.upper ? 4 : 0;
  return (own.length ? own : [null]).map((verdict, number) =>
    element(
      "tr",
      { class: metric.id === "visual" || metric.id === "weighted_ir" ? "total" : null },
      number ? element("td", {}) : element("th", { scope: "row" }, metric.label),
      element("td", { class: "number strong" }, decimals(metric.value, places)),
      element("td", { class: "meter" }, metric.upper ? bar(metric.value / metric.upper, verdict) : null),
      element("td", {}, verdict ? `${verdict.operator} ${verdict.limit}` : "–"),
      element("td", {}, verdict ? chip(verdict.is_passed ? "good" : "bad", verdict.is_passed ? "pass" : "fail") : "–"),
      element("td", { class: "muted" }, verdict ? verdict.origin : "–"),
    ),
  );
}

function bar(share, verdict) {
  const state = verdict ? (verdict.is_passed ? "good" : "bad") : "plain";
  return drawn(
    "svg",
    { class: `bar ${state}`, viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    drawn("rect", { class: "track", width: 100, height: 8 }),
    drawn("rect", { class: "fill", width: 100 * share, height: 8 }),
    verdict && drawn("rect", { class: "limit", x: Math.min(99, 100 * verdict.limit), width: 1, height: 8 }),
  );
}

function chip(state, text) {
  return element("span", { class: `chip ${state}` }, text);
}

function scrolling(label, ...children) {
  return element("div", { class: "scroll", role: "region", "aria-label": label, tabindex: 0 }, children);
}

function comparisonView(record, findings) {
  if (!record.sizes.candidate && !findings.order.length) return null;
  const stage = new Stage(record, findings);
  findings.attach(stage);
  return element(
    "section",
    { class: "viewer" },
    element("h2", {}, record.sizes.reference ? "Compared" : "Findings"),
    element("div", { class: "toolbar" }, modes(record, stage, findings), shownKinds(findings, stage)),
    element("div", { class: "split" }, stage.node, findings.list()),
  );
}

function modes(record, stage, findings) {
  if (!record.sizes.reference) return null;
  const amount = element("input", { type: "range", min: 0, max: 100, value: 50, id: "amount", input: () => stage.setShare(amount.value / 100) });
  const label = element("label", { class: "amount", hidden: true }, element("span", {}), amount);
  const difference = element("input", { type: "checkbox", change: () => stage.setDifference(difference.checked) });
  const differenceLabel = element("label", { class: "check", hidden: true }, difference, "difference");
  findings.slide = (share) => {
    amount.value = Math.round(share * 100);
    stage.setShare(share);
  };
  const choose = (mode) => {
    stage.setMode(mode);
    label.hidden = mode === "side";
    differenceLabel.hidden = mode !== "overlay";
    label.firstChild.textContent = mode === "overlay" ? "Opacity of the generated page" : "Divider";
  };
  return element(
    "fieldset",
    { class: "modes" },
    element("legend", { class: "unseen" }, "View"),
    element(
      "div",
      { class: "segments" },
      [["side", "Side by side"], ["slider", "Slider"], ["overlay", "Overlay"]].map(([mode, text]) =>
        element("label", {}, element("input", { type: "radio", name: "mode", value: mode, checked: mode === "side", change: () => choose(mode) }), element("span", {}, text)),
      ),
    ),
    label,
    differenceLabel,
  );
}

function shownKinds(findings, stage) {
  const toggle = (kind) => (event) => {
    stage.toggle(kind, event.target.checked);
    findings.toggle(kind, event.target.checked);
  };
  return element(
    "fieldset",
    { class: "kinds" },
    element("legend", { class: "unseen" }, "Show"),
    Object.entries(KIND_NAMES)
      .filter(([kind]) => findings.counts.get(kind))
      .map(([kind, name]) =>
        element(
          "label",
          { class: `check kind ${kind}` },
          element("input", { type: "checkbox", checked: true, change: toggle(kind) }),
          element("span", { class: "key", "aria-hidden": "true" }),
          `${name} `,
          element("span", { class: "muted" }, findings.counts.get(kind)),
        ),
      ),
  );
}

function needsPerson(record) {
  return (
    record.review.length + record.unsure.length > 0 &&
    element(
      "section",
      {},
      element("h2", {}, "Needs a person to judge"),
      element("ul", {}, record.review.map((rule) => element("li", {}, ruleLink(rule), ` · ${counted(rule.count, "element")}`))),
      record.unsure.map((rule) =>
        element(
          "details",
          { class: "group" },
          element("summary", {}, element("span", {}, rule.help), element("span", { class: "muted" }, rule.count)),
          rule.nodes.map((node) => barrierDetails(rule, node)),
        ),
      ),
    )
  );
}

function renderings(record, own) {
  return (
    record.renderings.length > 0 &&
    element(
      "section",
      {},
      element("h2", {}, "In its viewports and states"),
      scrolling(
        "The page in its viewports and states",
        element("ul", { class: "renderings" }, record.renderings.map((one) => rendering(one, one.id === own))),
      ),
    )
  );
}

function rendering({ id, label, visual, iwir, picture, width }, isOwn) {
  const address = pictureAddress(picture);
  return element(
    "li",
    {},
    address && element("img", { src: address, alt: `Generated page, ${label}`, width: Math.min(width / 4, 320) }),
    isOwn ? element("strong", {}, `${label} (this one)`) : element("a", { href: `#${id}` }, label),
    element("span", { class: "muted" }, `visual ${decimals(visual)}, IWIR ${decimals(iwir)}`),
  );
}

function probes(record) {
  return (
    record.probes.length > 0 &&
    element("section", {}, element("h2", {}, "Probes"), element("ul", {}, record.probes.map((line) => element("li", {}, line))))
  );
}

function warnings(record) {
  return (
    record.warnings.length > 0 &&
    element(
      "section",
      {},
      element("h2", {}, "Warnings"),
      element(
        "ul",
        {},
        record.warnings.map(([code, message, count]) =>
          element("li", {}, element("code", {}, code), ` ${message}`, count > 1 ? ` (${count} times)` : null),
        ),
      ),
    )
  );
}

function ruleLink(rule) {
  return [
    rule.url ? element("a", { href: rule.url, rel: "noreferrer noopener", target: "_blank" }, rule.help || rule.rule) : rule.help || rule.rule,
    " ",
    element("code", {}, rule.rule),
  ];
}
