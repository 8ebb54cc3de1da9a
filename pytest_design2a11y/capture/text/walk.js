// Walks the flat tree of one frame and collects all text that a person can see, in document order.
//
// The files of this folder, joined, are the body of a function (listedTags, isMain, isAuditedFrame, unserved,
// firstOwner, findsElements, generated). It returns
//   runs: [text, [[x, y, width, height], ...], color, owner, unaudited, source, marks, isPlain, first, last, font,
//     paragraph], boxes in px,
//     clipped to what is visible,
//     of the document in the main frame and of the viewport in others; color [red, green, blue, alpha], or null
//     where a gradient or a picture fills the text; owners numbered from firstOwner; unaudited: number of characters that no
//     accessibility rule looks at; source: [text, isRecolored] of what noteSource says, null outside listed elements;
//     marks: those of the boxes that hold a bullet or the like, not its letters; isPlain: whether it is painted as its
//     style says, where nothing lies on it; first, last: its elements, by their order; font: its number among fonts, -1 where not noted;
//     paragraph: the nearest element around it that is not inline;
//   pseudos: [kind, tag] of every ::before and ::after with text. Where their boxes are is beyond scripts:
//     a second call gets them as `generated`, in the same order, each [text, boxes] or null;
//   boxed: characters that no font has;
//   numUnauditedFrames: number of frames that no accessibility rule looks at;
//   words: {shown, hidden}: numbers of words;
//   decoys: [kind, x, y, width, height, from, to] of what could be taken for text, and which elements, by their order,
//     lie in what paints it; isAnywhere: whether more of it is anywhere;
//   where findsElements, fonts: [size, weight, isItalic, advances] (see models/elements.py), candidates, of which there
//     are numCandidates in all and generatedBoxes (see elements.js);
//   numContents, isSuspicious: whether a closed shadow root may be hidden from this script.

const LISTED = new Set(listedTags);
const PHRASING = new Set(
  (
    "abbr acronym b bdi bdo big br cite code data del dfn em font i ins kbd mark nobr q rp rt ruby s samp " +
    "small strike strong sub sup time tt u var wbr tspan textpath slot"
  ).split(" "),
);
const REPLACED = new Set("img svg canvas video audio object embed iframe br".split(" "));
const FRAMES = new Set("iframe frame object embed".split(" "));
const closedRoots = globalThis.__design2a11yClosedRoots;
const filled = []; // elements whose background shows through their text alone
const decorated = []; // elements whose text has lines under, over or through it
let numContents = 0;
let numWalked = 0;
let isSuspicious = false;

// A closed shadow root shows by what it takes away: children that are nowhere, a box without content.
const HOSTS = new Set(
  "article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "),
);
const mayHideRoot = (element, tag) => {
  if (element.shadowRoot || closedRoots?.has(element)) return false;
  if (tag.includes("-")) return true;
  if (!HOSTS.has(tag)) return false;
  const child = element.firstElementChild;
  if (child) return getComputedStyle(child).display === "";
  if (/\S/.test(element.textContent)) {
    range.selectNodeContents(element);
    return element.offsetHeight > 0 && !range.getClientRects().length;
  }
  return element.offsetWidth >= 8 && element.offsetHeight >= 8;
};

const childrenOf = (element) => {
  const shadow = element.shadowRoot ?? closedRoots?.get(element);
  if (shadow) {
    isAnywhere ||= paintsInParts(shadow);
    return shadow.childNodes;
  }
  if (element.localName === "slot" && element.assignedNodes) {
    const assigned = element.assignedNodes();
    if (assigned.length) return assigned;
  }
  return element.childNodes;
};
const ownerOf = (element, tag, outer) => {
  const isOwn = LISTED.has(tag) || !(outer.listed || (PHRASING.has(tag) && outer.hasParent));
  return isOwn ? () => ownerNumber(element) : outer.owner;
};

