// Sets up the clock of a page's frame, and everything that uses it, before the page's scripts run.
import { fixChance } from "./chance.js";
import { makeClock } from "./clock.js";
import { drive } from "./drive.js";
import { alignMoments } from "./moments.js";
import { makeObservers } from "./observers.js";
import { makePending } from "./pending.js";
import { endViewTransitions } from "./view_transitions.js";
import { driveWorkers } from "./workers.js";

/** @param {number} epoch when it starts @param {string} prefix the script prepended to every worker's own */
export function startPageClock(epoch, prefix) {
  const clock = makeClock({ epoch });
  const pending = makePending(clock);
  fixChance(clock);
  alignMoments(clock);
  const workers = driveWorkers(clock, pending, { prefix, isWindow: true });
  const observers = makeObservers(clock, pending);
  endViewTransitions(clock, pending);
  drive(clock, pending, workers, observers, frameLine());
}

// The line between the frame's clock and our isolated world. The two worlds share the event target `performance`, which
// keeps its listeners whatever happens to the document.
function frameLine() {
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
