// The address says which part shows, and what is chosen there.

export function readAddress() {
  const [view, query] = location.hash.slice(1).split("?");
  return { view, query: new URLSearchParams(query) };
}

/** @param {string} view @param {URLSearchParams | string} query */
export function withQuery(view, query) {
  return String(query) ? `${view}?${query}` : view;
}
