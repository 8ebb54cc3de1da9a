// Called in every isolated world: paints no text of the page, but for the runs with these numbers.
(shown) => {
  const found = globalThis.__design2a11yText;
  // A name that no style sheet of the page can react to.
  const [chance] = crypto.getRandomValues(new BigUint64Array(1));
  const MARK = `data-design2a11y-${chance}`;
  // Not ::first-line and ::first-letter: naming them lays the page out anew, in which a canvas is lost.
  const PARTS = "before after marker placeholder file-selector-button".split(" ");
  const others = `:not([${MARK}^="shown"])`;
  const parts = PARTS.map((part) => `${others}::${part}`);
  // In a layer, what is important outweighs what is important in the page's own style sheets.
  const sheetOf = (rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`@layer design2a11y { ${rules} }`);
    return sheet;
  };
  const still = sheetOf("*, ::before, ::after { transition: none !important; }");

  const marked = [];
  const rules = [];
  const mark = (element, name, declarations) => {
    const value = `${name} ${marked.length}`;
    if (!element.hasAttribute(MARK)) marked.push(element);
    element.setAttribute(MARK, value);
    const important = Object.entries(declarations).map(([property, text]) => `${property}: ${text} !important;`);
    rules.push(`[${MARK}="${value}"] { ${important.join(" ")} }`);
  };
  const kept = new Set(shown.flatMap((number) => [...found.elements[number]]));
  const looks = [...kept].map((element) => {
    const { color, webkitTextFillColor: fill, webkitTextStrokeColor: stroke, textShadow } = getComputedStyle(element);
    const ofText = (tint) => (tint === color ? "currentcolor" : tint);
    return { "-webkit-text-fill-color": ofText(fill), "-webkit-text-stroke-color": ofText(stroke), "text-shadow": textShadow };
  });
  // Lines under, over or through a text are not letters. They have its colour, where they have none of their own.
  const lines = found.decorated.map((element) => {
    const { color, webkitTextFillColor: fill, textDecorationColor: line } = getComputedStyle(element);
    return { "text-decoration-color": line === color ? fill : line };
  });
  const unfilled = (element) =>
    found.filled.includes(element) && ![...kept].some((one) => element.contains(one))
      ? { "background-image": "none", "background-color": "transparent" }
      : {};
  found.decorated.forEach((element, at) => {
    if (!kept.has(element)) mark(element, "other", { ...lines[at], ...unfilled(element) });
  });
  const isDecorated = new Set(found.decorated);
  for (const element of found.filled) {
    if (!kept.has(element) && !isDecorated.has(element)) mark(element, "other", unfilled(element));
  }
  // What they inherit is about to be hidden.
  [...kept].forEach((element, at) => mark(element, "shown", looks[at]));
  const hiding = sheetOf(`
    ${others}, ${parts.join(", ")} {
      -webkit-text-fill-color: transparent !important;
      -webkit-text-stroke-color: transparent !important;
      -webkit-text-emphasis-color: transparent !important;
      text-shadow: none !important;
    }
    svg :is(text, tspan, textPath)${others} { fill: transparent !important; stroke: transparent !important; }
    ${rules.join("\n")}`);

  const roots = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll("*")) {
      const shadow = element.shadowRoot ?? found.closedRoots?.get(element);
      if (shadow) roots.push(shadow);
    }
  }
  const sheets = roots.map((root) => [...root.adoptedStyleSheets]);
  const wear = (...more) => {
    roots.forEach((root, index) => (root.adoptedStyleSheets = [...sheets[index], ...more]));
    document.documentElement?.getBoundingClientRect();
  };
  wear(still, hiding);
  found.showAgain = () => {
    // Else the text would come back by and by, where the page has transitions.
    wear(still);
    for (const element of marked) element.removeAttribute(MARK);
    document.documentElement?.getBoundingClientRect();
    wear();
  };
};
