// Runs in our isolated world of every frame before the page's scripts: remembers what the page's clock reports.
// The two worlds share the event target `performance`, which keeps its listeners whatever becomes of the document.
() => {
  globalThis.clockEnded = new Promise((resolve) => {
    performance.addEventListener("design2a11y-clock-ended", resolve, { once: true });
  });
  globalThis.attempts = { open: 0, alert: 0, confirm: 0, prompt: 0 };
  for (const name of Object.keys(globalThis.attempts)) {
    performance.addEventListener(`design2a11y-${name}`, () => {
      globalThis.attempts[name] += 1;
    });
  }
};
