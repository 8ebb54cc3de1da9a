// A transition between two views captures the old one, shows the new, and then moves from one to the other as long as
// its animations last. These stand still, so the transition is finished when their time is over.

export function endViewTransitions({ enqueue, wrap }, pending) {
  const { then } = Promise.prototype;
  const getAnimations = document.getAnimations.bind(document);
  const duration = () =>
    Math.max(
      0,
      ...getAnimations()
        .map(({ effect }) => /** @type {KeyframeEffect} */ (effect))
        .filter((effect) => effect?.pseudoElement?.startsWith("::view-transition"))
        .map((effect) => /** @type {number} */ (effect.getComputedTiming().endTime))
        .filter(Number.isFinite),
    );
  const finish = (transition) => {
    const end = pending.begin("startViewTransition");
    then.call(transition.finished, end, end);
    transition.skipTransition();
  };
  wrap(Document.prototype, "startViewTransition", {
    apply(target, self, passed) {
      const transition = Reflect.apply(target, self, passed);
      const end = pending.begin("startViewTransition");
      const move = () => {
        enqueue(() => finish(transition), duration(), false, []);
        end();
      };
      then.call(transition.ready, move, end);
      return transition;
    },
  });
}
