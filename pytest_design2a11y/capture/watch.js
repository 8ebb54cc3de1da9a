// Runs in our isolated world of every frame before the page's scripts: remembers that the page's clock ran out.
() => {
  globalThis.clockEnded = new Promise((resolve) => {
    document.addEventListener("design2a11y-clock-ended", resolve, { once: true });
  });
};
