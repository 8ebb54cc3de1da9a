// Modules that ask nothing of a page: run by `scripts/check_javascript`.
import assert from "node:assert/strict";
import { test } from "node:test";

import { inputDate, inputTime } from "../../pytest_design2a11y/capture/text/control_text.js";
import { areaOf, frame, intersect, isShown, placeOf, visibleBoxes } from "../../pytest_design2a11y/capture/text/frame.js";
import { comparePaths, inlinePath, LAYERS, pathIn, ranksOf, stackOf, wholeStack } from "../../pytest_design2a11y/capture/elements/layers.js";
import { imageOf, lengthOf, lengthsIn, shadowsOf, turns } from "../../pytest_design2a11y/capture/text/styles.js";
import { withQuery } from "../../pytest_design2a11y/report/html/assets/elements.js";

const PLAIN = {
  display: "block", position: "static", float: "none", zIndex: "auto", opacity: "1", mixBlendMode: "normal", isolation: "auto",
  clipPath: "none", maskImage: "none",
};
const stack = (style, order, outer = wholeStack([])) =>
  stackOf({ ...PLAIN, ...style }, outer, order, { isItem: false, holdsFixed: false, isTop: false });

test("dates and times are written as the browser writes them", () => {
  assert.equal(inputDate("2026-11-24"), "11/24/2026");
  assert.equal(inputDate(""), "mm/dd/yyyy");
  assert.deepEqual(["00:05", "12:30", "23:59"].map(inputTime), ["12:05 AM", "12:30 PM", "11:59 PM"]);
  assert.equal(inputTime(""), "--:-- --");
});

test("boxes are cut to what shows of them, and moved by how far the page is scrolled", () => {
  assert.deepEqual(intersect([0, 0, 10, 10], [5, -5, 20, 8]), [5, 0, 10, 8]);
  assert.equal(isShown([0, 0, 0.5, 10]), false);
  const rects = [{ left: 0, top: 0, right: 10, bottom: 10 }, { left: 30, top: 0, right: 40, bottom: 10 }];
  assert.deepEqual(visibleBoxes(rects, [5, 0, 20, 20]), [[5, 0, 10, 10]]);
  assert.equal(areaOf([[5, 0, 10, 10], [0, 0, 1, 1]]), 51);
  frame.scrolled = [3, 100];
  assert.deepEqual(placeOf([1, 2, 11, 22]), [4, 102, 10, 20]);
});

test("what is positioned is painted over floats, text and blocks, and a z-index decides among what is positioned", () => {
  const paths = {
    block: pathIn(stack({}, 1), 1),
    text: inlinePath(stack({}, 1), 1),
    float: pathIn(stack({ float: "left" }, 2), 2),
    placed: pathIn(stack({ position: "relative" }, 3), 3),
    low: pathIn(stack({ position: "absolute", zIndex: "-1" }, 4), 4),
    high: pathIn(stack({ position: "absolute", zIndex: "7" }, 5), 5),
    top: pathIn(stackOf(PLAIN, wholeStack([]), 6, { isItem: false, holdsFixed: false, isTop: true }), 6),
  };
  const names = Object.keys(paths).sort((one, other) => comparePaths(paths[one], paths[other]));
  assert.deepEqual(names, ["low", "block", "float", "text", "placed", "high", "top"]);
});

test("nothing leaves the stacking context that it is in", () => {
  const low = stack({ opacity: "0.5" }, 1);
  const inside = pathIn(stack({ position: "absolute", zIndex: "99" }, 2, low), 2);
  assert.ok(comparePaths(inside, pathIn(stack({ position: "relative" }, 3), 3)) < 0);
  assert.deepEqual(inside.slice(0, 2), [LAYERS.PLACED, 1]);
});

test("equal paths share a rank", () => {
  assert.deepEqual(ranksOf([[1, 2], [0, 5], [1, 2], [1]]), [2, 0, 2, 1]);
  assert.deepEqual(ranksOf([]), []);
});

test("computed styles are read", () => {
  assert.equal(lengthOf("25%", 80), 20);
  assert.ok(Number.isNaN(lengthOf("auto", 80)));
  assert.deepEqual(lengthsIn("blur(3px) drop-shadow(-2px 4.5px red)"), [3, 2, 4.5]);
  assert.deepEqual(shadowsOf({ boxShadow: "rgb(0, 0, 0) 1px 2px 3px 4px inset" }), [
    { tint: "rgb(0, 0, 0)", x: 1, y: 2, blur: 3, spread: 4, isInset: true },
  ]);
  assert.equal(turns({ rotate: "45deg", transform: "none" }), true);
  assert.equal(turns({ rotate: "none", transform: "matrix(1, 0, 0, 1, 9, 9)" }), false);
});

test("a background that nothing came for is none", () => {
  frame.unserved = new Set(["http://page.test/gone.png"]);
  const gone = 'url("http://page.test/gone.png#part")';
  assert.equal(imageOf({ backgroundImage: gone }), "none");
  assert.equal(imageOf({ backgroundImage: `url("http://page.test/there.png"), ${gone}` }), 'url("http://page.test/there.png"), none');
});

test("an address has a query where there is something to ask", () => {
  assert.equal(withQuery("pages", new URLSearchParams()), "pages");
  assert.equal(withQuery("page-3", new URLSearchParams({ mode: "slider" })), "page-3?mode=slider");
});
