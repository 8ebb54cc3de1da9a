// Called in every isolated world of the frozen page, to detect changes while it is read.
import { getterOf } from "../clock/getters.js";
import { allRoots } from "./tree.js";

// Loads the fonts of normal weight that axe requests when it looks for icons among the letters. Loaded later, they
// would count as a change of the page.
export async function askForFonts() {
  if (!document.fonts.size) return;
  const families = new Set([...document.querySelectorAll("*")].map((element) => getComputedStyle(element).fontFamily));
  const loads = [...families].map((family) => document.fonts.load(`30px ${family}`).catch(() => {}));
  await Promise.all(loads);
}

// Changes a document without counting that as a change of the page.
/** @param {() => void} change */
export function unnoticed(change) {
  const watched = globalThis.design2a11yChanges;
  if (watched) watched.count += watched.observer?.takeRecords().length ?? 0;
  change();
  watched?.observer?.takeRecords();
}

// Returns the number of changes to the document since the first call, and all scroll positions. Equal answers mean
// that nothing has changed in between, not even temporarily.
export function changes() {
  const [scrollTop, scrollLeft] = ["scrollTop", "scrollLeft"].map((name) => getterOf(Element.prototype, name));
  globalThis.design2a11yChanges ??= { count: 0, roots: new WeakSet(), observer: null };
  const watched = globalThis.design2a11yChanges;
  watched.observer ??= new MutationObserver((records) => {
    watched.count += records.length;
  });

  /** @type {[number, number][]} */
  const scrolled = [];
  /** @param {Element} element */
  const each = (element) => {
    const [top, left] = [scrollTop.call(element), scrollLeft.call(element)];
    if (top || left) scrolled.push([top, left]);
  };
  for (const root of allRoots({ each }).filter((root) => !watched.roots.has(root))) {
    watched.roots.add(root);
    watched.count += 1;
    watched.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  }
  watched.count += watched.observer.takeRecords().length;
  return [watched.count, scrolled];
}
