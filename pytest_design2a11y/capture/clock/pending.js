// Counts what scripts of a frame or worker wait for outside their thread: while anything is open, time stands still.

export function makePending({ real: { setTimeout }, enqueue, wrap, before }) {
  // Real milliseconds.
  const SOON = 300;
  // Calls that need no request take no time; after the first FREE, each takes LATENCY milliseconds of the page's clock,
  // so that a loop over such calls ends.
  const [FREE, LATENCY] = [100, 10];
  /** @type {any} */
  const scope = globalThis;
  const { then } = Promise.prototype;
  const { addEventListener } = EventTarget.prototype;
  const open = new Map();
  let lastId = 0;
  let announce = () => {};
  const begin = (name) => {
    const id = ++lastId;
    open.set(id, String(name));
    return () => {
      if (open.delete(id)) announce();
    };
  };
  const wrapAll = (owner, keys, handlerFor) => {
    for (const key of keys) wrap(owner, key, handlerFor(key));
  };
  const followed = (name, target, self, passed) => {
    const result = Reflect.apply(target, self, passed);
    const end = begin(name);
    if (result instanceof Promise) then.call(result, end, end);
    else end();
    return result;
  };
  const promised = (owner, ...keys) =>
    wrapAll(owner, keys, (key) => ({ apply: (target, self, passed) => followed(key, target, self, passed) }));
  // Calls that end within about a frame of the window, without any sign of it.
  let isSlow = false;
  const slow = (owner, ...keys) => {
    for (const key of keys) before(owner, key, () => (isSlow = true));
  };
  const until = (target, end, ...types) => {
    for (const type of types) addEventListener.call(target, type, end);
  };
  // Waits for events that come soon, or not at all.
  const beginSoon = (name, target, ...types) => {
    const end = begin(name);
    until(target, end, ...types);
    setTimeout(end, SOON);
  };
  // Calls that end with an event on the object itself, or on their result.
  const untilEvent = (owner, keys, types, on = (self, _made) => self) =>
    wrapAll(owner, keys, (key) => ({
      apply(target, self, passed) {
        const result = Reflect.apply(target, self, passed);
        until(on(self, result), begin(key), ...types);
        return result;
      },
    }));

  let numLocal = 0;
  wrap(scope, "fetch", {
    apply(target, self, passed) {
      const address = passed[0]?.url ?? passed[0];
      const send = () => followed(address, target, self, passed);
      const isLate = /^\s*(data|blob):/i.test(address) && ++numLocal > FREE;
      return isLate ? new Promise((resolve) => enqueue(() => resolve(send()), LATENCY, false, [])) : send();
    },
  });
  promised(scope, "createImageBitmap");
  for (const type of [scope.Response, scope.Request, scope.Blob]) {
    promised(type?.prototype, "text", "json", "blob", "arrayBuffer", "formData", "bytes");
  }
  promised(scope.WebAssembly, "compile", "instantiate", "compileStreaming", "instantiateStreaming");
  promised(scope.HTMLImageElement?.prototype, "decode");
  promised(scope.FontFace?.prototype, "load");
  promised(scope.FontFaceSet?.prototype, "load");
  promised(scope.OffscreenCanvas?.prototype, "convertToBlob");
  promised(scope.BaseAudioContext?.prototype, "decodeAudioData");
  promised(scope.OfflineAudioContext?.prototype, "startRendering");
  promised(scope.ImageDecoder?.prototype, "decode");
  promised(scope.SubtleCrypto?.prototype, ...Object.getOwnPropertyNames(scope.SubtleCrypto?.prototype ?? {}));
  const { waitAsync } = scope.Atomics;
  scope.Atomics.waitAsync = (array, index, value, timeout = Infinity) => {
    const answer = waitAsync(array, index, value);
    if (!answer.async || timeout === Infinity) return answer;
    const timedOut = new Promise((resolve) => enqueue(() => resolve("timed-out"), timeout, false, []));
    return { async: true, value: Promise.race([answer.value, timedOut]) };
  };
  untilEvent(scope.FileReader?.prototype, ["readAsText", "readAsDataURL", "readAsArrayBuffer"], ["loadend"]);
  const result = (_, made) => made;
  untilEvent(scope.IDBFactory?.prototype, ["open", "deleteDatabase"], ["success", "error", "blocked"], result);
  untilEvent(scope.IDBDatabase?.prototype, ["transaction"], ["complete", "error", "abort"], result);
  wrap(scope, "WebSocket", {
    construct(target, passed, type) {
      const socket = Reflect.construct(target, passed, type);
      until(socket, begin(passed[0]), "open", "error", "close");
      return socket;
    },
  });
  // Events from a server count as pending for as long as each follows soon after the one before.
  wrap(scope, "EventSource", {
    construct(target, passed, type) {
      const source = Reflect.construct(target, passed, type);
      const end = begin(passed[0]);
      let number = 0;
      const wait = () => {
        const own = ++number;
        setTimeout(() => own === number && end(), SOON);
      };
      until(source, wait, "open", "message");
      until(source, end, "error");
      return source;
    },
  });

  // Each takes some milliseconds of the page's clock, since the browser stops a page after 200 traversals.
  wrapAll(scope.History?.prototype, ["back", "forward", "go"], (key) => ({
    apply(target, self, passed) {
      const traverse = () => {
        beginSoon(`history.${key}`, scope, "popstate", "hashchange");
        Reflect.apply(target, self, passed);
      };
      enqueue(traverse, 10 * LATENCY, false, []);
    },
  }));
  slow(scope.Navigation?.prototype, "back", "forward", "traverseTo", "navigate", "reload");
  slow(scope.Document?.prototype, "startViewTransition");
  slow(scope.HTMLMediaElement?.prototype, "play", "load");
  slow(scope.AudioContext?.prototype, "resume", "suspend", "close");
  slow(scope.AudioScheduledSourceNode?.prototype, "start", "stop");
  slow(scope.Animation?.prototype, "play", "updatePlaybackRate");

  const addresses = new WeakMap();
  before(scope.XMLHttpRequest?.prototype, "open", (request, passed) => addresses.set(request, passed[1]));
  wrap(scope.XMLHttpRequest?.prototype, "send", {
    apply(target, self, passed) {
      const end = begin(addresses.get(self));
      try {
        until(self, end, "loadend");
        return Reflect.apply(target, self, passed);
      } catch (error) {
        end();
        throw error;
      } finally {
        if (self.readyState === 4) end();
      }
    },
  });
  wrap(scope.HTMLCanvasElement?.prototype, "toBlob", {
    apply(target, self, [callback, ...passed]) {
      const end = begin("toBlob");
      const receive = (blob) => {
        end();
        callback(blob);
      };
      return Reflect.apply(target, self, [receive, ...passed]);
    },
  });
  return {
    begin,
    beginSoon,
    size: () => open.size,
    isSlow: () => isSlow,
    names: () => [...open.values()],
    abandon: () => open.clear(),
    onChange: (callback) => (announce = callback),
  };
}
