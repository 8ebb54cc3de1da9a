// Drives the clocks of a page's workers along with its own. A worker whose script begins with ours says hello with a
// port; over that it receives the moment up to which to run, and reports what it waits for. Messages are counted on both
// sides, so that none is under way when the page counts as at rest.

export function driveWorkers(clock, pending, { prefix, isWindow }) {
  const members = new Set();
  const { addEventListener } = EventTarget.prototype;
  const Request = globalThis.XMLHttpRequest;
  const idle = { next: null, unfired: [], pending: [], isSlow: false, sent: 0 };
  const released = new WeakSet();

  const readLocal = (address) => {
    const request = new Request();
    request.open("GET", address, false);
    request.send();
    return request.responseText;
  };
  // The network cannot prepend our script to one that never passes through it.
  const withPrefix = (address) => {
    try {
      return URL.createObjectURL(new Blob([prefix, readLocal(address)], { type: "text/javascript" }));
    } catch {
      return null;
    }
  };
  const join = (worker, name) => {
    const counts = { sent: 0, received: 0, acknowledged: 0 };
    /** @type {any} */
    const member = { worker, name, port: null, state: idle, held: [], ...counts, end: pending.begin(name) };
    members.add(member);
    addEventListener.call(worker, "error", () => member.port || leave(member));
    addEventListener.call(worker, "message", (/** @type {any} */ event) => {
      const port = event.data?.design2a11yPort;
      if (released.has(event)) return;
      event.stopImmediatePropagation();
      if (!port || member.port) {
        member.received += 1;
        member.held.push(event);
        return;
      }
      member.port = port;
      port.onmessage = ({ data }) => {
        member.state = data;
        member.acknowledged = data.received;
        member.isAsked = false;
        member.hasAnswered = true;
        member.end();
      };
      member.end();
    });
  };
  const leave = (member) => {
    members.delete(member);
    member.end();
  };
  const find = (worker) => [...members].find((member) => member.worker === worker);

  if (globalThis.Worker) {
    clock.before(Worker.prototype, "postMessage", (worker) => {
      const member = find(worker);
      if (member) member.sent += 1;
    });
    clock.before(Worker.prototype, "terminate", (worker) => {
      const member = find(worker);
      if (member) leave(member);
    });
    clock.replace(globalThis, "Worker", new Proxy(Worker, {
      construct(target, [address, ...passed], type) {
        const isLocal = /^(blob|data):/.test(String(address));
        const own = isLocal && prefix ? withPrefix(String(address)) : null;
        const worker = Reflect.construct(target, [own ?? address, ...passed], type);
        if (own || (isWindow && !isLocal)) join(worker, isLocal ? "a worker" : String(address));
        return worker;
      },
    }));
  }

  const isBehind = ({ hasAnswered, sent, acknowledged, received, state, held }) =>
    !hasAnswered || sent > acknowledged || state.sent > received || held.length > 0;
  return {
    // Asks all that are not busy; `pending` tracks those that have not answered.
    ask(order) {
      for (const member of members) {
        if (!member.port || member.isAsked) continue;
        member.isAsked = true;
        member.end = pending.begin(member.name);
        member.port.postMessage({ ...order, sent: member.sent });
      }
    },
    // A worker that does not answer is no longer waited for.
    abandon() {
      for (const member of members) if (member.isAsked || !member.port) leave(member);
    },
    states: () => [...members].map((member) => member.state),
    isMoving: () => [...members].some(isBehind),
    // Messages reach the page in the order of its workers, once none of these is busy or still starting.
    deliver() {
      if ([...members].some((member) => member.isAsked || !member.hasAnswered)) return;
      for (const { worker, held } of members) {
        for (const { data, ports } of held.splice(0)) {
          const event = new MessageEvent("message", { data, ports: [...ports] });
          released.add(event);
          worker.dispatchEvent(event);
        }
      }
    },
  };
}
