// Runs in our isolated world of every frame before the page's scripts: remembers what the page's clock reports.
// The two worlds share the event target `performance`, which keeps its listeners whatever becomes of the document.
(withheld) => {
  globalThis.clockEnded = new Promise((resolve) => {
    performance.addEventListener("design2a11y-clock-ended", resolve, { once: true });
  });
  globalThis.attempts = {};
  for (const name of ["open", "alert", "confirm", "prompt", ...withheld]) {
    globalThis.attempts[name] = 0;
    performance.addEventListener(`design2a11y-${name}`, () => {
      globalThis.attempts[name] += 1;
    });
  }
};
