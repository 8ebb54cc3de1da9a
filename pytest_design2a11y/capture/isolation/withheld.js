// Runs in every frame before any script of the page: takes away what connects without a request, and reports who asks
// for it. The browser has no network anyway; without this, the attempt would not be noticed.

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
