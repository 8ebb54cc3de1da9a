// Drives the clock of a frame by orders from our isolated world: up to a moment, or until scripts wait for something
// outside of their thread. The two worlds share the event target `performance`, which keeps its listeners whatever
// becomes of the document.
(clock, pending, observers) => {
  const { real } = clock;
  const emit = performance.dispatchEvent.bind(performance);
  const Message = CustomEvent;
  // A thread that has not idled after so many turns of so many real milliseconds never does. One long pause of the
  // machine is one turn.
  const TURNS = 20;
  const TURN = 10;
  const LINGER = 5;

  // The least urgent task runs when no other is waiting.
  const whenIdle = (callback) => {
    let isDone = false;
    const once = () => {
      if (isDone) return;
      isDone = true;
      callback();
    };
    let turns = 0;
    const watch = () => {
      if (isDone) return;
      turns += 1;
      if (turns > TURNS) once();
      else real.setTimeout(watch, TURN);
    };
    real.whenIdle(once);
    real.setTimeout(watch, TURN);
  };
  const answer = (number, numDelivered = 0) =>
    emit(
      new Message("design2a11y-rested", {
        detail: {
          number,
          time: clock.time(),
          next: clock.next()?.at ?? null,
          unfired: clock.unfired(),
          pending: pending.names(),
          observes: observers.observes(),
          heedsScrolling: observers.heedsScrolling(),
          numDelivered,
        },
      }),
    );
  const linger = (callback) => {
    pending.onChange(() => {
      pending.onChange(() => {});
      whenIdle(() => callback());
    });
    real.setTimeout(() => whenIdle(() => callback()), LINGER);
  };
  const run = (limit, callback) =>
    whenIdle(() => {
      const entry = clock.next();
      if (!entry || entry.at > limit || pending.size()) return callback();
      clock.fire(entry);
      run(limit, callback);
    });

  performance.addEventListener("design2a11y-drive", ({ detail: { number, limit, draw, wait, abandon } }) => {
    emit(new Event("design2a11y-heard"));
    const reply = (numDelivered) => answer(number, numDelivered);
    if (abandon) pending.abandon();
    if (draw) observers.draw((numDelivered) => whenIdle(() => reply(numDelivered)));
    else if (wait) pending.size() ? linger(reply) : whenIdle(() => reply());
    else run(limit, reply);
  });
  window.addEventListener("load", () => emit(new Event("design2a11y-loaded")), { once: true });
};
