// Called in an isolated world: whether the document may choose pictures or styles by the scale of the device;
// hasForeign tells whether style sheets of other hosts may have been loaded.
(hasForeign) => {
  if (document.querySelector("[srcset], picture, [style*='image-set']")) return true;
  const isChoosing = (sheet) => {
    try {
      return [...sheet.cssRules].some(
        (rule) => /resolution|device-pixel-ratio|image-set/i.test(rule.cssText) || (rule.styleSheet && isChoosing(rule.styleSheet)),
      );
    } catch {
      return hasForeign; // a sheet from elsewhere cannot be read
    }
  };
  return [...document.styleSheets, ...document.adoptedStyleSheets].some(isChoosing);
};
