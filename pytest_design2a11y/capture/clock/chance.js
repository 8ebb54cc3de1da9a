// Fixes other things that differ between runs: random numbers come from a fixed seed, and the machine is online.

export function fixChance({ replace }) {
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
  replace(Crypto.prototype, "randomUUID", () =>
    "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) =>
      (+digit ^ (Math.floor(random() * 256) & (15 >> (+digit / 4)))).toString(16)));
  // When memory is freed differs between runs: for a page, it never is.
  // biome-ignore lint/suspicious/noShadowRestrictedNames: a page sees the name.
  replace(globalThis, "WeakRef", class WeakRef {
    #target;
    constructor(target) {
      this.#target = target;
    }
    deref() {
      return this.#target;
    }
  });
  FinalizationRegistry.prototype.register = () => {};
  FinalizationRegistry.prototype.unregister = () => false;
  const navigatorType = globalThis.Navigator || globalThis.WorkerNavigator;
  Object.defineProperty(navigatorType.prototype, "onLine", { get: () => true, configurable: true });

  // No person answers, and with external answers a page that asks endlessly would hang.
  if (!globalThis.document) return;
  const emit = performance.dispatchEvent.bind(performance);
  const answers = { open: null, alert: undefined, confirm: false, prompt: null };
  for (const [name, answer] of Object.entries(answers)) {
    replace(globalThis, name, () => {
      emit(new Event(`design2a11y-${name}`));
      return answer;
    });
  }
}