const walk = (element, around) => {
  const tag = element.localName;
  const outer = isOnTop(element, tag) ? { ...around, ...onTop(around) } : around;
  if (REPLACED.has(tag)) breakRun();
  if (NEVER_SHOWN.has(tag) && !element.shadowRoot) {
    if (HOLDERS.has(tag)) noteHolder(element, tag, outer);
    if (FRAMES.has(tag)) noteFrame(element, tag, outer);
    return;
  }
  const order = numWalked++;
  const style = getComputedStyle(element);
  if (style.display === "none") countHidden(element);
  if (style.display === "none" || style.display === "") return;
  if (style.display === "contents") numContents += 1;
  const opacity = outer.opacity * +style.opacity;
  isSuspicious ||= mayHideRoot(element, tag);
  const isInline = (style.display === "inline" || style.display === "contents") && !REPLACED.has(tag);
  if (!isInline) breakRun();
  const clips = clipsFor(element, style, outer.clips);
  const outerClip = clipOf(style, outer.clips);
  const isSvg = element.namespaceURI === "http://www.w3.org/2000/svg";
  const firstOwn = decoys.length;
  const firstCandidate = candidates.length;
  const isTurned = outer.isTurned || turns(style);
  if (style.visibility === "visible") {
    noteDecoy(element, tag, style, isSvg);
    if (findsElements && !outer.isSvg) noteElement(element, tag, style, isSvg, { clip: outerClip, opacity, isTurned: outer.isTurned });
  }
  const own = decoys.slice(firstOwn);
  const ownCandidates = candidates.slice(firstCandidate);
  const isFilled = style.backgroundClip === "text" && style.backgroundImage !== "none";
  if (isFilled) filled.push(element);
  if (style.textDecorationLine !== "none") decorated.push(element);
  const isPictureText = outer.isPictureText || isFilled;
  const isMarked = outer.isMarked || (isFilled && hasMarks(element));
  const context = {
    element,
    isAudited: isAuditedIn(element, tag, isSvg, style, outer) || (modals.includes(element) && around.opacity > 0),
    ...windowsOf(element, style, outer),
    style,
    opacity,
    clips,
    outerClip,
    isSvg,
    owner: ownerOf(element, tag, outer),
    listed: LISTED.has(tag) ? element : outer.listed,
    listedStyle: LISTED.has(tag) ? style : outer.listedStyle,
    isPictureText,
    isMarked,
    blur: outer.blur + blurOf(style),
    isTurned,
    isPlain: outer.isPlain && !hasEffect(element, tag, style),
    isDecorated: outer.isDecorated || style.textDecorationLine !== "none",
    order,
    paragraph: isInline ? outer.paragraph : order,
    scale: findsElements ? outer.scale * scaleOf(style) : 1,
    hasParent: true,
  };
  // In SVG these tag names are not HTML elements.
  const isHtml = element.namespaceURI === "http://www.w3.org/1999/xhtml";
  if (isHtml && (tag === "input" || tag === "textarea")) readControl(element, tag, context);
  else if (isHtml && tag === "select")
    readSelect(element, tag, context);
  else if (style.contentVisibility !== "hidden" || UNCONTAINED.test(style.display)) {
    if (style.display.includes("list-item")) noteMarker(element, tag, context);
    readPseudo(element, tag, "before", context);
    readChildren(element, tag, context);
    readPseudo(element, tag, "after", context);
  }
  for (const decoy of own) decoy.splice(5, 2, order, numWalked);
  for (const candidate of ownCandidates) candidate.splice(8, 2, order, numWalked);
  if (!isInline) breakRun();
};
// To these boxes `content-visibility` does not apply.
const UNCONTAINED = /^(inline|contents|ruby.*|table-(?!caption).*)$/;
const readChildren = (element, tag, context) => {
  const isClosed = tag === "details" && !element.open;
  const isHidden = isClosed && !showsClosed(element);
  const summary = isClosed ? element.querySelector(":scope > summary") : null;
  // What a style sheet shows of closed parts, axe takes for hidden.
  const inner = isClosed ? { ...context, isAudited: false } : context;
  for (const child of childrenOf(element)) {
    if (child.nodeType === Node.TEXT_NODE) {
      isHidden ? countHidden(child) : readTextNode(child, inner);
    } else if (child.nodeType === Node.ELEMENT_NODE) {
      if (child === summary) walk(child, context);
      else isHidden ? countHidden(child) : walk(child, inner);
    }
  }
};
const showsClosed = (details) => getComputedStyle(details, "::details-content").contentVisibility !== "hidden";

// What is in the top layer is painted by itself: nothing that is around it hides or clips it.
const isOnTop = (element, tag) =>
  (tag === "dialog" || element.hasAttribute("popover")) && element.matches(":popover-open, :modal");
const onTop = ({ isAudited, opacity, windows }) => ({
  ...UNHIDDEN,
  clips: pageClips,
  isAudited: isAudited && opacity > 0,
  left: windows,
});

const viewport = isMain ? EVERYWHERE : [0, 0, innerWidth, innerHeight];
const pageClips = { flow: viewport, absolute: viewport, fixed: viewport };
const UNHIDDEN = {
  opacity: 1,
  isPictureText: false,
  isMarked: false,
  blur: 0,
  isTurned: false,
  isSvg: false,
  paragraph: 0,
  scale: 1,
  isPlain: isMain,
  windows: [],
  left: [],
};
isAnywhere ||= paintsInParts(document) || hasHighlights();
if (root) {
  const isAudited = isAuditedFrame && !modals.length;
  walk(root, { ...UNHIDDEN, clips: pageClips, listed: null, owner: null, hasParent: false, isAudited });
}
globalThis.__design2a11yFontSamples = samples;
globalThis.__design2a11yText = {
  elements: runs.map((run) => run[5]),
  runOwners: runs.map((run) => run[3]),
  owners,
  filled,
  decorated,
  closedRoots,
  unauditedFrames,
  generatedText,
  castsFar,
};
const boxed = boxedCharacters();
return {
  runs: runs.map(([text, boxes, tint, owner, , , ...rest]) => [text, boxes, tint, owner, ...rest.with(6, runFont(rest[6]))]),
  numUnauditedFrames: unauditedFrames.length,
  decoys,
  isAnywhere,
  pseudos,
  numContents,
  isSuspicious,
  fonts,
  candidates: largestCandidates(),
  numCandidates: candidates.length,
  generatedBoxes,
  boxed,
  words,
};
