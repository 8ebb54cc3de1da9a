// Runs in our isolated world of every frame before the page's scripts: remembers what the page's clock reports.
// The two worlds share the event target `performance`, which keeps its listeners whatever becomes of the document.
() => {
  globalThis.clockEnded = new Promise((resolve) => {
    performance.addEventListener("design2a11y-clock-ended", resolve, { once: true });
  });
  globalThis.popups = 0;
  performance.addEventListener("design2a11y-popup", () => {
    globalThis.popups += 1;
  });
};
