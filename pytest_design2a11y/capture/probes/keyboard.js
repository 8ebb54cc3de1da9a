// What the keyboard probe asks of a frame: in its isolated world, after probe.js.
globalThis.design2a11yKeyboard = (() => {
  "use strict";

  const { all, ancestors, attribute, boxOf, called, elementOf, has, isShown, isWithin, nameOf, numberOf, place } =
    design2a11yProbe;
  const WIDGETS = new Set(
    ("button link checkbox switch menuitem menuitemcheckbox menuitemradio tab option radio treeitem slider " +
      "spinbutton combobox textbox searchbox").split(" "),
  );
  // Tab reaches one of their items; arrow keys move on from there.
  const COMPOSITES = new Set("tablist menu menubar listbox radiogroup tree grid treegrid toolbar".split(" "));
  const NATIVE =
    "a[href], area[href], button, input:not([type=hidden]), select, textarea, summary, audio[controls], " +
    "video[controls], [contenteditable]:not([contenteditable=false]), [tabindex]";
  const CLICKS = new Set("click dblclick mousedown mouseup pointerdown pointerup touchstart touchend".split(" "));
  // More kinds than that are a framework's that listens for the whole page.
  const FEW_KINDS = 12;
  // Of the window's area: what is larger and says nothing is a backdrop.
  const BACKDROP = 0.25;
  // Pixels of a frame that shows something.
  const LEAST_FRAME = 10;

  const isBehindModal = (element) => {
    const modal = [...document.querySelectorAll("dialog")].findLast((one) => one.matches(":modal"));
    return modal !== undefined && !isWithin(element, modal);
  };
  const isDisabled = (element) =>
    isBehindModal(element) || element.matches(":disabled") || element.closest("[inert]") !== null || attribute(element, "aria-disabled") === "true";
  const isFrame = (element) => ["iframe", "frame", "object", "embed"].includes(nameOf(element));
  const isFocusable = (element) =>
    element.matches(NATIVE) && !isFrame(element) && element.tabIndex >= 0 && !isDisabled(element) && !isHiddenSummary(element);
  const isHiddenSummary = (element) =>
    nameOf(element) === "summary" && !has(element, "tabindex") && element !== element.parentElement?.querySelector(":scope > summary");
  // Whether people are to use what a frame element shows.
  function isUsable(number) {
    const element = elementOf(number);
    const { width, height } = boxOf(element);
    return isShown(element) && Math.min(width, height) >= LEAST_FRAME && !isDisabled(element);
  }
  const roleOf = (element) => (attribute(element, "role") ?? "").trim().split(/\s+/)[0];
  const pointer = (element) => getComputedStyle(element).cursor === "pointer";
  const ownsPointer = (element) => {
    const parent = design2a11yProbe.parentOf(element);
    return pointer(element) && !(parent && pointer(parent));
  };

  // [number, name, kind]; kind: "focusable" should be reached; "control" reacts to clicks and is not focusable,
  // "listener" may only watch them.
  function controls(listeners) {
    const kinds = new Map();
    for (const [number, type] of listeners) kinds.set(number, (kinds.get(number) ?? new Set()).add(type));
    const found = [];
    for (const element of all()) {
      const kind = kindOf(element, kinds.get(numberOf(element)) ?? new Set());
      if (kind) found.push([numberOf(element), called(element) || nameOf(element), kind]);
    }
    return found;
  }

  function kindOf(element, heard) {
    if (!isShown(element) || isDisabled(element)) return null;
    if (isFocusable(element)) return isOneOfGroup(element) ? null : "focusable";
    const clicks = [...heard].filter((type) => CLICKS.has(type));
    const hasClick = clicks.includes("click") && heard.size <= FEW_KINDS;
    const isWidget = WIDGETS.has(roleOf(element));
    if (!(clicks.length && heard.size <= FEW_KINDS) && !(isWidget && ownsPointer(element))) return null;
    if (!mayBeControl(element)) return null;
    return (hasClick && (isWidget || pointer(element) || nameOf(element) === "a")) || (isWidget && pointer(element))
      ? "control"
      : "listener";
  }

  // A label's click is its field's; one on what holds or lies in something focusable can be had from there.
  function mayBeControl(element) {
    if (["html", "body", "label", "option", "form", "dialog"].includes(nameOf(element))) return false;
    const above = ancestors(element);
    if (above.some((one) => isFocusable(one) || nameOf(one) === "label")) return false;
    if (above.some((one) => COMPOSITES.has(roleOf(one))) && WIDGETS.has(roleOf(element))) return false;
    if (all(element).some((one) => isFocusable(one))) return false;
    const { width, height } = boxOf(element);
    return called(element) !== "" || width * height < BACKDROP * innerWidth * innerHeight;
  }

  // Of radio buttons with one name, and of the items of a composite, Tab reaches one.
  function isOneOfGroup(element) {
    if (nameOf(element) === "input" && element.type === "radio" && element.name) return true;
    return WIDGETS.has(roleOf(element)) && ancestors(element).some((one) => COMPOSITES.has(roleOf(one)));
  }

  function deepest() {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element;
  }

  // Where the focus is; null: on nothing in this frame.
  function active() {
    const element = deepest();
    if (!element || !document.hasFocus()) return null;
    if (element === document.documentElement || (element === document.body && !has(element, "tabindex"))) return null;
    const labels = [...(element.labels ?? [])].filter(isShown);
    return {
      number: numberOf(element),
      name: called(element) || nameOf(element),
      isFrame: isFrame(element),
      isShown: isShown(element),
      hasCaret: isTextField(element) && caretShows(element),
      isFixed: [element, ...ancestors(element)].some((one) => isPinned(one)),
      tabIndex: element.tabIndex,
      box: place(element),
      areas: [element, ...labels].map(place),
      window: [scrollX, scrollY, innerWidth, innerHeight],
      cover: coverOf(element, labels),
      numOpened: numOpened(),
    };
  }

  // Dialogs and windows that the page has tried to open (see watch.js).
  const numOpened = () =>
    ["open", "alert", "confirm", "prompt"].reduce((sum, name) => sum + (globalThis.attempts?.[name] ?? 0), 0);

  const TEXT = "textarea, input:is(:not([type]), [type=text], [type=search], [type=email], [type=url], [type=tel], " +
    "[type=password], [type=number]), [contenteditable]:not([contenteditable=false])";
  const isTextField = (element) => element.matches(TEXT) && !element.readOnly;
  const caretShows = (element) => {
    const { width, height } = boxOf(element);
    return isShown(element) && width > 4 && height > 4 && getComputedStyle(element).color !== "rgba(0, 0, 0, 0)" &&
      !design2a11yProbe.hidCaret(element);
  };

  const isPinned = (element) => ["fixed", "sticky"].includes(getComputedStyle(element).position);
  // What hides all of an element that has the focus: null where some of it shows, or none of it is in the window.
  function coverOf(element, labels) {
    const { left, top, width, height } = boxOf(element);
    if (!isShown(element)) return null;
    let cover = null;
    for (const across of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      for (const down of [0.15, 0.5, 0.85]) {
        const [x, y] = [left + across * width, top + down * height];
        if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
        const found = design2a11yProbe.topAt(x, y);
        if (!found || isWithin(found, element) || isWithin(element, found)) return null;
        if (labels.some((label) => isWithin(found, label))) return null;
        cover = found;
      }
    }
    if (!cover) return null;
    return {
      number: numberOf(cover),
      name: called(cover) || nameOf(cover),
      isPinned: [cover, ...ancestors(cover)].some((one) => isPinned(one) && !isWithin(element, one)),
    };
  }

  // Whether the page tells of keys, which may be the way out of a trap.
  const tellsOfKeys = () =>
    /\b(ctrl|control|alt|option|cmd|command|shift|esc|escape|f\d{1,2})\b\s*[+-]|\bpress\b|\bkey(s|board)?\b/i.test(document.body?.innerText ?? "");
  function leave() {
    deepest()?.blur?.();
  }
  // Brings an element into view; null where it is gone.
  function bring(number) {
    if (!isShown(elementOf(number))) return null;
    Element.prototype.scrollIntoView.call(elementOf(number), { block: "center", behavior: "instant" });
    return [place(elementOf(number)), [scrollX, scrollY, innerWidth, innerHeight]];
  }

  return {
    controls, isUsable, tellsOfKeys, active, bring, leave, numOpened,
    scroll: (x, y) => scrollTo({ left: x, top: y, behavior: "instant" }),
    frameElement: (number) => elementOf(number),
  };
})();
