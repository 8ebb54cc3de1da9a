// The part of an audit that runs in the page: in an isolated world of every frame, after axe-core. It counts here, so
// that only failures and whatever needs a person travel to Python with their details.
import * as descriptions from "./descriptions.js";
import * as owners from "./texts.js";

const LONGEST = { summary: 2000, fact: 200 };
const { register, reporting, shortened } = descriptions;
const IMPACTS = ["minor", "moderate", "serious", "critical"];
const { elements, numberOf } = register();
/** @type {any} */
let partial = null;
let frameElements = [];

// axe writes a selector, an XPath and the HTML of every element it has checked, which is most of an audit's cost.
// A number per element is enough until we know which ones are reported. Only the ancestry affects results (in the
// checks that look across frames), so it is computed on request.
function replaceElementDescriptions() {
  axe.configure({ noHtml: true });
  axe.utils.DqElement.prototype.toJSON = function () {
    const description = this;
    return {
      selector: [String(numberOf(this.element))],
      nodeIndexes: this.nodeIndexes,
      xpath: [],
      source: "",
      get ancestry() {
        return description.ancestry;
      },
    };
  };
}

// The contrast checks parse the same few colors thousands of times, through a color library.
function rememberColors() {
  const prototype = axe.commons.color.Color.prototype;
  const channels = "r" in prototype ? ["r", "g", "b", "alpha"] : ["red", "green", "blue", "alpha"];
  const parse = prototype.parseString;
  const parsed = new Map();
  prototype.parseString = function (text) {
    if (parsed.has(text)) return Object.assign(this, parsed.get(text));
    const answer = parse.call(this, text);
    parsed.set(text, Object.fromEntries(channels.map((channel) => [channel, this[channel]])));
    return answer;
  };
}

export const rules = () => axe.getRules().map((rule) => ({ rule: rule.ruleId, tags: rule.tags }));

// In the main frame alone: texts are added to the results of all frames there.
export const speak = reporting(async (locale) => {
  axe.configure({ locale });
  return {};
});

function contextOf({ include, exclude }) {
  if (!include.length && !exclude.length) return document;
  const context = { exclude: exclude.map((selector) => [selector]) };
  if (include.length) context.include = include.map((selector) => [selector]);
  return context;
}

export function selectors({ include, exclude }) {
  const matches = (selector) => {
    try {
      return document.querySelectorAll(selector).length;
    } catch {
      return null;
    }
  };
  const counted = (list) => list.map((selector) => [selector, matches(selector)]);
  return { include: counted(include), exclude: counted(exclude) };
}

async function checkFrame(context, options) {
  replaceElementDescriptions();
  rememberColors();
  partial = await axe.runPartial(context, options);
  const contexts = partial.frames.length ? axe.utils.getFrameContexts(context, options) : [];
  frameElements = contexts.map(({ frameSelector }) => axe.utils.shadowSelect(frameSelector));
  return contexts.map(({ frameContext }, index) => ({ number: numberOf(frameElements[index]), frameContext }));
}

export const start = reporting(async (selection, options, minimumImpact, maxDetails) => {
  const frames = await checkFrame(contextOf(selection), options);
  return frames.length ? { frames } : { frames, found: await conclude([], options, minimumImpact, maxDetails) };
});

export const startInFrame = reporting(async (context, options) => {
  const frames = await checkFrame(context, options);
  return { frames, partial: JSON.stringify(partial) };
});

async function conclude(otherPartials, options, minimumImpact, maxDetails) {
  const partials = [partial, ...otherPartials.map((text) => JSON.parse(text))];
  const result = await axe.finishRun(partials, { ...options, reporter: "v1" });
  return counted(result, IMPACTS.indexOf(minimumImpact), maxDetails);
}

function counted(result, minimumImpact, maxDetails) {
  const outcomes = new Map();
  const checked = new Set();
  const failed = new Set();
  for (const group of ["violations", "incomplete", "passes"]) {
    for (const rule of result[group]) {
      const outcome = outcomes.get(rule.id) ?? emptyOutcome(rule);
      outcomes.set(rule.id, outcome);
      if (rule.error) outcome.error = shortened(rule.error.message ?? rule.message, LONGEST.summary);
      for (const node of rule.nodes) {
        const element = node.target.join("/");
        const impact = node.impact ?? rule.impact ?? null;
        const isMild = group === "violations" && IMPACTS.indexOf(impact) < minimumImpact;
        checked.add(element);
        if (group === "violations" && !isMild) failed.add(element);
        if (group !== "passes" && !isMild) outcome.impact ??= rule.impact ?? null;
        addNode(outcome, isMild ? "passes" : group, node, impact, maxDetails);
      }
    }
  }
  return {
    version: axe.version,
    rules: [...outcomes.values()],
    elementsChecked: checked.size,
    elementsFailed: failed.size,
  };
}

function emptyOutcome(rule) {
  return {
    rule: rule.id,
    help: rule.help,
    helpUrl: rule.helpUrl,
    tags: rule.tags,
    impact: null,
    counts: { violations: 0, incomplete: 0, passes: 0 },
    byImpact: {},
    details: { violations: [], incomplete: [] },
    failed: [],
    error: null,
  };
}

function addNode(outcome, group, node, impact, maxDetails) {
  outcome.counts[group] += 1;
  if (group === "violations") {
    outcome.byImpact[impact] = (outcome.byImpact[impact] ?? 0) + 1;
    outcome.failed.push([node.target.map(Number), impact]);
  }
  if (group === "passes" || outcome.details[group].length >= maxDetails) return;
  outcome.details[group].push({
    path: node.target.map(Number),
    impact,
    summary: shortened(node.failureSummary, LONGEST.summary),
    data: factsOf(node),
  });
}

function factsOf(node) {
  for (const { data } of [...node.any, ...node.all, ...node.none]) {
    if (data && typeof data === "object" && !Array.isArray(data)) {
      const isPlain = ([, value]) => ["string", "number", "boolean"].includes(typeof value);
      const short = ([key, value]) => [key, typeof value === "string" ? shortened(value, LONGEST.fact) : value];
      return Object.fromEntries(Object.entries(data).filter(isPlain).map(short));
    }
  }
  return {};
}

export const finish = reporting(conclude);
const elementsOf = (numbers) => numbers.map((number) => elements[number]);
// What elements of this frame are, and which texts those that failed are about.
export const tell = reporting((wanted, failed) => ({
  descriptions: descriptions.describe(elementsOf(wanted)),
  texts: owners.texts(elementsOf(failed)),
}));
export const frameElement = (index) => frameElements[index];
