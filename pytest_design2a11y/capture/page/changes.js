// Called in every isolated world of the frozen page: returns the state of its document: how many changes there were since
// the first call, and how far everything is scrolled. Equal answers: nothing changed in between, and back.
import { getterOf } from "./getters.js";
import { allRoots } from "./tree.js";

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
  for (const root of allRoots({ each }).filter((one) => !watched.roots.has(one))) {
    watched.roots.add(root);
    watched.count += 1;
    watched.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  }
  watched.count += watched.observer.takeRecords().length;
  return [watched.count, scrolled];
}
