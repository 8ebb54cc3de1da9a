// Delivers observations to scripts only when we draw a frame, not whenever the browser did: layout and intersection
// observers, and the ends of animations, which stand still and are finished when their time comes.

import { FRAME } from "./clock.js";

export function makeObservers({ enqueue, replace, wrap, before, report, real }, pending) {
  const inbox = new Map();
  let numObservers = 0;
  let heedsScrolling = false;
  let heedsAnimations = false;
  // Whether a script listens to scrolling, and whether one scrolls.
  let isListening = false;
  let scrolls = false;
  for (const name of ["IntersectionObserver", "ResizeObserver"]) {
    replace(window, name, new Proxy(window[name], {
      construct(target, [callback, ...passed], type) {
        numObservers += 1;
        heedsScrolling ||= name === "IntersectionObserver";
        const receive = (entries, observer) => {
          const known = inbox.get(observer) ?? { callback, entries: [] };
          known.entries.push(...entries);
          inbox.set(observer, known);
        };
        return Reflect.construct(target, [receive, ...passed], type);
      },
    }));
  }
  const ends = new Set(["transitionend", "transitioncancel", "animationend"]);
  before(EventTarget.prototype, "addEventListener", (self, [type]) => {
    if (type === "scroll") heedsScrolling ||= self == null || self === window || self === document;
    heedsAnimations ||= ends.has(type);
    isListening ||= /^scroll/.test(type);
  });

  const scrollTo = window.scrollTo.bind(window);
  // Smooth scrolling would take real time.
  const atOnce = (name, [first, ...others]) => {
    if (typeof first === "object") return [{ ...first, behavior: "instant" }];
    if (name === "scrollIntoView") return [{ block: first === false ? "end" : "start", behavior: "instant" }];
    return others.length ? [{ left: first, top: others[0], behavior: "instant" }] : [];
  };
  for (const owner of [window, Element.prototype]) {
    for (const name of ["scroll", "scrollTo", "scrollBy", "scrollIntoView"]) {
      wrap(owner, name, {
        apply(target, self, passed) {
          scrolls = true;
          return Reflect.apply(target, self, atOnce(name, passed));
        },
      });
    }
  }
  const isMain = window === window.top;
  const seen = new WeakSet();
  const getAnimations = document.getAnimations.bind(document);
  const endInTime = (animation) => {
    const end = animation.effect?.getComputedTiming().endTime;
    if (seen.has(animation) || animation.playState !== "running" || !Number.isFinite(end)) return;
    seen.add(animation);
    // An animation ends with a frame at the earliest.
    enqueue(() => animation.playState === "running" && finish(animation), Math.max(end, FRAME), false, []);
  };
  // Its events come with a frame, for which the clock waits; a frame that is not shown draws none.
  const finish = (animation) => {
    pending.beginSoon("animation", animation, "finish");
    animation.finish();
  };
  // Those of scripts end as long after their beginning, whenever a frame is drawn.
  wrap(Element.prototype, "animate", {
    apply(target, self, passed) {
      heedsAnimations = true;
      const animation = Reflect.apply(target, self, passed);
      endInTime(animation);
      return animation;
    },
  });
  const deliver = () => {
    const waiting = [...inbox];
    inbox.clear();
    for (const [observer, { callback, entries }] of waiting) {
      try {
        callback.call(observer, entries, observer);
      } catch (error) {
        report(error);
      }
    }
    return waiting.length;
  };
  return {
    observes: () => numObservers > 0 || heedsAnimations,
    heedsScrolling: () => heedsScrolling || !!window.onscroll || !!document.onscroll,
    scrolls: () => scrolls && (isListening || !!(window.onscroll || document.onscroll || window.onscrollend)),
    scroll(top) {
      if (isMain) scrollTo({ top, behavior: "instant" });
    },
    // Two frames: what scrolls into view in the first is drawn in the second.
    draw: (callback) =>
      real.requestAnimationFrame(() =>
        real.requestAnimationFrame(() =>
          real.whenIdle(() => {
            const numDelivered = deliver();
            if (heedsAnimations) getAnimations().forEach(endInTime);
            callback(numDelivered);
          }))),
  };
}
