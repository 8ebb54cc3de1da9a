// Called in every isolated world: hides the text of the runs with these numbers, and paints that of all others.
// Nothing else changes: what remains painted of text that is invisible in its place, such as its shadow, is not text.
import { unnoticed } from "../page/changes.js";
import { allRoots } from "../page/tree.js";

export function hideText(numbers, others) {
  const found = globalThis.__design2a11yText;
  // A name that no style sheet of the page can react to.
  const [chance] = crypto.getRandomValues(new BigUint64Array(1));
  const MARK = `data-design2a11y-${chance}`;
  // Not ::first-line and ::first-letter: naming them makes the page lay out anew, which loses canvases.
  const PARTS = "before after marker placeholder file-selector-button".split(" ");
  const hiddenText = `[${MARK}^="hidden"]`;
  const parts = PARTS.map((part) => `${hiddenText}::${part}`);
  // In a layer, `!important` rules outweigh those of the page's own style sheets.
  const sheetOf = (rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`@layer design2a11y { ${rules} }`);
    return sheet;
  };
  const still = sheetOf("*, ::before, ::after { transition: none !important; }");

  const roots = allRoots({ closed: found.closedRoots });
  const elementsOf = (runs) => new Set(runs.flatMap((number) => [...found.elements[number]]));
  const kept = elementsOf(others);
  const hidden = elementsOf(numbers);
  for (const element of kept) hidden.delete(element);
  for (const element of hidden) {
    const shadow = element.shadowRoot ?? found.closedRoots?.get(element);
    for (const child of [...element.children, ...(shadow?.children ?? [])]) if (!hidden.has(child)) kept.add(child);
  }

  // Forced colors would paint what is meant to be transparent; the background of the text keeps them.
  const isForced = matchMedia("(forced-colors: active)").matches;
  const declarations = new Map();
  const declare = (element, more) => declarations.set(element, { ...declarations.get(element), ...more });
  // The properties that they inherit are about to be hidden.
  for (const element of kept) {
    const style = getComputedStyle(element);
    const ofText = (tint) => (tint === style.color ? "currentcolor" : tint);
    declare(element, {
      "-webkit-text-fill-color": ofText(style.webkitTextFillColor),
      "-webkit-text-stroke-color": ofText(style.webkitTextStrokeColor),
      "-webkit-text-emphasis-color": ofText(style.webkitTextEmphasisColor),
      "text-shadow": style.textShadow,
      ...(element instanceof SVGElement ? { fill: style.fill, stroke: style.stroke } : {}),
      ...(isForced ? { "forced-color-adjust": style.forcedColorAdjust } : {}),
    });
  }
  for (const element of hidden) {
    const style = getComputedStyle(element);
    // Emphasis marks are not text.
    declare(element, {
      "text-shadow": found.castsFar(style) ? style.textShadow : "none",
      "-webkit-text-emphasis-color": style.webkitTextEmphasisColor,
      ...(isForced ? { "forced-color-adjust": "none", "background-color": style.backgroundColor } : {}),
    });
  }
  // Lines under, over or through a text are not letters. They have its color unless they have one of their own.
  for (const element of found.decorated) {
    const { color, webkitTextFillColor: fill, textDecorationColor: line } = getComputedStyle(element);
    if (!kept.has(element)) declare(element, { "text-decoration-color": line === color ? fill : line });
  }
  for (const element of found.filled) {
    if ([...kept].some((other) => element.contains(other))) continue;
    declare(element, { "background-image": "none", "background-color": "transparent" });
  }
  // Marks that a style sheet adds beside a text are not letters of it.
  const marksOf = (element) =>
    ["before", "after"]
      .filter((part) => !found.generatedText.get(element)?.has(part))
      .map((part) => ({ part, style: getComputedStyle(element, `::${part}`) }))
      .filter(({ style }) => style.content !== "none")
      .map(({ part, style }) => `::${part} { -webkit-text-fill-color: ${style.webkitTextFillColor} !important; }`);
  const rules = [...declarations].map(([element, own], at) => {
    const value = `${hidden.has(element) ? "hidden" : "other"} ${at}`;
    unnoticed(() => element.setAttribute(MARK, value));
    const important = Object.entries(own).map(([property, text]) => `${property}: ${text} !important;`);
    const marks = hidden.has(element) ? marksOf(element).map((rule) => `[${MARK}="${value}"]${rule}`) : [];
    return [`[${MARK}="${value}"] { ${important.join(" ")} }`, ...marks].join("\n");
  });
  const hiding = sheetOf(`
    ${hiddenText}, ${parts.join(", ")} {
      -webkit-text-fill-color: transparent !important;
      -webkit-text-stroke-color: transparent !important;
    }
    ${parts.join(", ")} { text-shadow: none !important; }
    svg :is(text, tspan, textPath)${hiddenText} { fill: transparent !important; stroke: transparent !important; }
    ${rules.join("\n")}`);

  const sheets = roots.map((root) => [...root.adoptedStyleSheets]);
  const wear = (...more) => {
    roots.forEach((root, index) => {
      root.adoptedStyleSheets = [...sheets[index], ...more];
    });
    document.documentElement?.getBoundingClientRect();
  };
  wear(still, hiding);
  found.showAgain = () => {
    // Otherwise the text would fade back in if the page has transitions.
    wear(still);
    for (const element of declarations.keys()) unnoticed(() => element.removeAttribute(MARK));
    document.documentElement?.getBoundingClientRect();
    wear();
  };
}
