// Where pictures are: in this file, or beside it.
import { element } from "./elements.js";

// "#id" is an element of this file, anything else a file beside it.
export function pictureAddress(place) {
  if (!place?.startsWith("#")) return place ?? null;
  const holder = document.getElementById(place.slice(1));
  return holder ? `data:image/webp;base64,${holder.textContent}` : null;
}

export function lostPicture(address) {
  return element("p", { class: "blank" }, `The picture ${decodeURIComponent(address)} is not beside this report.`);
}
