// The order in which elements are painted (CSS 2.2, appendix E): each has a path of pairs, layer and order, compared
// number by number. A path that begins with another's path is painted over it.

export const LAYERS = { BLOCK: 0, FLOAT: 0.25, INLINE: 0.5, PLACED: 0.75, TOP: 1e9 }; // besides those from a z-index
const isolates = (style) =>
  +style.opacity < 1 ||
  style.mixBlendMode !== "normal" ||
  style.isolation === "isolate" ||
  style.clipPath !== "none" ||
  style.maskImage !== "none";
// `context`: path of the stacking context that contains an element's parts; `near`: path of the nearest ancestor that is
// painted as a whole; `layer`: the element's own layer in that, null if it is itself such a whole.
export const stackOf = (style, outer, order, { isItem, holdsFixed, isTop }) => {
  if (isTop) return wholeStack([LAYERS.TOP, order]);
  const { position } = style;
  const depth = position !== "static" || isItem ? parseFloat(style.zIndex) : NaN;
  if (!Number.isNaN(depth) || position === "fixed" || position === "sticky" || holdsFixed || isolates(style))
    return wholeStack([...outer.context, depth || LAYERS.PLACED, order]);
  if (position !== "static") return { context: outer.context, near: [...outer.context, LAYERS.PLACED, order], layer: null };
  const isInline = style.display.startsWith("inline");
  if (style.float !== "none") return { context: outer.context, near: [...outer.near, LAYERS.FLOAT, order], layer: null };
  if (isItem || (isInline && style.display !== "inline"))
    return { context: outer.context, near: [...outer.near, LAYERS.INLINE, order], layer: null };
  return { context: outer.context, near: outer.near, layer: isInline ? LAYERS.INLINE : LAYERS.BLOCK };
};
export const wholeStack = (path) => ({ context: path, near: path, layer: null });
export const pathIn = ({ near, layer }, order) => (layer === null ? near : [...near, layer, order]);
export const inlinePath = ({ near }, order) => [...near, LAYERS.INLINE, order];
export const holdsItems = (style) => /flex|grid/.test(style?.display);

export const comparePaths = (one, other) => {
  for (let at = 0; at < one.length && at < other.length; at++) if (one[at] !== other[at]) return one[at] - other[at];
  return one.length - other.length;
};
// The rank of each path among all, from 0; equal paths share a rank.
export const ranksOf = (paths) => {
  const ranks = Array(paths.length).fill(0);
  const order = paths.map((_, at) => at).sort((one, other) => comparePaths(paths[one], paths[other]) || one - other);
  order.forEach((at, place) => {
    const last = order[place - 1];
    if (place) ranks[at] = ranks[last] + (comparePaths(paths[last], paths[at]) ? 1 : 0);
  });
  return ranks;
};
