// Called in every isolated world of the frozen page, first of all: takes back what would make it read otherwise than it is.
(hasScripts) => {
  const forms = [];
  const roots = tree.roots({ each: (element) => element instanceof HTMLFormElement && forms.push(element) });

  // A field hides the property of its form that it has the name of (nodeType, childNodes, getAttribute, ...) from all
  // that reads the page, axe included: it is taken out of the form. Names that fields really have, and that nobody
  // reads, are left alone.
  const COMMON = new Set("id title lang dir hidden translate slot part prefix children".split(" "));
  // What audits ask of any node, to tell documents, or other browsers, by it.
  const ASKED = ["documentElement", "currentStyle"];
  const properties = new Set([
    ...[EventTarget, Node, Element, HTMLElement].flatMap((kind) => Object.getOwnPropertyNames(kind.prototype)),
    ...ASKED,
  ]);
  const { getAttribute, setAttribute, removeAttribute, querySelectorAll } = Element.prototype;
  const names = new Set();
  const hiding = (element) =>
    ["name", "id"].filter((attribute) => {
      const name = getAttribute.call(element, attribute);
      const hides = properties.has(name) && !COMMON.has(name);
      if (hides) names.add(name);
      return hides;
    });
  for (const form of forms) {
    for (const field of [...tree.read(HTMLFormElement.prototype, "elements", form)]) {
      if (hiding(field).length) setAttribute.call(field, "form", "");
    }
    for (const picture of querySelectorAll.call(form, "img")) {
      for (const attribute of hiding(picture)) removeAttribute.call(picture, attribute);
    }
  }

  // Now that scripts are stopped, style sheets are told that there are none: they are to say what they said before.
  const asBefore = (media) => {
    if (!media.mediaText.includes("scripting")) return;
    media.mediaText = media.mediaText.replace(/\(\s*scripting\s*(?::\s*([\w-]+)\s*)?\)/g, (_, value = "enabled") =>
      value === "enabled" ? "(min-width: 0px)" : "(min-width: 9999999px)",
    );
  };
  for (const root of hasScripts ? roots : []) {
    for (const one of tree.styles(root)) if (one?.media instanceof MediaList) asBefore(one.media);
  }
  return [...names];
};
