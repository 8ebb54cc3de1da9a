// Called in every isolated world of the frozen page: images of given sizes whose host was refused keep their boxes, which
// a browser else shrinks to their alternative text.

/** @param {Element} image */
export const hasGivenSize = (image) =>
  ["width", "height"].every((side) => /** @type {any} */ (image).computedStyleMap().get(side) instanceof CSSUnitValue);

/** @param {string[]} refused addresses */
export function keepBoxes(refused) {
  const addresses = new Set(refused);
  const isLost = (image) => !image.naturalWidth && addresses.has(image.currentSrc.split("#")[0]);
  const shrunk = [...document.images].filter((image) => isLost(image) && !hasGivenSize(image));
  if (!shrunk.length) return;
  const sheet = new CSSStyleSheet();
  const keep = (/** @type {HTMLImageElement[]} */ images) => {
    const sources = images.map((image) => `[src="${CSS.escape(image.getAttribute("src") ?? "")}"]`);
    sheet.replaceSync(sources.length ? `img:is(${sources.join(", ")}) { display: inline-block; overflow: hidden }` : "");
  };
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  // Only as blocks do they know the sizes they were given.
  keep(shrunk);
  keep(shrunk.filter(hasGivenSize));
}
