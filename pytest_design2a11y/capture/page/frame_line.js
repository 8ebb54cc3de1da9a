// The line between a frame's clock and our isolated world. The two worlds share the event target `performance`, which
// keeps its listeners whatever becomes of the document.
() => {
  const emit = performance.dispatchEvent.bind(performance);
  const Message = CustomEvent;
  return {
    listen: (obey) =>
      performance.addEventListener("design2a11y-drive", ({ detail }) => {
        emit(new Event("design2a11y-heard"));
        obey(detail);
      }),
    answer: (detail) => emit(new Message("design2a11y-rested", { detail })),
  };
};
