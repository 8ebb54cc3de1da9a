// Finds what moves in a frame: in its isolated world.
import { all, attribute, boxOf, called, isShown, nameOf, numberOf, parentOf, place } from "../capture/running/page.js";

const LONG = 5000;
const LEAST_AREA = 64;
const STILL = new Set(
  ("opacity color backgroundColor borderColor outlineColor boxShadow textShadow filter fill stroke visibility offset " +
    "easing composite computedOffset").split(" "),
);
const BLINKING = new Set(["opacity", "visibility", "color", "backgroundColor"]);
const isLarge = (element) => {
  const { width, height } = boxOf(element);
  return isShown(element) && width * height >= LEAST_AREA;
};
const isIndicator = (element) =>
  element.closest("[role=progressbar], [aria-busy=true], progress") !== null ||
  /spinner|loader|loading|progress|skeleton/i.test(attribute(element, "class") ?? "");

// Long animations: [number, why, whether it moves and does not only blink, whether it may have to go on, such as
// progress indicators].
export function animated() {
  const found = new Map();
  for (const animation of document.getAnimations()) {
    const effect = /** @type {KeyframeEffect | null} */ (animation.effect);
    if (!(effect?.target instanceof Element) || !(animation.timeline instanceof DocumentTimeline)) continue;
    if (animation.playState !== "running" || !isLarge(effect.target)) continue;
    const end = /** @type {number} */ (effect.getComputedTiming().endTime);
    if (!(end > LONG)) continue;
    const properties = new Set(effect.getKeyframes().flatMap((frame) => Object.keys(frame)));
    const moves = [...properties].some((name) => !STILL.has(name));
    if (!moves && ![...properties].some((name) => BLINKING.has(name))) continue;
    const lasts = end === Infinity ? "without end" : `for ${Math.round(end / 100) / 10} s`;
    const { animationName, transitionProperty } = /** @type {any} */ (animation);
    const what = animationName ?? transitionProperty ?? "an animation";
    note(found, effect.target, `${moves ? "moves" : "changes"} ${lasts} (${what})`, moves);
  }
  for (const element of all()) {
    if (nameOf(element) === "marquee" && isLarge(element)) note(found, element, "moves without end (<marquee>)", true);
    const isPlaying = nameOf(element) === "video" && element.autoplay && !element.controls && element.readyState > 1;
    if (isPlaying && (element.loop || element.duration > LONG / 1000) && isLarge(element)) {
      note(found, element, "plays by itself (<video autoplay>)", true);
    }
    if (element instanceof SVGAnimationElement && attribute(element, "repeatCount") === "indefinite") {
      const target = element.targetElement;
      const holder = target?.ownerSVGElement ?? target;
      if (holder && isLarge(holder)) note(found, holder, "moves without end (SVG animation)", true);
    }
  }
  return [...found].map(([element, { why, moves }]) => [numberOf(element), why, moves, isIndicator(element)]);
}
function note(found, element, why, moves) {
  const known = found.get(element);
  if (!known || (moves && !known.moves)) found.set(element, { why, moves });
}

/** @type {Map<Element, { place: number[], words: string }>[]} where everything is, for later comparison */
const moments = [];
export function look() {
  const wordsOf = (element) => [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data).join("");
  moments.push(new Map(all().filter(isShown).map((element) => [element, { place: place(element).map(Math.round), words: wordsOf(element) }])));
}
// The outermost elements that changed both early and late, with time between looks for scripts alone; the format is that
// of `animated`. Only a person can decide whether changing words must be pausable.
/** @param {number} late */
export function moved(late) {
  const isChanged = (one, other) =>
    one.words !== other.words || one.place.some((side, at) => Math.abs(side - other.place[at]) > 1);
  const changes = moments.slice(1).map((moment, at) => {
    const before = moments[at];
    return [...moment.keys()].filter((element) => before.has(element) && isChanged(moment.get(element), before.get(element)));
  });
  const early = new Set(changes.slice(0, late).flat());
  const going = new Set(changes.slice(late).flat().filter((element) => early.has(element)));
  const outermost = [...going].filter((element) => !going.has(/** @type {Element} */ (parentOf(element))) && isLarge(element));
  // Different words take up different space, which is not motion.
  const isReworded = (element) => new Set(moments.map((moment) => moment.get(element)?.words)).size > 1;
  return outermost.map((element) => {
    const why = `is ${isReworded(element) ? "changed" : "moved"} by a script for more than 5 s`;
    return [numberOf(element), why, !isReworded(element), isReworded(element)];
  });
}

// Whether something on the page claims to pause what moves.
export function hasControl() {
  return all().some((element) =>
    element.matches("button, [role=button], input[type=button], input[type=checkbox], [role=switch], a[href]") &&
    isShown(element) && /\b(pause|stop|play|halt|freeze)\b|⏸|⏯|animation|motion/i.test(`${called(element)} ${attribute(element, "title") ?? ""} ${attribute(element, "value") ?? ""}`));
}

export const images = () =>
  all()
    .filter((element) => element instanceof HTMLImageElement && element.currentSrc && isLarge(element))
    .map((element) => [numberOf(element), element.currentSrc]);
