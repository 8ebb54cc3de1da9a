// Sets up the clock of a worker, before its own script runs.
import { fixChance } from "./chance.js";
import { makeClock } from "./clock.js";
import { drive } from "./drive.js";
import { alignMoments } from "./moments.js";
import { makePending } from "./pending.js";
import { workerLine } from "./worker_line.js";
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
