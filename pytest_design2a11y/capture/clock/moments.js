// Makes everything else with a time use the page's clock: events, marks, files, Temporal. The times of the browser's own
// work differ between runs, and are given as zero.
import { getterOf } from "./getters.js";

export function alignMoments({ replace, wrap }) {
  const scope = globalThis;
  const now = performance.now;
  const { now: moment } = Date;
  const origin = moment();
  const replaceGetter = (prototype, name, get) => {
    if (prototype && Object.getOwnPropertyDescriptor(prototype, name)?.get) {
      Object.defineProperty(prototype, name, { get, configurable: true, enumerable: true });
    }
  };

  const stamps = new WeakMap();
  replaceGetter(scope.Event.prototype, "timeStamp", /** @this {Event} */ function () {
    if (!stamps.has(this)) stamps.set(this, now());
    return stamps.get(this);
  });
  replaceGetter(Performance.prototype, "timeOrigin", () => origin);
  Performance.prototype.toJSON = () => ({ timeOrigin: origin });
  const timing = scope.PerformanceTiming?.prototype;
  for (const name of Object.getOwnPropertyNames(timing ?? {})) replaceGetter(timing, name, () => origin);
  if (timing) timing.toJSON = () => ({ navigationStart: origin });

  wrap(Performance.prototype, "mark", {
    apply: (target, self, [name, options]) =>
      Reflect.apply(target, self, [name, { ...options, startTime: options?.startTime ?? now() }]),
  });
  wrap(Performance.prototype, "measure", {
    apply(target, self, [name, first, last]) {
      const given = typeof first === "object" ? { ...first } : { start: first, end: last };
      if (given.duration === undefined) given.end ??= now();
      return Reflect.apply(target, self, [name, given]);
    },
  });
  const OWN = new Set(["mark", "measure"]);
  const OTHERS = /^(PerformanceEntry|Performance\w+Timing|LargestContentfulPaint|TaskAttributionTiming)$/;
  for (const kind of Object.getOwnPropertyNames(scope).filter((name) => OTHERS.test(name))) {
    const { prototype } = scope[kind];
    for (const name of Object.getOwnPropertyNames(prototype)) {
      if (!/duration|time$|start$|end$|delay$/i.test(name)) continue;
      const real = getterOf(prototype, name);
      replaceGetter(prototype, name, /** @this {PerformanceEntry} */ function () {
        return OWN.has(this.entryType) ? real.call(this) : 0;
      });
    }
    if (Object.hasOwn(prototype, "toJSON")) {
      prototype.toJSON = function () {
        const { name, entryType, startTime, duration } = this;
        return { name, entryType, startTime, duration };
      };
    }
  }

  const twoDigits = (number) => String(number).padStart(2, "0");
  const modified = () => {
    const date = new Date(origin);
    const day = [date.getMonth() + 1, date.getDate()].map(twoDigits);
    const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits);
    return `${day.join("/")}/${date.getFullYear()} ${time.join(":")}`;
  };
  replaceGetter(scope.Document?.prototype, "lastModified", modified);
  if (scope.File) {
    replace(scope, "File", new Proxy(scope.File, {
      construct: (target, [parts, name, options], type) =>
        Reflect.construct(target, [parts, name, { lastModified: moment(), ...options }], type),
    }));
  }
  const { Now, Instant } = scope.Temporal ?? {};
  if (Now) {
    const instant = () => Instant.fromEpochMilliseconds(moment());
    const zoned = (zone = Now.timeZoneId()) => instant().toZonedDateTimeISO(zone);
    replace(Now, "instant", instant);
    replace(Now, "zonedDateTimeISO", zoned);
    replace(Now, "plainDateTimeISO", (zone) => zoned(zone).toPlainDateTime());
    replace(Now, "plainDateISO", (zone) => zoned(zone).toPlainDate());
    replace(Now, "plainTimeISO", (zone) => zoned(zone).toPlainTime());
  }
  const connection = scope.NetworkInformation?.prototype;
  replaceGetter(connection, "rtt", () => 0);
  replaceGetter(connection, "downlink", () => 10);
}
