// Walks the flat tree of one frame and collects all text that a person can see, in document order, as well as everything
// else that the frame shows.
import { controlOf, regionOf } from "../elements/about.js";
import { isAuditedIn, modals, noteFrame, windowsOf } from "./audited.js";
import { childrenOf, closedRoots, countedWords, countHidden, NEVER_SHOWN } from "./children.js";
import { clipOf, clipsFor, containsFixed, root, rootStyle, scrolls } from "./clips.js";
import { readControl, readListBox } from "./controls.js";
import { largestShapes, noteShape, shapesAround } from "./drawings.js";
import { largestCandidates, noteBackdrop, noteElement } from "../elements/elements.js";
import { boxedCharacters, runFont, scaleOf } from "./fonts.js";
import { begin, EVERYWHERE, frame, placeOf, walked } from "./frame.js";
import { noteMarker, readPseudo } from "./generated.js";
import { holdsItems, ranksOf, stackOf, wholeStack } from "../elements/layers.js";
import { breakRun, ownerNumber, readTextNode } from "./runs.js";
import { angleOf, blurOf, castsFar, endsOf, floats, INVISIBLE_ALPHA, parseColor, turns } from "./styles.js";
import { paneOf, reachOfFrame } from "./unseen.js";

/** @import { Box, Question } from "./frame.js" */

const PHRASING = new Set(
  ("abbr acronym b bdi bdo big br cite code data del dfn em font i ins kbd mark nobr q rp rt ruby s samp small strike " +
    "strong sub sup time tt u var wbr tspan textpath slot").split(" "),
);
const REPLACED = new Set("img svg canvas video audio object embed iframe br".split(" "));
const FRAMES = new Set("iframe frame object embed".split(" "));

const underlines = ({ textDecorationLine, textDecorationColor }) =>
  textDecorationLine.includes("underline") && parseColor(textDecorationColor)[3] >= INVISIBLE_ALPHA;
// Lines of the surrounding text do not continue under it.
const isApart = ({ display, float, position }) =>
  display.startsWith("inline-") || float !== "none" || /absolute|fixed/.test(position);
const ownerOf = (element, tag, outer) => {
  const isOwn = frame.owningTags.has(tag) || !(outer.owning || (PHRASING.has(tag) && outer.hasParent));
  return isOwn ? () => ownerNumber(element) : outer.owner;
};

// Elements that hold a picture or a document of their own.
const HOLDERS = new Set("canvas video object embed iframe frame".split(" "));
const noteHolder = (element, tag, outer) => {
  const style = getComputedStyle(element);
  if (style.visibility !== "visible" || style.display === "none") return;
  const { opacity, isTurned, angle, clips, reached, pane, around } = outer;
  const order = walked.numElements;
  const stack = stackOf(style, outer.stack, order, { isItem: holdsItems(outer.style), holdsFixed: containsFixed(style), isTop: false });
  noteElement(element, tag, style, false, { clip: clipOf(style, clips), reach: clipOf(style, reached), pane, opacity: opacity * +style.opacity, isTurned, angle, stack, around, order });
  walked.numElements += 1;
};
// A select menu with a button of the page's own shows that button.
const readSelect = (element, tag, context) => {
  const face = context.style.appearance === "base-select" && element.querySelector(":scope > button:first-child");
  if (element.multiple || element.size > 1) readListBox(element, context);
  else if (face) walk(face, context);
  else readControl(element, tag, context);
};

