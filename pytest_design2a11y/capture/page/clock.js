// Runs in every frame before any script of the page. The page's clock stands still while it loads; then its timers
// and animation frames run through one virtual second, in order, whatever the machine's speed; then it stands again.
// Dates start at a fixed moment and random numbers at a fixed seed. Nothing here guards against the page: whoever
// tampers with it only makes his own page depend on timing, and what must not be forged runs in isolated worlds.
(({ epoch, horizon, realLimit }) => {
  const real = {
    setTimeout: window.setTimeout.bind(window),
    now: performance.now.bind(performance),
    Date: window.Date,
    requestAnimationFrame: window.requestAnimationFrame.bind(window),
  };
  const FRAME = 1000 / 60;
  const queue = new Map();
  let time = 0;
  let lastId = 0;
  let nesting = 0;

  // Each look at the clock moves it a little, so that a loop that waits for time to pass ends.
  const now = () => (time += 0.005);
  const moment = () => Math.floor(epoch + now());

  const enqueue = (callback, delay, repeat, passed, frame) => {
    const id = ++lastId;
    const wait = Math.max(Number(delay) || 0, nesting > 4 ? 4 : 1);
    queue.set(id, { id, callback, at: time + wait, wait, repeat, passed, frame });
    return id;
  };
  const call = (entry) => {
    try {
      if (typeof entry.callback === "function") entry.callback.apply(window, entry.frame ? [time] : entry.passed);
      else (0, eval)(String(entry.callback));
    } catch (error) {
      real.setTimeout(() => {
        throw error;
      }, 0);
    }
  };
  const replace = (target, name, value) => {
    Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true });
  };
  const cancel = (id) => void queue.delete(Number(id));

  replace(window, "setTimeout", (callback, delay, ...passed) => enqueue(callback, delay, false, passed));
  replace(window, "setInterval", (callback, delay, ...passed) => enqueue(callback, delay, true, passed));
  replace(window, "requestAnimationFrame", (callback) =>
    enqueue(callback, FRAME - (time % FRAME), false, [], true));
  replace(window, "requestIdleCallback", (callback) =>
    enqueue(() => callback({ didTimeout: false, timeRemaining: () => 50 }), 1, false, []));
  for (const name of ["clearTimeout", "clearInterval", "cancelAnimationFrame", "cancelIdleCallback"]) {
    replace(window, name, cancel);
  }
  performance.now = now;
  window.Date = new Proxy(real.Date, {
    construct: (target, passed, made) => Reflect.construct(target, passed.length ? passed : [moment()], made),
    apply: () => new real.Date(moment()).toString(),
    get: (target, name) => (name === "now" ? moment : Reflect.get(target, name)),
  });
  real.Date.prototype.constructor = window.Date;
  const formatter = Intl.DateTimeFormat.prototype;
  const { get: realFormat } = Object.getOwnPropertyDescriptor(formatter, "format");
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

  let seed = 0x2545f491;
  const random = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  Math.random = random;
  Crypto.prototype.getRandomValues = (array) => {
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).forEach((_, index, bytes) => {
      bytes[index] = Math.floor(random() * 256);
    });
    return array;
  };
  Crypto.prototype.randomUUID = () =>
    "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) =>
      (digit ^ (Math.floor(random() * 256) & (15 >> (digit / 4)))).toString(16));
  Object.defineProperty(Navigator.prototype, "onLine", { get: () => true, configurable: true });

  const next = () => {
    let first;
    for (const entry of queue.values()) if (!first || entry.at < first.at) first = entry;
    return first;
  };
  const step = (entry) => {
    time = Math.max(time, entry.at);
    if (entry.repeat) entry.at = time + entry.wait;
    else queue.delete(entry.id);
    nesting += 1;
    call(entry);
  };
  // Nobody is there to answer, and answering from outside would let a page that asks without end hang.
  const answers = { open: null, alert: undefined, confirm: false, prompt: null };
  for (const [name, answer] of Object.entries(answers)) {
    replace(window, name, () => {
      performance.dispatchEvent(new Event(`design2a11y-${name}`));
      return answer;
    });
  }

  // A frame from elsewhere is drawn only after it has been seen to be in view, two real frames later.
  const afterDrawing = (callback) => {
    if (!window.frames.length) callback();
    else real.requestAnimationFrame(() => real.requestAnimationFrame(callback));
  };

  const { port1, port2 } = new MessageChannel();
  let started = 0;
  port1.onmessage = () => {
    const entry = next();
    const isOver = !entry || entry.at > horizon || real.now() - started > realLimit;
    if (isOver) {
      port1.close();
      afterDrawing(() => performance.dispatchEvent(new Event("design2a11y-clock-ended")));
      return;
    }
    step(entry);
    port2.postMessage(0);
  };
  const begin = () => {
    started = real.now();
    port2.postMessage(0);
  };
  window.addEventListener("load", () => real.setTimeout(begin, 0), { once: true });
});
