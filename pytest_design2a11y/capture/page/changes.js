// Called in every isolated world of the frozen page: tells changes of its document apart, by how many there were since
// the first call and by how far everything is scrolled. Equal answers: nothing changed in between, and back.
() => {
  const getter = (name) => Object.getOwnPropertyDescriptor(Element.prototype, name).get;
  const [scrollTop, scrollLeft] = [getter("scrollTop"), getter("scrollLeft")];
  const watched = (globalThis.design2a11yChanges ??= { count: 0, roots: new WeakSet(), observer: null });
  watched.observer ??= new MutationObserver((records) => {
    watched.count += records.length;
  });

  const scrolled = [];
  const each = (element) => {
    const [top, left] = [scrollTop.call(element), scrollLeft.call(element)];
    if (top || left) scrolled.push([top, left]);
  };
  for (const root of tree.roots({ each }).filter((one) => !watched.roots.has(one))) {
    watched.roots.add(root);
    watched.count += 1;
    watched.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  }
  watched.count += watched.observer.takeRecords().length;
  return [watched.count, scrolled];
};
