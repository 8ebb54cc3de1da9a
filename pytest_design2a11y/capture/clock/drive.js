// Drives the clock of a frame or worker by orders: up to a moment, or until scripts wait for something outside
// their thread. Orders come over a line: to a frame from our isolated world, to a worker from its page.

export function drive(clock, pending, workers, observers, line) {
  const { real } = clock;
  // A thread that has not idled after TURNS turns of TURN real milliseconds never will. One long pause of the machine
  // counts as one turn.
  const TURNS = 20;
  const TURN = 10;
  const LINGER = 5;
  let limit = 0;

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
      if (++turns > TURNS) once();
      else real.setTimeout(watch, TURN);
    };
    real.whenIdle(once);
    real.setTimeout(watch, TURN);
  };
  const earliest = (moments) => moments.reduce((first, at) => (at === null || first < at ? first : at), Infinity);
  const state = () => {
    const others = workers.states();
    const next = earliest([clock.next()?.at ?? null, ...others.map((other) => other.next)]);
    return {
      next: next === Infinity ? null : next,
      unfired: [clock.unfired(), ...others.map((other) => other.unfired)].flat(),
      pending: [pending.names(), ...others.map((other) => other.pending)].flat(),
      isMoving: workers.isMoving(),
      isSlow: pending.isSlow() || (observers?.scrolls() ?? false) || others.some((other) => other.isSlow),
      observes: observers?.observes() ?? false,
      heedsScrolling: observers?.heedsScrolling() ?? false,
    };
  };
  const whenChanged = (callback) => {
    let isDone = false;
    const once = () => {
      if (!isDone) whenIdle(callback);
      isDone = true;
    };
    pending.onChange(once);
    real.setTimeout(once, LINGER);
  };
  const rest = (callback) => (pending.size() ? whenChanged(callback) : whenIdle(callback));
  const run = (callback) =>
    whenIdle(() => {
      const entry = clock.next();
      if (!entry || entry.at > limit || pending.size()) return callback();
      clock.fire(entry);
      run(callback);
    });

  line.listen((order) => {
    const reply = (numDelivered = 0) => line.answer({ ...state(), number: order.number, numDelivered });
    const ask = () => {
      workers.ask({ limit });
      rest(() => reply());
    };
    limit = order.limit ?? limit;
    if (order.abandon) {
      workers.abandon();
      pending.abandon();
    }
    if (order.scroll !== undefined) observers.scroll(order.scroll);
    if (order.draw) observers.draw((numDelivered) => whenIdle(() => reply(numDelivered)));
    else {
      workers.deliver();
      if (order.wait) rest(ask);
      else run(ask);
    }
  });
}
