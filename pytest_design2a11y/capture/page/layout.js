// Called in an isolated world: facts that another window size could change.
import { allStyles } from "./tree.js";

// Everything that a taller window could change, as one text for comparison.
export function layout() {
  const place = ({ left, top, width, height }) => `${left},${top},${width},${height}`;
  const facts = [];
  for (const element of document.querySelectorAll("*")) {
    facts.push(place(element.getBoundingClientRect()));
    // Such a background is laid out relative to the window, wherever its element is.
    if (getComputedStyle(element).backgroundAttachment.includes("fixed")) facts.push(innerHeight);
    // The content of a shadow root is not among these elements.
    if (element.shadowRoot || element.localName.includes("-")) facts.push(innerHeight);
  }
  for (const style of allStyles()) {
    if (style?.media) facts.push(matchMedia(style.media.mediaText).matches);
    if (!style) facts.push(innerHeight); // a sheet from elsewhere cannot be read
  }
  return facts.join(" ");
}

// Whether the document may choose pictures or styles by the device's scale; hasForeign: whether style sheets of other
// hosts may have been loaded.
export function mayChooseByScale(hasForeign) {
  if (document.querySelector("[srcset], picture, [style*='image-set']")) return true;
  for (const style of allStyles()) {
    if (style ? /resolution|device-pixel-ratio|image-set/i.test(style.cssText) : hasForeign) return true;
  }
  return false;
}
