// Runs in our isolated world of every frame before the page's scripts: drives the page's clock, and remembers its
// reports. The two worlds share the event target `performance`, which keeps its listeners whatever happens to the
// document.

export function watch(withheld) {
  globalThis.hasLoaded = new Promise((resolve) => {
    addEventListener("load", () => resolve(true), { once: true });
  });
  let lastNumber = 0;
  globalThis.drive = (order) =>
    new Promise((resolve) => {
      const number = ++lastNumber;
      /** @param {any} answer */
      const receive = ({ detail }) => {
        if (detail.number !== number) return;
        performance.removeEventListener("design2a11y-rested", receive);
        resolve(detail);
      };
      performance.addEventListener("design2a11y-rested", receive);
      let isHeard = false;
      performance.addEventListener("design2a11y-heard", () => (isHeard = true), { once: true });
      performance.dispatchEvent(new CustomEvent("design2a11y-drive", { detail: { ...order, number } }));
      // A frame that runs no scripts has no clock.
      if (!isHeard) resolve(null);
    });
  globalThis.attempts = {};
  for (const name of ["open", "alert", "confirm", "prompt", ...withheld]) {
    globalThis.attempts[name] = 0;
    performance.addEventListener(`design2a11y-${name}`, () => {
      globalThis.attempts[name] += 1;
    });
  }
}
