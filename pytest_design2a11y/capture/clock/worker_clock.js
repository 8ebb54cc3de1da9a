// Sets up the clock of a worker, before its own script runs.
import { fixChance } from "./chance.js";
import { makeClock } from "./clock.js";
import { drive } from "./drive.js";
import { alignMoments } from "./moments.js";
import { makePending } from "./pending.js";
import { driveWorkers } from "./workers.js";

/** @param {number} epoch when it starts */
export function startWorkerClock(epoch) {
  const clock = makeClock({ epoch });
  const pending = makePending(clock);
  fixChance(clock);
  alignMoments(clock);
  const workers = driveWorkers(clock, pending, { prefix: null, isWindow: false });
  drive(clock, pending, workers, null, workerLine(clock));
}

// The line between the worker's clock and its page's: says hello, counts messages both ways, and holds back an answer
// until all messages sent by the page have arrived.
function workerLine(clock) {
  const { port1, port2 } = new MessageChannel();
  const send = port1.postMessage.bind(port1);
  /** @type {(...passed: any[]) => void} */
  const post = globalThis.postMessage.bind(globalThis);
  let sent = 0;
  let received = 0;
  let limit = 0;
  let hasBegun = false;
  clock.replace(globalThis, "postMessage", (...passed) => {
    post(...passed);
    sent += 1;
  });
  addEventListener("message", () => (received += 1));
  post({ design2a11yPort: port2 }, [port2]);
  return {
    listen: (obey) =>
      (port1.onmessage = ({ data }) => {
        if (!hasBegun) clock.reach(data.limit);
        hasBegun = true;
        limit = data.limit;
        const whenCome = () => (received < data.sent ? clock.real.setTimeout(whenCome, 1) : obey(data));
        whenCome();
      }),
    // The page has reached this moment too: what its next message causes happens after that.
    answer(state) {
      clock.reach(limit);
      send({ ...state, sent, received });
    },
  };
}
