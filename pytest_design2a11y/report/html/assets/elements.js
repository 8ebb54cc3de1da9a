// Builds everything that the report shows; text only ever becomes text nodes, never markup.

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/** @param {string} id @returns {any} */
export function elementOf(id) {
  return document.getElementById(id);
}

/** @returns {any} */
export function element(name, attributes, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function drawn(name, attributes, ...children) {
  return filled(document.createElementNS(SVG_NAMESPACE, name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function counted(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

/** The address of a view. @param {string} view @param {URLSearchParams | string} query */
export function withQuery(view, query) {
  return String(query) ? `${view}?${query}` : view;
}

// Returns the address of a picture: "#id" is an element of this file, anything else a file beside it.
export function pictureAddress(place) {
  if (!place?.startsWith("#")) return place ?? null;
  const holder = document.getElementById(place.slice(1));
  return holder ? `data:image/webp;base64,${holder.textContent}` : null;
}

export function section(heading, content) {
  return content ? element("details", { class: "fold" }, element("summary", {}, heading), content) : null;
}

export function pairs(facts) {
  return element("dl", { class: "pairs" }, facts.map(([label, text]) => element("div", {}, element("dt", {}, label), element("dd", { dir: "auto" }, text))));
}

export function chip(state, text) {
  return element("span", { class: `chip ${state}` }, text);
}

export function verdictChip(isPassed) {
  return isPassed ? chip("good", "pass") : chip("bad", "fail");
}
