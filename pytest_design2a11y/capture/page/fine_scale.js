// Called in an isolated world: whether the document may choose pictures or styles by the scale of the device;
// hasForeign tells whether style sheets of other hosts may have been loaded.
(hasForeign) => {
  if (document.querySelector("[srcset], picture, [style*='image-set']")) return true;
  for (const one of tree.styles()) {
    if (one ? /resolution|device-pixel-ratio|image-set/i.test(one.cssText) : hasForeign) return true;
  }
  return false;
};