const walk = (element, around) => {
  const tag = element.localName;
  // The top layer is painted by itself: nothing around it hides or clips it.
  const isTop = (tag === "dialog" || element.hasAttribute("popover")) && element.matches(":popover-open, :modal");
  const outer = isTop
    ? { ...around, ...unhidden(), isAudited: around.isAudited && around.opacity > 0, left: around.windows }
    : around;
  if (REPLACED.has(tag)) breakRun();
  if (NEVER_SHOWN.has(tag) && !element.shadowRoot) {
    if (frame.findsElements && HOLDERS.has(tag)) noteHolder(element, tag, outer);
    if (FRAMES.has(tag)) noteFrame(element, tag, outer);
    return;
  }
  const order = walked.numElements++;
  const style = getComputedStyle(element);
  if (style.display === "none") countHidden(element);
  if (style.display === "none" || style.display === "") return;
  const opacity = outer.opacity * +style.opacity;
  const isInline = (style.display === "inline" || style.display === "contents") && !REPLACED.has(tag);
  if (!isInline) breakRun();
  const holdsFixed = containsFixed(style);
  const clips = clipsFor(element, style, outer.clips, holdsFixed);
  // Without the scrollers that show a part of their content; the same object as `clips` outside of them.
  const isScroller = scrolls(element, style);
  const isPlain = outer.reached === outer.clips && !isScroller;
  const reached = isPlain ? clips : clipsFor(element, style, outer.reached, holdsFixed, isScroller);
  const [outerClip, outerReach] = [clipOf(style, outer.clips), clipOf(style, outer.reached)];
  const isSvg = element.namespaceURI === "http://www.w3.org/2000/svg";
  const firstCandidate = walked.candidates.length;
  const isTurned = outer.isTurned || turns(style);
  const stack = stackOf(style, outer.stack, order, { isItem: holdsItems(outer.style), holdsFixed, isTop });
  const covers = isTop || outer.around.covers || floats(style);
  const own = { region: regionOf(element, tag, outer.around.region), covers, control: controlOf(element, tag, outer.around.control) };
  if (style.visibility === "visible") {
    if (isTop) noteBackdrop(element, tag, { around: own });
    if (frame.findsElements && !outer.isSvg) noteElement(element, tag, style, isSvg, { clip: outerClip, reach: outerReach, pane: outer.pane, opacity, isTurned: outer.isTurned, angle: outer.angle, stack, around: own, order });
    if (frame.findsElements && outer.isSvg) noteShape(element, tag, style, outer, outerClip, opacity);
  }
  const ownCandidates = walked.candidates.slice(firstCandidate);
  const isFilled = style.backgroundClip === "text" && style.backgroundImage !== "none";
  if (isFilled) walked.filled.push(element);
  if (style.textDecorationLine !== "none") walked.decorated.push(element);
  const context = {
    element,
    isAudited: isAuditedIn(element, tag, isSvg, style, outer) || (modals.includes(element) && around.opacity > 0),
    ...windowsOf(element, style, outer),
    style,
    opacity,
    clips,
    reached,
    pane: paneOf(element, isScroller, outerClip, outer.pane),
    outerClip,
    outerReach,
    isSvg,
    shapes: shapesAround(element, tag, isSvg, outer, ownCandidates[0]?.shapes),
    owner: ownerOf(element, tag, outer),
    owning: frame.owningTags.has(tag) ? element : outer.owning,
    owningStyle: frame.owningTags.has(tag) ? style : outer.owningStyle,
    isPictureText: outer.isPictureText || isFilled,
    fills: isFilled ? endsOf(style.backgroundImage) : outer.fills,
    blur: outer.blur + blurOf(style),
    isTurned,
    angle: outer.angle + angleOf(style),
    // Characters stand in the direction of their element, whatever their script, in inline elements of it, too.
    isOverridden: /override/.test(style.unicodeBidi) || (outer.isOverridden && isInline && style.unicodeBidi === "normal"),
    isUnderlined: underlines(style) || (outer.isUnderlined && !isApart(style)),
    isLink: outer.isLink || element.matches("a[href], [role=link]"),
    marker: outer.marker,
    order,
    paragraph: isInline ? outer.paragraph : order,
    scale: frame.findsElements ? outer.scale * scaleOf(style) : 1,
    hasParent: true,
    stack,
    around: own,
  };
  // In SVG these tag names are not HTML elements.
  const isHtml = element.namespaceURI === "http://www.w3.org/1999/xhtml";
  if (isHtml && (tag === "input" || tag === "textarea")) readControl(element, tag, context);
  else if (isHtml && tag === "select") readSelect(element, tag, context);
  else if (style.contentVisibility !== "hidden" || UNCONTAINED.test(style.display)) {
    if (style.display.includes("list-item")) context.marker = noteMarker(element, tag, context);
    readPseudo(element, tag, "before", context);
    readChildren(element, tag, context);
    readPseudo(element, tag, "after", context);
  }
  for (const part of ownCandidates) part.span = [order, walked.numElements];
  if (!isInline) breakRun();
};
// `content-visibility` does not apply to these boxes.
const UNCONTAINED = /^(inline|contents|ruby.*|table-(?!caption).*)$/;
const readChildren = (element, tag, context) => {
  const isClosed = tag === "details" && !element.open;
  const isHidden = isClosed && getComputedStyle(element, "::details-content").contentVisibility === "hidden";
  const summary = isClosed ? element.querySelector(":scope > summary") : null;
  // axe takes closed parts as hidden even if a style sheet shows them.
  const inner = isClosed ? { ...context, isAudited: false } : context;
  for (const child of childrenOf(element)) {
    if (child === summary) walk(child, context);
    else if (isHidden) countHidden(child);
    else if (child.nodeType === Node.TEXT_NODE) readTextNode(child, inner);
    else if (child.nodeType === Node.ELEMENT_NODE) walk(child, inner);
  }
};

