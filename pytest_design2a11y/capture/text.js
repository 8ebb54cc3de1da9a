/*
 * Reads every piece of text that a person can see in one frame, in document order, in one pass.
 *
 * Called in an isolated world with (listedTags, isMain, generated). Returns
 *   runs: [text, [[x, y, width, height], ...], [red, green, blue, alpha], owner], boxes in px, clipped to what
 *     is visible, of the document in the main frame and of the viewport in others; owners numbered from 0;
 *   pseudos: [kind, tag] of every ::before and ::after with text. Where their boxes are is beyond scripts:
 *     a second call gets them as `generated`, in the same order, each [text, boxes] or null;
 *   numContents, isSuspicious: whether a closed shadow root may be hidden from this script.
 */
(listedTags, isMain, generated) => {
  const LISTED = new Set(listedTags);
  const PHRASING = new Set(
    ("abbr acronym b bdi bdo big br cite code data del dfn em font i ins kbd mark nobr q rp rt ruby s samp small " +
      "strike strong sub sup time tt u var wbr tspan textpath slot").split(" "),
  );
  const NEVER_SHOWN = new Set(
    "script style template title head noframes datalist canvas video audio object embed iframe frame".split(" "),
  );
  const REPLACED = new Set("img svg canvas video audio object embed iframe br".split(" "));
  const BUTTON_LABELS = { submit: "Submit", reset: "Reset" };
  const SILENT_INPUTS = new Set(["hidden", "checkbox", "radio", "range", "color", "image"]);
  const EVERYWHERE = [-1e9, -1e9, 1e9, 1e9];
  const INVISIBLE_ALPHA = 0.02;
  const PICTURE = -1;

  const closedRoots = globalThis.__design2a11yClosedRoots;
  const runs = [];
  const owners = new Map();
  const pseudos = [];
  let numContents = 0;
  let isSuspicious = false;
  const scrolled = isMain ? [scrollX, scrollY] : [0, 0];
  const markers = new Map(); // by owner: the list item's marker, until a run of the item takes it
  const range = document.createRange();
  let previous = null; // the run that text without a break before it continues

  const breakRun = () => { previous = null; };
  const ownerNumber = (key) => {
    if (!owners.has(key)) owners.set(key, owners.size);
    return owners.get(key);
  };

  // ---- colours -------------------------------------------------------------------------------------------
  const parsedColors = new Map();
  let painter = null; // turns any CSS colour into sRGB
  const paint = (text) => {
    painter ??= Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
    painter.clearRect(0, 0, 1, 1);
    painter.fillStyle = "#000";
    painter.fillStyle = text;
    painter.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = painter.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const parseColor = (text) => {
    let color = parsedColors.get(text);
    if (!color) {
      const parts = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
      color = parts ? [+parts[1], +parts[2], +parts[3], parts[4] === undefined ? 1 : +parts[4]] : paint(text);
      parsedColors.set(text, color);
    }
    return color;
  };
  // Text filled with a gradient or a picture has no one colour: it is marked by PICTURE as its alpha.
  const textColor = (style, isSvg) => {
    const fill = isSvg ? style.fill : style.webkitTextFillColor;
    if (isSvg && /^(url|context)/.test(fill)) return FILLED;
    if (isSvg && fill === "none") return style.stroke === "none" ? UNPAINTED : parseColor(style.stroke);
    const color = parseColor(fill);
    if (isSvg || color[3] >= INVISIBLE_ALPHA) return color;
    return parseFloat(style.webkitTextStrokeWidth) > 0 ? parseColor(style.webkitTextStrokeColor) : color;
  };
  const UNPAINTED = [0, 0, 0, 0];
  const FILLED = [0, 0, 0, PICTURE];

  // ---- clipping ------------------------------------------------------------------------------------------
  const intersect = (first, second) => [
    Math.max(first[0], second[0]),
    Math.max(first[1], second[1]),
    Math.min(first[2], second[2]),
    Math.min(first[3], second[3]),
  ];
  const edges = (rect) => [rect.left, rect.top, rect.right, rect.bottom];
  const lengthOf = (text, whole) =>
    text.endsWith("%") ? (parseFloat(text) / 100) * whole : text.endsWith("px") ? parseFloat(text) : NaN;

  const insetEdges = (shape, [left, top, right, bottom]) => {
    const lengths = shape.split(" round ")[0].split(/\s+/);
    const [up, aside = up, down = up, other = aside] = lengths;
    const width = right - left;
    const height = bottom - top;
    return [
      left + lengthOf(other, width),
      top + lengthOf(up, height),
      right - lengthOf(aside, width),
      bottom - lengthOf(down, height),
    ];
  };
  const polygonEdges = (shape, [left, top, right, bottom]) => {
    const points = shape.replace(/^(evenodd|nonzero),\s*/, "").split(/,\s*/).map((point) => point.split(/\s+/));
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
    const xRadius = lengthOf(horizontal, vertical === horizontal ? Math.hypot(width, height) / Math.SQRT2 : width);
    const yRadius = lengthOf(vertical, vertical === horizontal ? Math.hypot(width, height) / Math.SQRT2 : height);
    const centre = [left + lengthOf(x, width), top + lengthOf(y, height)];
    return [centre[0] - xRadius, centre[1] - yRadius, centre[0] + xRadius, centre[1] + yRadius];
  };
  const SHAPES = { inset: insetEdges, polygon: polygonEdges, circle: circleEdges, ellipse: circleEdges };

  const shapeEdges = (style, bounds) => {
    let clip = null;
    const shape = /^(inset|polygon|circle|ellipse)\((.*)\)$/.exec(style.clipPath);
    if (shape) clip = SHAPES[shape[1]](shape[2], bounds);
    const rect = style.position === "absolute" || style.position === "fixed" ? /^rect\((.*)\)$/.exec(style.clip) : null;
    if (rect) {
      const [up, right, down, left] = rect[1].split(/,\s*|\s+/).map((part) => lengthOf(part, 0));
      const far = [bounds[0] + left, bounds[1] + up, bounds[0] + right, bounds[1] + down];
      clip = clip ? intersect(clip, far) : far;
    }
    return clip && clip.map((edge, at) => (Number.isNaN(edge) ? EVERYWHERE[at] : edge));
  };
  const paddingEdges = (element, style, bounds) => {
    const clipsX = style.overflowX !== "visible";
    const clipsY = style.overflowY !== "visible";
    return [
      clipsX ? bounds[0] + parseFloat(style.borderLeftWidth) : -1e9,
      clipsY ? bounds[1] + parseFloat(style.borderTopWidth) : -1e9,
      clipsX ? bounds[2] - parseFloat(style.borderRightWidth) : 1e9,
      clipsY ? bounds[3] - parseFloat(style.borderBottomWidth) : 1e9,
    ];
  };
  const root = document.documentElement;
  const rootStyle = root && getComputedStyle(root);
  const isViewportOverflow = (element) =>
    element === root || (element === document.body && rootStyle.overflowX === "visible" && rootStyle.overflowY === "visible");
  const containsFixed = (style) =>
    style.transform !== "none" || style.filter !== "none" || style.perspective !== "none" ||
    (style.backdropFilter || "none") !== "none" || /paint|layout|strict|content/.test(style.contain) ||
    /transform|filter|perspective/.test(style.willChange) ||
    style.translate !== "none" || style.rotate !== "none" || style.scale !== "none";

  // What clips an element's children, by how they are positioned: in flow, absolute, fixed.
  const clipsFor = (element, style, outer) => {
    const own = style.position === "fixed" ? outer.fixed : style.position === "absolute" ? outer.absolute : outer.flow;
    const hasShape = style.clipPath !== "none" || style.clip !== "auto";
    const hasOverflow =
      (style.overflowX !== "visible" || style.overflowY !== "visible") &&
      style.display !== "inline" && style.display !== "contents" && !isViewportOverflow(element);
    const holdsFixed = containsFixed(style);
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
      if (hasOverflow) flow = intersect(flow, paddingEdges(element, style, bounds));
    }
    if (holdsAbsolute) absolute = flow;
    if (holdsFixed) fixed = flow;
    return { flow, absolute, fixed };
  };

  // ---- runs ----------------------------------------------------------------------------------------------
  const isShown = (box) => box[2] - box[0] > 0.5 && box[3] - box[1] > 0.5;
  const visibleBoxes = (rects, clip) => {
    const boxes = [];
    for (const rect of rects) {
      const box = intersect(edges(rect), clip);
      if (isShown(box)) boxes.push(box);
    }
    return boxes;
  };
  const placeOf = (box) => [box[0] + scrolled[0], box[1] + scrolled[1], box[2] - box[0], box[3] - box[1]];
  // A line stays one box where a comment or tag divides its text.
  const extend = (boxes, places) => {
    const last = boxes[boxes.length - 1];
    const [x, y, width, height] = places[0];
    const continues = Math.abs(last[0] + last[2] - x) < 0.05 && last[1] === y && last[3] === height;
    if (continues) last[2] = x + width - last[0];
    boxes.push(...places.slice(continues ? 1 : 0));
  };
  const addRun = (text, boxes, color, opacity, owner, continues) => {
    const isPicture = color[3] === PICTURE && opacity >= INVISIBLE_ALPHA;
    const alpha = isPicture ? 0 : color[3] * opacity;
    if (!boxes.length || (alpha < INVISIBLE_ALPHA && !isPicture)) return;
    const places = boxes.map(placeOf);
    const tint = [color[0], color[1], color[2], alpha];
    const marker = markers.get(owner);
    if (marker) {
      markers.delete(owner);
      if (marker.color === color) places.push(...marker.places);
    }
    if (continues && previous && previous[3] === owner && previous[2].every((part, at) => part === tint[at])) {
      previous[0] += text;
      extend(previous[1], places);
    } else {
      previous = [text, places, tint, owner, color];
      runs.push(previous);
    }
  };

  const transformText = (text, style) => {
    switch (style.textTransform) {
      case "uppercase": return text.toUpperCase();
      case "lowercase": return text.toLowerCase();
      case "capitalize": return text.replace(/(^|[\s\-(["'])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());
      default: return text;
    }
  };
  // The words of a partly clipped text node of which at least half is visible.
  const visibleWords = (node, clip) => {
    const kept = [];
    for (const word of node.data.matchAll(/\S+/g)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const rect = range.getBoundingClientRect();
      const box = intersect(edges(rect), clip);
      if (isShown(box) && (box[2] - box[0]) * (box[3] - box[1]) >= 0.5 * rect.width * rect.height) kept.push(word[0]);
    }
    return kept.join(" ");
  };
  const isInside = (rect, clip) =>
    rect.left >= clip[0] - 1 && rect.top >= clip[1] - 1 && rect.right <= clip[2] + 1 && rect.bottom <= clip[3] + 1;

  const readTextNode = (node, context) => {
    if (!/\S/.test(node.data)) {
      if (previous && /\s/.test(node.data)) previous[0] += " ";
      return;
    }
    const { style } = context;
    if (style.visibility !== "visible") return;
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0);
    const clip = context.clips.flow;
    const boxes = visibleBoxes(rects, clip);
    if (!boxes.length) return;
    const text = rects.every((rect) => isInside(rect, clip)) ? node.data : visibleWords(node, clip);
    if (!text) return;
    const own = textColor(style, context.isSvg);
    const color = own[3] < INVISIBLE_ALPHA && context.isPictureText ? FILLED : own;
    addRun(transformText(text, style), boxes, color, context.opacity, context.owner(), true);
  };

  let pen = null; // measures text
  const contentEdges = (element, style) => {
    const [left, top, right, bottom] = edges(element.getBoundingClientRect());
    const side = (name) => parseFloat(style[`border${name}Width`]) + parseFloat(style[`padding${name}`]);
    return [left + side("Left"), top + side("Top"), right - side("Right"), bottom - side("Bottom")];
  };
  // How the browser writes dates and times in its own locale, en-US.
  const inputDate = (value) => value ? value.replace(/^(\d+)-(\d+)-(\d+)$/, "$2/$3/$1") : "mm/dd/yyyy";
  const inputTime = (value) => {
    if (!value) return "--:-- --";
    const [hours, minutes] = value.split(":");
    return `${String(+hours % 12 || 12).padStart(2, "0")}:${minutes} ${+hours < 12 ? "AM" : "PM"}`;
  };
  const inputText = (element) => {
    const { type, value } = element;
    const [day = "", time = ""] = value.split("T");
    if (type === "date") return [inputDate(value), false];
    if (type === "time") return [inputTime(value), false];
    if (type === "datetime-local") return [`${inputDate(day)}, ${inputTime(time)}`, false];
    if (type === "submit" || type === "reset") return [value || BUTTON_LABELS[type], false];
    if (type === "file") return ["Choose File " + (element.files?.[0]?.name ?? "No file chosen"), false];
    if (type === "password" && value) return ["•".repeat(value.length), false];
    return value ? [value, false] : [element.placeholder ?? "", true];
  };
  const controlText = (element, tag) => {
    if (tag === "select") return [element.selectedOptions[0]?.label ?? "", false];
    if (tag === "textarea") return element.value ? [element.value, false] : [element.placeholder, true];
    return SILENT_INPUTS.has(element.type) ? ["", false] : inputText(element);
  };
  // The part of a one-line control in which its text lies.
  const lineEdges = (element, text, style) => {
    const [left, top, right, bottom] = contentEdges(element, style);
    pen ??= document.createElement("canvas").getContext("2d");
    pen.font = style.font;
    pen.letterSpacing = style.letterSpacing === "normal" ? "0px" : style.letterSpacing;
    const width = pen.measureText(text).width + 2;
    const spare = Math.max(right - left - width, 0);
    const isCentred = style.textAlign === "center" || /^(button|submit|reset)$/.test(element.type);
    const isAtEnd = /right$/.test(style.textAlign) || (style.direction === "rtl") !== (style.textAlign === "end");
    const start = left + spare * (isCentred ? 0.5 : isAtEnd ? 1 : 0) + parseFloat(style.textIndent);
    return intersect([left, top, right, bottom], [start - 2, top, start + width, bottom]);
  };
  const readControl = (element, tag, context) => {
    breakRun();
    const { style } = context;
    if (style.visibility !== "visible") return;
    const [text, isPlaceholder] = controlText(element, tag);
    if (!/\S/.test(text)) return;
    const colors = isPlaceholder ? getComputedStyle(element, "::placeholder") : style;
    const opacity = context.opacity * (isPlaceholder ? +colors.opacity : 1);
    const shown = transformText(text, style);
    const place = tag === "textarea" ? contentEdges(element, style) : lineEdges(element, shown, style);
    const boxes = visibleBoxes([element.getBoundingClientRect()], intersect(context.outerClip, place));
    addRun(shown, boxes, textColor(colors, false), opacity, ownerNumber(element), false);
    breakRun();
  };
  const readListBox = (element, context) => {
    for (const option of element.options) {
      const style = getComputedStyle(option);
      const boxes = visibleBoxes([option.getBoundingClientRect()], context.clips.flow);
      if (style.visibility === "visible") addRun(option.label, boxes, textColor(style, false), context.opacity, ownerNumber(option), false);
    }
    breakRun();
  };

  // Where the bullet or number of a list item can lie: it is ink of the item's own text.
  const noteMarker = (element, context) => {
    const { style } = context;
    if (style.display !== "list-item" || (style.listStyleType === "none" && style.listStyleImage === "none")) return;
    const [left, top, right] = contentEdges(element, style);
    const reach = 2 * parseFloat(style.fontSize) + 8;
    const line = parseFloat(style.lineHeight) || 1.5 * parseFloat(style.fontSize);
    const isInside = style.listStylePosition === "inside";
    const outer = element.getBoundingClientRect();
    const box = style.direction === "rtl"
      ? [isInside ? right - reach : right, top, isInside ? right : outer.right + reach, top + line]
      : [isInside ? left : outer.left - reach, top, isInside ? left + reach : left, top + line];
    const seen = intersect(box, context.clips.flow);
    if (!isShown(seen)) return;
    markers.set(ownerNumber(element), { places: [placeOf(seen)], color: textColor(getComputedStyle(element, "::marker"), false) });
  };

  // ---- the walk ------------------------------------------------------------------------------------------
  const childrenOf = (element) => {
    const shadow = element.shadowRoot ?? closedRoots?.get(element);
    if (shadow) return shadow.childNodes;
    if (element.localName === "slot" && element.assignedNodes) {
      const assigned = slotted(element);
      if (assigned.length) return assigned;
    }
    return element.childNodes;
  };
  const slotted = (slot) => slot.assignedNodes();

  const ownerOf = (element, tag, outer) => {
    if (LISTED.has(tag)) {
      return { isListed: true, owner: () => ownerNumber(element) };
    }
    if (outer.isListed || (PHRASING.has(tag) && outer.hasParent)) return { isListed: outer.isListed, owner: outer.owner };
    return { isListed: false, owner: () => ownerNumber(element) };
  };

  // Text that a style sheet puts before or after an element's own.
  const readPseudo = (element, tag, kind, context) => {
    const style = getComputedStyle(element, "::" + kind);
    if (style.content === "none" || style.content === "normal" || style.display === "none") return;
    if (!/"[^"]*[^"\s][^"]*"|counter|quote/.test(style.content)) return;
    pseudos.push([kind, tag]);
    const found = generated?.[pseudos.length - 1];
    if (!found || style.visibility !== "visible") return;
    const rects = found[1].map(([x, y, width, height]) => {
      const [left, top] = [x - scrolled[0], y - scrolled[1]];
      return { left, top, right: left + width, bottom: top + height };
    });
    const { absolute, fixed, flow } = context.clips;
    const clip = style.position === "fixed" ? fixed : style.position === "absolute" ? absolute : flow;
    const boxes = visibleBoxes(rects, clip);
    const color = textColor(style, false);
    if (!/[\p{L}\p{N}\p{Sc}%]/u.test(found[0])) {
      addDecoration(kind, boxes, color, context.owner());
      return;
    }
    const isInline = style.display === "inline";
    if (!isInline) breakRun();
    addRun(transformText(found[0], style), boxes, color, context.opacity * +style.opacity, context.owner(), true);
    if (!isInline) breakRun();
  };
  // Bullets, arrows, separators: like a list marker, ink of the text that they stand at, but not text.
  const addDecoration = (kind, boxes, color, owner) => {
    const places = boxes.map(placeOf);
    if (kind === "before") markers.set(owner, { places: [...(markers.get(owner)?.places ?? []), ...places], color });
    else if (previous?.[3] === owner && previous[4] === color) previous[1].push(...places);
  };

  // A closed shadow root shows by what it takes away: children that are nowhere, a box without content.
  const HOSTS = new Set("article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "));
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

  const walk = (element, outer) => {
    const tag = element.localName;
    if (REPLACED.has(tag)) breakRun();
    if (NEVER_SHOWN.has(tag) && !element.shadowRoot) return;
    const style = getComputedStyle(element);
    if (style.display === "none" || style.display === "") return;
    if (style.display === "contents") numContents += 1;
    const opacity = outer.opacity * +style.opacity;
    isSuspicious ||= mayHideRoot(element, tag);
    const isInline = (style.display === "inline" || style.display === "contents") && !REPLACED.has(tag);
    if (!isInline) breakRun();
    const { isListed, owner } = ownerOf(element, tag, outer);
    const clips = clipsFor(element, style, outer.clips);
    const outerClip = style.position === "fixed" ? outer.clips.fixed : style.position === "absolute" ? outer.clips.absolute : outer.clips.flow;
    const isSvg = element.namespaceURI === "http://www.w3.org/2000/svg";
    const isPictureText = outer.isPictureText || (style.backgroundClip === "text" && style.backgroundImage !== "none");
    const context = { style, opacity, clips, outerClip, isSvg, isListed, owner, isPictureText, hasParent: true };
    if (tag === "input" || tag === "textarea") readControl(element, tag, context);
    else if (tag === "select") (element.multiple || element.size > 1 ? readListBox(element, context) : readControl(element, tag, context));
    else if (style.contentVisibility !== "hidden") {
      if (tag === "li") noteMarker(element, context);
      readPseudo(element, tag, "before", context);
      readChildren(element, tag, context);
      readPseudo(element, tag, "after", context);
    }
    if (!isInline) breakRun();
  };
  const readChildren = (element, tag, context) => {
    const isClosed = tag === "details" && !element.open;
    for (const child of childrenOf(element)) {
      if (child.nodeType === Node.TEXT_NODE) { if (!isClosed) readTextNode(child, context); }
      else if (child.nodeType === Node.ELEMENT_NODE) {
        if (!isClosed || child === element.querySelector(":scope > summary")) walk(child, context);
      }
    }
  };

  const viewport = isMain ? EVERYWHERE : [0, 0, innerWidth, innerHeight];
  if (root) {
    const clips = { flow: viewport, absolute: viewport, fixed: viewport };
    walk(root, { opacity: 1, clips, isListed: false, owner: null, hasParent: false });
  }
  return { runs: runs.map((run) => run.slice(0, 4)), pseudos, numContents, isSuspicious };
}
