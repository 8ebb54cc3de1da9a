// What clips text: overflow, clip-path, clip.
import { edges, EVERYWHERE, intersect } from "./frame.js";
import { lengthOf } from "./styles.js";

/** @import { Box } from "./frame.js" */

const insetEdges = (shape, [left, top, right, bottom]) => {
  const lengths = shape.split(" round ")[0].split(/\s+/);
  const [up, aside = up, down = up, other = aside] = lengths;
  const width = right - left;
  const height = bottom - top;
  const [far, low] = [right - lengthOf(aside, width), bottom - lengthOf(down, height)];
  return [left + lengthOf(other, width), top + lengthOf(up, height), far, low];
};
const polygonEdges = (shape, [left, top, right, bottom]) => {
  const corners = shape.replace(/^(evenodd|nonzero),\s*/, "").split(/,\s*/);
  const points = corners.map((point) => point.split(/\s+/));
  const xs = points.map((point) => left + lengthOf(point[0], right - left));
  const ys = points.map((point) => top + lengthOf(point[1], bottom - top));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
};
const circleEdges = (shape, [left, top, right, bottom]) => {
  const [size, place = "50% 50%"] = shape.split(/\s*\bat\s+/);
  const [x, y] = place.split(/\s+/);
  const width = right - left;
  const height = bottom - top;
  const [horizontal, vertical = horizontal] = size.trim().split(/\s+/);
  const round = vertical === horizontal ? Math.hypot(width, height) / Math.SQRT2 : null;
  const [xRadius, yRadius] = [lengthOf(horizontal, round ?? width), lengthOf(vertical, round ?? height)];
  const center = [left + lengthOf(x, width), top + lengthOf(y, height)];
  return [center[0] - xRadius, center[1] - yRadius, center[0] + xRadius, center[1] + yRadius];
};
const SHAPES = { inset: insetEdges, polygon: polygonEdges, circle: circleEdges, ellipse: circleEdges };

export const shapeEdges = (style, bounds) => {
  /** @type {Box | null} */
  let clip = null;
  const shape = /^(inset|polygon|circle|ellipse)\((.*)\)$/.exec(style.clipPath);
  if (shape) clip = SHAPES[shape[1]](shape[2], bounds);
  const rect =
    style.position === "absolute" || style.position === "fixed" ? /^rect\((.*)\)$/.exec(style.clip) : null;
  if (rect) {
    const [up, right, down, left] = rect[1].split(/,\s*|\s+/).map((part) => lengthOf(part, 0));
    /** @type {Box} */
    const far = [bounds[0] + left, bounds[1] + up, bounds[0] + right, bounds[1] + down];
    clip = clip ? intersect(clip, far) : far;
  }
  return clip && /** @type {Box} */ (clip.map((edge, at) => (Number.isNaN(edge) ? EVERYWHERE[at] : edge)));
};
export const SCROLLING = /auto|scroll/;
/** @returns {Box} */
const paddingEdges = (style, bounds) => {
  const clipsX = style.overflowX !== "visible";
  const clipsY = style.overflowY !== "visible";
  return [
    clipsX ? bounds[0] + parseFloat(style.borderLeftWidth) : -1e9,
    clipsY ? bounds[1] + parseFloat(style.borderTopWidth) : -1e9,
    clipsX ? bounds[2] - parseFloat(style.borderRightWidth) : 1e9,
    clipsY ? bounds[3] - parseFloat(style.borderBottomWidth) : 1e9,
  ];
};
// Scrolled through, an element cuts off only what lies before its content's beginning, where nobody can scroll to.
/** @returns {Box} */
const reachedEdges = (element, style, bounds) => {
  const [left, top, right, bottom] = paddingEdges(style, bounds);
  const direction = /flex/.test(style.display) ? style.flexDirection : "";
  const isLeftward = (style.direction === "rtl") !== (direction === "row-reverse") || style.writingMode === "vertical-rl";
  const isUpward = direction === "column-reverse";
  const [across, down] = [SCROLLING.test(style.overflowX), SCROLLING.test(style.overflowY)];
  return [
    !across ? left : isLeftward ? -1e9 : left - element.scrollLeft,
    !down ? top : isUpward ? -1e9 : top - element.scrollTop,
    !across ? right : isLeftward ? right - element.scrollLeft : 1e9,
    !down ? bottom : isUpward ? bottom - element.scrollTop : 1e9,
  ];
};
export const root = document.documentElement;
export const rootStyle = root && getComputedStyle(root);
export const isViewportOverflow = (element) =>
  element === root ||
  (element === document.body && rootStyle.overflowX === "visible" && rootStyle.overflowY === "visible");
export const containsFixed = (style) =>
  style.transform !== "none" ||
  style.filter !== "none" ||
  style.perspective !== "none" ||
  style.backdropFilter !== "none" ||
  /paint|layout|strict|content/.test(style.contain) ||
  /transform|filter|perspective/.test(style.willChange) ||
  style.translate !== "none" ||
  style.rotate !== "none" ||
  style.scale !== "none";

const LEAST_WINDOW = 20; // px; through less, nobody reads
// Whether an element is a window on its content, which can be scrolled.
export const scrolls = (element, { overflowX, overflowY }) =>
  (SCROLLING.test(overflowX) || SCROLLING.test(overflowY)) &&
  !isViewportOverflow(element) &&
  Math.min(element.clientWidth, element.clientHeight) >= LEAST_WINDOW;

// The clip of an element itself.
export const clipOf = ({ position }, { absolute, fixed, flow }) =>
  position === "fixed" ? fixed : position === "absolute" ? absolute : flow;
// The clips of an element's children, by how they are positioned: in flow, absolute, fixed. Or so as
// if it were scrolled through.
export const clipsFor = (element, style, outer, holdsFixed, isScrolledThrough = false) => {
  const own = clipOf(style, outer);
  const hasShape = style.clipPath !== "none" || style.clip !== "auto";
  const hasOverflow =
    (style.overflowX !== "visible" || style.overflowY !== "visible") &&
    style.display !== "inline" &&
    style.display !== "contents" &&
    !isViewportOverflow(element);
  const holdsAbsolute = holdsFixed || style.position !== "static";
  if (!hasShape && !hasOverflow && own === outer.flow && !holdsAbsolute) return outer;
  let { absolute, fixed } = outer;
  let flow = own;
  if (hasShape || hasOverflow) {
    const bounds = edges(element.getBoundingClientRect());
    const shape = hasShape ? shapeEdges(style, bounds) : null;
    if (shape) {
      flow = intersect(flow, shape);
      absolute = intersect(absolute, shape);
      fixed = intersect(fixed, shape);
    }
    if (hasOverflow) flow = intersect(flow, isScrolledThrough ? reachedEdges(element, style, bounds) : paddingEdges(style, bounds));
  }
  if (holdsAbsolute) absolute = flow;
  if (holdsFixed) fixed = flow;
  return { flow, absolute, fixed };
};
