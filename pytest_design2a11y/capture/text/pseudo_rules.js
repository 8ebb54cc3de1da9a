// Style rules that paint something in parts of which no script can tell where they are: ::first-line, ::backdrop,
// ::marker, parts of controls and scroll bars. ::before and ::after are read one by one.

const READ_ELSEWHERE = /:{1,2}(before|after)\b/g;
const UNPAINTED_PARTS = /::?(selection|placeholder|-webkit-scrollbar[\w-]*)\b/g;
const HAS_PART = /::|:first-l/;
const PAINTS_PICTURE = /url\(|image-set|gradient\(|cross-fade|paint\(|element\(/;
const DRAWS_TEXT = /::?first-l/;
const PAINTS_TEXT = /(^|[;\s-])(color|fill|stroke|opacity|text-shadow)[\w-]*\s*:/;
const PAINTS_SHAPE = /(^|[;\s])(background|background-color|box-shadow|border|outline|filter|backdrop-filter)[\w-]*\s*:/;

const partPaints = ({ selectorText, style }) => {
  const selector = selectorText.replace(READ_ELSEWHERE, "");
  if (!HAS_PART.test(selector)) return false;
  const text = style.cssText;
  if (DRAWS_TEXT.test(selector) && PAINTS_TEXT.test(text)) return true;
  return PAINTS_PICTURE.test(text) || (HAS_PART.test(selector.replace(UNPAINTED_PARTS, "")) && PAINTS_SHAPE.test(text));
};
// What a sheet from another host says, no script may read.
const paintsInParts = (root) => {
  for (const one of tree.styles(root)) if (!one || (one.selectorText && partPaints(one))) return true;
  return false;
};
