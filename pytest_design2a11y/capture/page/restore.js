// Called in every isolated world of the frozen page, first of all.
import { survey } from "./survey.js";
import { read, allRoots, allStyles } from "./tree.js";

// Undoes what would make the page read differently from what it is; returns the names of fields that hid something.
function restore(hasScripts) {
  /** @type {HTMLFormElement[]} */
  const forms = [];
  const roots = allRoots({ each: (element) => void (element instanceof HTMLFormElement && forms.push(element)) });

  // A field hides the property of its form that it has the name of (nodeType, childNodes, getAttribute, ...) from all
  // that reads the page, axe included: it is taken out of the form. Names that fields really have, and that are
  // not read, are left alone.
  const COMMON = new Set("id title lang dir hidden translate slot part prefix children".split(" "));
  // What audits read of any node, to recognize documents or other browsers.
  const ASKED = ["documentElement", "currentStyle"];
  const properties = new Set([
    ...[EventTarget, Node, Element, HTMLElement].flatMap((kind) => Object.getOwnPropertyNames(kind.prototype)),
    ...ASKED,
  ]);
  const { getAttribute, setAttribute, removeAttribute, querySelectorAll } = Element.prototype;
  const names = new Set();
  const hiding = (element) =>
    ["name", "id"].filter((attribute) => {
      const name = getAttribute.call(element, attribute) ?? "";
      const hides = properties.has(name) && !COMMON.has(name);
      if (hides) names.add(name);
      return hides;
    });
  for (const form of forms) {
    for (const field of [...read(HTMLFormElement.prototype, "elements", form)]) {
      if (hiding(field).length) setAttribute.call(field, "form", "");
    }
    for (const picture of querySelectorAll.call(form, "img")) {
      for (const attribute of hiding(picture)) removeAttribute.call(picture, attribute);
    }
  }

  // Style sheets can see that scripts are stopped now: they are to apply as they did before.
  const asBefore = (media) => {
    if (!media.mediaText.includes("scripting")) return;
    media.mediaText = media.mediaText.replace(/\(\s*scripting\s*(?::\s*([\w-]+)\s*)?\)/g, (_, value = "enabled") =>
      value === "enabled" ? "(min-width: 0px)" : "(min-width: 9999999px)",
    );
  };
  for (const root of hasScripts ? roots : []) {
    for (const one of allStyles(root)) if (one?.media instanceof MediaList) asBefore(one.media);
  }
  return [...names];
}

/** @param {boolean} hasScripts */
export const restoreAndSurvey = (hasScripts) => ({ hiding: restore(hasScripts), ...survey() });