// The initial state of the root and of elements in the top layer.
const unhidden = () => {
  /** @type {Box} */
  const viewport = frame.isMain ? EVERYWHERE : [0, 0, innerWidth, innerHeight];
  const clips = { flow: viewport, absolute: viewport, fixed: viewport };
  const reach = reachOfFrame(viewport, rootStyle);
  return {
    clips,
    reached: frame.isMain ? clips : { flow: reach, absolute: reach, fixed: viewport },
    pane: frame.isMain ? null : viewport,
    opacity: 1,
    isPictureText: false,
    fills: [],
    blur: 0,
    isTurned: false,
    angle: 0,
    isSvg: false,
    shapes: null,
    isUnderlined: false,
    isOverridden: false,
    isLink: false,
    marker: null,
    paragraph: 0,
    scale: 1,
    stack: wholeStack([]),
    around: { region: "", covers: false, control: null },
    windows: [],
    left: [],
  };
};

// The text of the frame, and what else it shows; data for later scripts stays in the world.
/** @param {Question} question */
export function readText(question) {
  begin(question);
  if (root) {
    const isAudited = frame.isAudited && !modals.length;
    walk(root, { ...unhidden(), owning: null, owner: null, hasParent: false, isAudited });
  }
  const { runs, owners, filled, decorated, unauditedFrames, generatedText, samples, fonts, candidates, abouts, unseen } = walked;
  globalThis.__design2a11yText = {
    elements: runs.map((run) => run.elements),
    runOwners: runs.map((run) => run.owner),
    owners,
    filled,
    decorated,
    closedRoots,
    unauditedFrames,
    generatedText,
    castsFar,
    samples,
  };
  const boxed = boxedCharacters();
  const kept = largestCandidates();
  const ranks = ranksOf([...kept, ...runs].map(({ path }) => path));
  return {
    runs: runs.map(({ color, elements, path, fonts: parts, shownArea, wholeArea, cutHeight, around, pane, ...run }, at) => ({
      ...run,
      font: runFont(parts),
      rank: ranks[kept.length + at],
      cut: wholeArea ? 1 - shownArea / wholeArea : 0,
      isCutInHeight: cutHeight > (wholeArea - shownArea) / 2,
      around: around && placeOf(around),
      window: pane && placeOf(pane),
    })),
    fonts,
    // As text, since a drawing may have thousands of numbers, each of which takes long to hand over.
    candidates: kept.map(({ path, shapes, ...candidate }, at) => ({ ...candidate, shapes: shapes.length ? JSON.stringify(largestShapes(shapes)) : "", rank: ranks[at] })),
    numCandidates: candidates.length,
    abouts,
    boxed, // characters that no font has
    unseen,
    words: countedWords(runs.map(({ text }) => text)),
    numUnauditedFrames: unauditedFrames.length, // frames that no accessibility rule checks
  };
}
