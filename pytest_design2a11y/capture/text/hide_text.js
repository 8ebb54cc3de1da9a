// Called in every isolated world: paints no text of the page, but for the runs with these numbers.
(shown) => {
  const found = globalThis.__design2a11yText;
  const MARK = "data-design2a11y-shown";
  // Not ::first-line and ::first-letter: naming them lays the page out anew, in which a canvas is lost.
  const PARTS = "before after marker placeholder file-selector-button".split(" ");
  const others = `:not([${MARK}])`;
  const parts = PARTS.map((part) => `${others}::${part}`);
  // In a layer, what is important outweighs what is important in the page's own style sheets.
  const sheetOf = (rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`@layer design2a11y { ${rules} }`);
    return sheet;
  };
  const still = sheetOf("*, ::before, ::after { transition: none !important; }");
  const hiding = sheetOf(`
    ${others}, ${parts.join(", ")} {
      -webkit-text-fill-color: transparent !important;
      -webkit-text-stroke-color: transparent !important;
      -webkit-text-emphasis-color: transparent !important;
      text-shadow: none !important;
    }
    svg :is(text, tspan, textPath)${others} { fill: transparent !important; stroke: transparent !important; }`);

  const before = new Map();
  const set = (element, name, value) => {
    if (!before.has(element)) before.set(element, element.getAttribute("style"));
    element.style.setProperty(name, value, "important");
  };
  const kept = new Set(shown.flatMap((number) => [...found.elements[number]]));
  const looks = [...kept].map((element) => {
    const { color, webkitTextFillColor: fill, webkitTextStrokeColor: stroke, textShadow } = getComputedStyle(element);
    return [element, fill === color ? "currentcolor" : fill, stroke === color ? "currentcolor" : stroke, textShadow];
  });
  // What they inherit is about to be hidden.
  for (const [element, fill, stroke, shadow] of looks) {
    element.setAttribute(MARK, "");
    set(element, "-webkit-text-fill-color", fill);
    set(element, "-webkit-text-stroke-color", stroke);
    set(element, "text-shadow", shadow);
  }
  for (const element of found.filled) {
    if ([...kept].some((one) => element.contains(one))) continue;
    set(element, "background-image", "none");
    set(element, "background-color", "transparent");
  }

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
    for (const element of kept) element.removeAttribute(MARK);
    for (const [element, style] of before) {
      style === null ? element.removeAttribute("style") : element.setAttribute("style", style);
    }
    document.documentElement?.getBoundingClientRect();
    wear();
  };
};
