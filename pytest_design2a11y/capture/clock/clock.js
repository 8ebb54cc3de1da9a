// Makes the clock of one frame or worker: it stands still until it is driven (drive.js), so that timers fire in the
// order of their times, whatever the machine's speed. Dates start at a fixed moment. Nothing here guards against the
// page: one that tampers with it only makes itself depend on timing, and whatever must not be forged runs in
// isolated worlds.
import { getterOf } from "./getters.js";

/** @typedef {ReturnType<typeof makeClock>} Clock */

export const FRAME = 1000 / 60;

export function makeClock({ epoch }) {
  /** @type {any} a window or a worker; each has its own part of these */
  const scope = globalThis;
  const postTask = scope.scheduler.postTask.bind(scope.scheduler);
  const real = {
    setTimeout: scope.setTimeout.bind(scope),
    now: performance.now.bind(performance),
    Date: scope.Date,
    requestAnimationFrame: scope.requestAnimationFrame?.bind(scope),
    // Rejected if the page goes away meanwhile, which does not matter.
    whenIdle: (callback) => void postTask(callback, { priority: "background" }).catch(() => {}),
  };
  // An endless animation is drawn less often after a while, as on a slow machine.
  const [SPARSE_AFTER, SPARSE_FRAME] = [1000, 100];
  const queue = new Map();
  let time = 0;
  let lastId = 0;
  let nesting = 0;

  // Every reading advances the clock a little, so that a loop that waits for time to pass ends.
  const now = () => (time += 0.005);
  const moment = () => Math.floor(epoch + now());

  const enqueue = (callback, delay, repeat, passed, frame) => {
    const id = ++lastId;
    const wait = Math.max(Number(delay) || 0, nesting > 4 ? 4 : 1);
    queue.set(id, { id, callback, at: time + wait, wait, repeat, passed, frame, isFirst: nesting <= 4 });
    return id;
  };
  const untilFrame = () => {
    const length = time < SPARSE_AFTER ? FRAME : SPARSE_FRAME;
    // A moment that rounding put just before a frame belongs to that frame.
    return (Math.floor(time / length + 1e-6) + 1) * length - time;
  };
  const report = (error) =>
    real.setTimeout(() => {
      throw error;
    }, 0);
  const replace = (target, name, value) => {
    Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true });
  };
  // Replaces a function or class by a proxy, if it exists.
  const wrap = (owner, key, handler) => {
    if (typeof owner?.[key] === "function") owner[key] = new Proxy(owner[key], handler);
  };
  // Calls `act` before each call of a function, if it exists.
  const before = (owner, key, act) =>
    wrap(owner, key, {
      apply(target, self, passed) {
        act(self, passed);
        return Reflect.apply(target, self, passed);
      },
    });
  const cancel = (id) => void queue.delete(Number(id));

  replace(scope, "setTimeout", (callback, delay, ...passed) => enqueue(callback, delay, false, passed));
  replace(scope, "setInterval", (callback, delay, ...passed) => enqueue(callback, delay, true, passed));
  replace(scope, "clearTimeout", cancel);
  replace(scope, "clearInterval", cancel);
  if (scope.requestAnimationFrame) {
    replace(scope, "requestAnimationFrame", (callback) => enqueue(callback, untilFrame(), false, [], true));
    replace(scope, "cancelAnimationFrame", cancel);
  }
  if (scope.requestIdleCallback) {
    replace(scope, "requestIdleCallback", (callback) =>
      enqueue(() => callback({ didTimeout: false, timeRemaining: () => 50 }), 1, false, []));
    replace(scope, "cancelIdleCallback", cancel);
  }
  AbortSignal.timeout = (delay) => {
    const controller = new AbortController();
    enqueue(() => controller.abort(new DOMException("signal timed out", "TimeoutError")), delay, false, []);
    return controller.signal;
  };
  Scheduler.prototype.postTask = (callback, { delay = 0, ...options } = {}) =>
    delay > 0
      ? new Promise((resolve, reject) =>
          enqueue(() => postTask(callback, options).then(resolve, reject), delay, false, []))
      : postTask(callback, options);
  performance.now = now;
  scope.Date = new Proxy(real.Date, {
    construct: (target, passed, made) => Reflect.construct(target, passed.length ? passed : [moment()], made),
    apply: () => new real.Date(moment()).toString(),
    get: (target, name) => (name === "now" ? moment : Reflect.get(target, name)),
  });
  real.Date.prototype.constructor = scope.Date;
  const formatter = Intl.DateTimeFormat.prototype;
  const realFormat = getterOf(formatter, "format");
  const realParts = formatter.formatToParts;
  Object.defineProperty(formatter, "format", {
    get() {
      const format = realFormat.call(this);
      return (date = moment()) => format(date);
    },
    configurable: true,
  });
  formatter.formatToParts = function (date = moment()) {
    return realParts.call(this, date);
  };

  const next = () => {
    let first;
    for (const entry of queue.values()) if (!first || entry.at < first.at) first = entry;
    return first;
  };
  const fire = (entry) => {
    time = Math.max(time, entry.at);
    if (entry.repeat) {
      entry.at = time + entry.wait;
      entry.isFirst = false;
    } else queue.delete(entry.id);
    nesting += 1;
    try {
      if (typeof entry.callback === "function") entry.callback.apply(scope, entry.frame ? [time] : entry.passed);
      else scope.eval(String(entry.callback));
    } catch (error) {
      report(error);
    }
  };
  // Delays of timers that were not started by another timer and have not fired yet: content may be missing without them.
  const unfired = () => [...queue.values()].filter((entry) => entry.isFirst && !entry.frame).map((entry) => entry.wait);
  // A clock that starts later than its page's begins at the page's time.
  let hasBegun = false;
  const reach = (moment) => {
    const ahead = moment - time;
    if (ahead > 0 && !hasBegun) for (const entry of queue.values()) entry.at += ahead;
    hasBegun = true;
    time = Math.max(time, moment);
  };
  return { real, replace, wrap, before, enqueue, next, fire, unfired, report, reach };
}
