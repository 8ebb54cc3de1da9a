// The line between a frame's clock and our isolated world. The two worlds share the event target `performance`, which
// keeps its listeners whatever becomes of the document.

export function frameLine() {
  const emit = performance.dispatchEvent.bind(performance);
  const Message = CustomEvent;
  return {
    listen: (obey) =>
      performance.addEventListener("design2a11y-drive", (order) => {
        emit(new Event("design2a11y-heard"));
        obey(/** @type {CustomEvent} */ (order).detail);
      }),
    answer: (detail) => emit(new Message("design2a11y-rested", { detail })),
  };
}
