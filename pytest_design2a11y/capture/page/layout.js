// Called in an isolated world: all that a taller window could change, as one text that can be compared.
import { allStyles } from "./tree.js";

export function layout() {
  const place = ({ left, top, width, height }) => `${left},${top},${width},${height}`;
  const facts = [];
  for (const element of document.querySelectorAll("*")) {
    facts.push(place(element.getBoundingClientRect()));
    // Such a background is laid out in the window, wherever its element is.
    if (getComputedStyle(element).backgroundAttachment.includes("fixed")) facts.push(innerHeight);
    // What a shadow root holds is not among these elements.
    if (element.shadowRoot || element.localName.includes("-")) facts.push(innerHeight);
  }
  for (const one of allStyles()) {
    if (one?.media) facts.push(matchMedia(one.media.mediaText).matches);
    if (!one) facts.push(innerHeight); // a sheet from elsewhere cannot be read
  }
  return facts.join(" ");
}
