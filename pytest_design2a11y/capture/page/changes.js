// Called in every isolated world of the frozen page: tells changes of its document apart, by how many there were since
// the first call and by how far everything is scrolled. Equal answers: nothing changed in between, and back.
() => {
  const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
  const shadowOf = getter(Element.prototype, "shadowRoot");
  const scrollTop = getter(Element.prototype, "scrollTop");
  const scrollLeft = getter(Element.prototype, "scrollLeft");
  const watched = (globalThis.design2a11yChanges ??= { count: 0, roots: new WeakSet(), observer: null });
  watched.observer ??= new MutationObserver((records) => {
    watched.count += records.length;
  });

  const scrolled = [];
  const roots = [document];
  for (const root of roots) {
    if (!watched.roots.has(root)) {
      watched.roots.add(root);
      watched.count += 1;
      watched.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    }
    for (const element of root.querySelectorAll("*")) {
      const [top, left] = [scrollTop.call(element), scrollLeft.call(element)];
      if (top || left) scrolled.push([top, left]);
      const shadow = shadowOf.call(element);
      if (shadow) roots.push(shadow);
    }
  }
  watched.count += watched.observer.takeRecords().length;
  return [watched.count, scrolled];
};
