// Called in an isolated world: whether the document may choose pictures or styles by the scale of the device;
// hasForeign: whether style sheets of other hosts may have been loaded.
import { allStyles } from "./tree.js";

export function mayChooseByScale(hasForeign) {
  if (document.querySelector("[srcset], picture, [style*='image-set']")) return true;
  for (const one of allStyles()) {
    if (one ? /resolution|device-pixel-ratio|image-set/i.test(one.cssText) : hasForeign) return true;
  }
  return false;
}
