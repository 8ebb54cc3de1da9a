// Called in every isolated world of the frozen page: stops everything that moves without scripts.
import { allRoots, allStyles } from "./tree.js";

export async function settle(hasScripts, mayMove) {
  // Height in pixels from which hidden content is reported.
  const HIDDEN = 100;
  const roots = allRoots();
  // Elements of other languages may have the same names as HTML's.
  /** @template {Element} E @param {string} selector @param {new () => E} kind @returns {E[]} */
  const all = (selector, kind) =>
    /** @type {E[]} */ (roots.flatMap((root) => [...root.querySelectorAll(selector)])).filter((element) => element instanceof kind);
  const restless = new Set();
  // A style sheet inside an SVG picture goes on animating it, beyond the reach of everything that is stopped here.
  // Pictures in files have already been made motionless; here are the others.
  const isAnimated = async (address) => {
    if (!/^(data:image.svg|blob:)/i.test(address)) return false;
    try {
      const answer = await fetch(address);
      if (!answer.headers.get("content-type")?.includes("svg")) return false;
      return /keyframes|starting-style/i.test(await answer.text());
    } catch {
      return false; // It shows nothing.
    }
  };
  const SHOWING = "backgroundImage maskImage borderImageSource listStyleImage content".split(" ");
  const addresses = new Set();
  const noteAddresses = (style) => {
    for (const property of SHOWING) {
      for (const [, , address] of style[property]?.matchAll(/url\((["']?)(.*?)\1\)/g) ?? []) addresses.add(address);
    }
  };
  const noteShown = (element, style) => {
    if (element instanceof HTMLImageElement) addresses.add(element.currentSrc);
    if (element instanceof SVGImageElement) addresses.add(element.href.baseVal);
    if (!element.checkVisibility()) return;
    noteAddresses(style);
    for (const pseudo of ["::before", "::after", ...(style.display.includes("list-item") ? ["::marker"] : [])]) {
      const own = getComputedStyle(element, pseudo);
      if (own.content !== "none") noteAddresses(own); // Otherwise it has no box.
    }
  };

  // Content that is laid out only when it comes near the window would otherwise have an estimated height.
  for (const element of all("*", Element)) {
    const style = getComputedStyle(element);
    if (mayMove) noteShown(element, style);
    if (style.contentVisibility !== "auto") continue;
    /** @type {HTMLElement} */ (element).style?.setProperty("content-visibility", "visible", "important");
  }
  // Whether an optional font arrives in time is chance.
  if ([...document.fonts].some((font) => font.display === "optional")) {
    for (const rule of allStyles()) if (rule?.style?.fontDisplay === "optional") rule.style.fontDisplay = "swap";
  }
  document.documentElement?.getBoundingClientRect();

  for (const address of addresses) if (await isAnimated(address)) restless.add("animated picture");

  const images = all("img", HTMLImageElement);
  for (const image of images) if (image.loading === "lazy") image.loading = "eager";
  const decoded = images.map((image) => image.decode().catch(() => {}));
  await Promise.all([document.fonts.ready, ...decoded]);

  // How edges are drawn can depend on whether a picture was decoded when first painted, so everything is repainted.
  // Hiding everything for the length of a style recalculation does so, and no frame shows it.
  const veil = new CSSStyleSheet();
  veil.replaceSync("* { visibility: hidden !important; transition: none !important; }");
  const sheets = roots.map((root) => [...root.adoptedStyleSheets]);
  const wear = (...added) => {
    for (const [index, root] of roots.entries()) root.adoptedStyleSheets = [...sheets[index], ...added];
    document.documentElement?.getBoundingClientRect();
  };
  const rules = new CSSStyleSheet();
  // With scripts stopped, their fallback content would show.
  if (hasScripts) rules.insertRule("noscript { display: none !important; }");
  wear(rules, veil);
  wear(rules);

  // Capturing the whole page makes the window empty for a moment, and animations that style sheets define for some widths
  // only then restart. In a layer, `!important` rules outweigh those of the page's own style sheets.
  rules.insertRule(`@layer design2a11y { *, ::before, ::after {
    transition: none !important; animation-delay: -3600000s !important; animation-play-state: paused !important; } }`);
  // Finite animations end, as if one had waited or scrolled; endless ones are as if they had never begun. On a scroll
  // timeline they would go on, since capturing the whole page changes the scrollable distance.
  for (const root of roots) {
    for (const animation of root.getAnimations()) {
      if (!(animation.timeline instanceof DocumentTimeline)) animation.timeline = document.timeline;
      try {
        animation.finish();
      } catch {
        animation.cancel();
      }
    }
  }
  for (const picture of all("svg", SVGSVGElement)) {
    if (!picture.querySelector("animate, animateTransform, animateMotion, set")) continue;
    picture.pauseAnimations();
    picture.setCurrentTime(0);
  }
  for (const media of all("video, audio", HTMLMediaElement)) {
    media.pause();
    if (media.currentTime) media.currentTime = 0;
    restless.add("video");
  }
  if (all("canvas", Element).length) restless.add("canvas");
  if (all("embed, object", Element).length) restless.add("plug-in");

  rules.insertRule("progress:indeterminate { appearance: none !important; }");
  rules.insertRule("input, textarea, [contenteditable] { caret-color: transparent !important; }");
  // Otherwise a page with smooth scrolling keeps moving for a while.
  scrollTo({ top: 0, left: 0, behavior: "instant" });

  const root = document.documentElement;
  // The window scrolls the root, and the body if the root does not clip; a frame's window is not ours.
  const isWindows = (element) =>
    self === top &&
    (element === document.scrollingElement ||
      (element === document.body && getComputedStyle(root).overflowY === "visible"));
  const hides = (element) =>
    element.clientHeight > 0 &&
    element.scrollHeight - element.clientHeight >= HIDDEN &&
    !isWindows(element) &&
    !["textarea", "select"].includes(element.localName) &&
    (element === root || ["auto", "scroll"].includes(getComputedStyle(element).overflowY));
  return { restless: [...restless], numHiding: all("*", Element).filter(hides).length };
}
