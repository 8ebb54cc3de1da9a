// Runs in every frame before any script of the page: removes APIs that connect without a request, and reports their
// use. The browser has no network anyway; without this, the attempt would go unnoticed.

export function withhold(names) {
  const emit = performance.dispatchEvent.bind(performance);
  const Signal = Event;
  for (const name of names) {
    Object.defineProperty(window, name, {
      get: () => void emit(new Signal(`design2a11y-${name}`)),
      set() {},
      configurable: false,
      enumerable: false,
    });
  }
}
