// The two pages with numbered marks: side by side, with a slider, overlaid, blinking, or as their difference.
import { drawn, element, pictureAddress } from "./elements.js";
import { isHidden, worstOf } from "./findings.js";

export const MODES = [["side", "Side by side"], ["slider", "Slider"], ["overlay", "Overlay"], ["blink", "Blink"], ["difference", "Difference"]];
const ROLES = ["reference", "candidate"];
export const ROLE_NAMES = { reference: "Design", candidate: "Generated page" };
const BLINK_MS = 700;
const CHIP_HEIGHT = 17;
const CHIP_WIDTH = 24;

export class Stage {
  constructor(record, findings, hidden, on) {
    this.record = record;
    this.findings = findings;
    this.hidden = hidden;
    this.on = on;
    this.roles = ROLES.filter((role) => record.sizes[role]);
    this.size = [0, 1].map((side) => Math.max(1, ...this.roles.map((role) => record.sizes[role][side])));
    this.share = 0.5;
    this.zoomed = null;
    this.panes = new Map(this.roles.map((role) => [role, this.pane(role)]));
    this.node = element(
      "div",
      {
        class: "stage",
        pointerover: (event) => this.point(event),
        pointerdown: (event) => this.drag(event),
        pointermove: (event) => event.buttons === 1 && this.drag(event),
        pointerleave: () => this.on.point(null),
        focusin: (event) => this.point(event),
        click: (event) => this.click(event),
        keydown: (event) => this.key(event),
      },
      changedFilter(),
      [...this.panes.values()].map(({ node }) => node),
    );
    this.setMode(this.roles.length > 1 ? "side" : "single");
    this.show();
  }

  pane(role) {
    const address = pictureAddress(this.record.pictures[role]);
    const lost = () => element("p", { class: "blank" }, `The picture ${decodeURIComponent(address)} is not beside this report.`);
    const image = element("div", { class: "sheet" }, address && element("img", { src: address, alt: "", draggable: "false", error: (event) => event.target.replaceWith(lost()) }));
    const marks = element("div", { class: "sheet marks" }, this.marks(role));
    const difference = role === "candidate" && this.roles.length > 1 ? this.difference() : null;
    const frame = element("div", { class: "window" }, image, difference, marks);
    // Beside the picture, never over it, at the height of what they mark.
    const chips = [...marks.children].map((mark) => ({ mark, node: element("span", { class: "number-chip", "data-severity": mark.dataset.severity }, mark.dataset.chip) }));
    const gutter = element("div", { class: "gutter", "aria-hidden": "true" }, chips.map(({ node }) => node));
    const node = element("figure", { class: `pane ${role}` }, element("figcaption", {}, ROLE_NAMES[role]), element("div", { class: "beside" }, gutter, frame));
    return { node, frame, role, sheets: [image, marks], marks, chips, gutter };
  }

  // Both pictures on white, so that a filter can isolate their difference.
  difference() {
    this.layers = ROLES.map((role) => {
      const address = pictureAddress(this.record.pictures[role]);
      const sheet = element("div", { class: "sheet" }, address && element("img", { src: address, alt: "", draggable: "false" }));
      return { role, sheet, node: element("div", { class: "layer" }, sheet) };
    });
    return element("div", { class: "difference" }, this.layers.map(({ node }) => node));
  }

  // Largest first, so that a small mark within a large one can be reached. Findings with the same box share a mark.
  marks(role) {
    const side = ROLES.indexOf(role);
    const [width, height] = this.record.sizes[role];
    const area = ({ boxes }) => boxes[side][2] * boxes[side][3];
    const shared = new Map();
    for (const finding of this.findings.all.filter(({ boxes }) => boxes[side])) {
      const key = `${finding.category} ${finding.boxes[side]}`;
      shared.set(key, [...(shared.get(key) ?? []), finding]);
    }
    return [...shared.values()]
      .sort(([one], [other]) => area(other) - area(one))
      .map((likes) => {
        const [{ boxes, category, number }] = likes;
        const [x, y, w, h] = boxes[side];
        const label = `${ROLE_NAMES[role]}: ${likes.map((like) => `${like.number} ${like.label}`).join("; ")}`;
        const mark = element("button", {
          type: "button",
          class: `mark ${category} ${likes.some(({ isMarked }) => isMarked) ? "" : "quiet"}`,
          "data-numbers": likes.map((like) => like.number).join(" "),
          "data-severity": worstOf(likes),
          "data-chip": likes.length > 1 ? `${number}+` : number,
          tabindex: -1,
          "aria-label": label,
        });
        place(mark, [x / width, y / height, Math.max(w, 3) / width, Math.max(h, 3) / height]);
        return mark;
      });
  }

  setMode(mode) {
    this.mode = mode;
    this.node.className = `stage ${mode} ${mode === "side" || mode === "single" ? "" : "stacked"} ${this.isAll ? "all-marks" : ""}`;
    this.setBlinking(mode === "blink" && !matchMedia("(prefers-reduced-motion: reduce)").matches);
    this.setShare(this.share);
    this.place();
  }

  setShare(share) {
    this.share = share;
    const frame = this.panes.get("candidate")?.frame;
    if (!frame) return;
    frame.style.clipPath = this.mode === "slider" ? `inset(0 0 0 ${share * 100}%)` : "";
    frame.style.opacity = this.mode === "overlay" ? share : "";
    if (this.mode === "slider") this.node.style.setProperty("--at", `${share * 100}%`);
  }

  setBlinking(isOn) {
    clearInterval(this.timer);
    this.panes.get("candidate")?.frame.classList.remove("away");
    this.node.classList.remove("shows-design");
    if (isOn) this.on.blink("candidate");
    if (isOn) this.timer = setInterval(() => (this.node.isConnected ? this.blink() : clearInterval(this.timer)), BLINK_MS);
  }

  blink() {
    const isAway = this.panes.get("candidate")?.frame.classList.toggle("away");
    this.node.classList.toggle("shows-design", isAway);
    this.on.blink(isAway ? "reference" : "candidate");
  }

  // Every pane shows the same part of its page at the same scale: all of it, or the area around a finding.
  place() {
    const finding = this.zoomed;
    const [width, height] = finding ? this.regionSize(finding) : this.size;
    for (const { frame, role, sheets } of this.panes.values()) {
      frame.style.aspectRatio = `${width} / ${height}`;
      const corner = finding ? this.corner(finding, role, width, height) : [0, 0];
      const own = [...sheets, ...(this.layers ?? []).filter((layer) => layer.role === role).map(({ sheet }) => sheet)];
      const [w, h] = this.record.sizes[role];
      for (const sheet of own) place(sheet, [-corner[0] / width, -corner[1] / height, w / width, h / height]);
    }
    this.node.classList.toggle("zoomed", Boolean(finding));
    this.placeChips();
  }

  // From top to bottom without overlap, as near as possible to what they mark; hidden marks get no chip.
  placeChips() {
    for (const { frame, chips, gutter } of this.panes.values()) {
      const { top, height } = frame.getBoundingClientRect();
      const shown = [];
      for (const { mark, node } of chips) {
        const y = mark.getBoundingClientRect().top - top;
        node.hidden = mark.hidden || (mark.matches(".quiet:not(.active)") && !this.isAll) || y < -1 || y > height;
        node.classList.toggle("active", mark.classList.contains("active"));
        if (!node.hidden) shown.push({ node, y });
      }
      const free = Array(Math.max(1, Math.floor(gutter.clientWidth / CHIP_WIDTH))).fill(0);
      for (const { node, y } of shown.sort((one, other) => one.y - other.y)) {
        const fits = free.findIndex((end) => end <= y);
        const column = fits < 0 ? free.indexOf(Math.min(...free)) : fits;
        const top = Math.max(y, free[column]);
        node.style.top = `${top}px`;
        node.style.right = `${column * CHIP_WIDTH}px`;
        free[column] = top + CHIP_HEIGHT;
      }
    }
  }

  markAll(isAll) {
    this.isAll = isAll;
    this.node.classList.toggle("all-marks", isAll);
    this.place();
  }

  regionSize({ boxes }) {
    const [w, h] = [2, 3].map((side) => Math.max(...boxes.filter(Boolean).map((box) => box[side])));
    const width = Math.min(this.size[0], Math.max(w * 1.5, h * 2.4, 360));
    return [width, Math.min(this.size[1], width * (this.mode === "side" ? 0.8 : 0.55))];
  }

  corner({ boxes }, role, width, height) {
    const side = this.mode === "side" ? ROLES.indexOf(role) : boxes[0] ? 0 : 1;
    const [x, y, w, h] = boxes[side] ?? boxes[1 - side];
    const within = (corner, side, size) => Math.max(0, Math.min(corner, this.size[side] - size));
    return [within(x + w / 2 - width / 2, 0, width), within(y + h / 2 - height / 2, 1, height)];
  }

  zoom(finding, stays = false) {
    this.zoomed = this.zoomed === finding && !stays ? null : finding;
    this.place();
    if (finding && !stays) this.reveal(finding.number);
  }

  show() {
    for (const mark of this.allMarks()) mark.hidden = numbersOf(mark).every((number) => isHidden(this.findings.all[number - 1], this.hidden));
    this.reach(this.marksOf(this.visible()[0])[0]);
    this.placeChips();
  }

  allMarks() {
    return [...this.node.querySelectorAll(".mark")];
  }

  marksOf(number) {
    return this.allMarks().filter((mark) => numbersOf(mark).includes(number) && !mark.hidden);
  }

  // The first finding of every visible mark, in the order of the list.
  visible() {
    const numbers = this.allMarks().filter((mark) => !mark.hidden).map((mark) => numbersOf(mark)[0]);
    return [...new Set(numbers)].sort((one, other) => one - other);
  }

  // One mark is in the tab order; arrow keys reach the others.
  reach(mark) {
    for (const other of this.node.querySelectorAll('.mark[tabindex="0"]')) other.tabIndex = -1;
    if (mark) mark.tabIndex = 0;
  }

  point(event) {
    const mark = event.target.closest?.(".mark");
    this.on.point(mark ? numbersOf(mark)[0] : null);
  }

  drag(event) {
    const frame = this.panes.get("candidate")?.frame;
    if (!frame || this.mode !== "slider" || event.button > 0) return;
    const { left, width } = frame.getBoundingClientRect();
    this.on.slide(Math.min(1, Math.max(0, (event.clientX - left) / width)));
    if (event.type === "pointerdown" && !event.target.closest(".mark")) event.preventDefault();
  }

  click(event) {
    const mark = event.target.closest(".mark");
    if (mark) this.on.choose(numbersOf(mark)[0]);
  }

  key(event) {
    const mark = event.target.closest(".mark");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!mark) return;
    if (step) {
      const numbers = this.visible();
      const marks = this.marksOf(numbers[(numbers.indexOf(numbersOf(mark)[0]) + step + numbers.length) % numbers.length]);
      this.focus(marks.find((shown) => shown.closest(".pane") === mark.closest(".pane")) ?? marks[0]);
    } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      const partner = this.marksOf(numbersOf(mark)[0]).find((twin) => twin !== mark);
      if (partner) this.focus(partner);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  focus(mark) {
    this.reach(mark);
    mark.focus({ preventScroll: true });
    mark.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  highlight(number) {
    for (const mark of this.allMarks()) mark.classList.toggle("active", numbersOf(mark).includes(number));
    this.node.classList.toggle("marking", number !== null);
    this.placeChips();
  }

  reveal(number) {
    const mark = this.marksOf(number).at(-1);
    if (!mark) return;
    this.reach(mark);
    const { top, bottom } = mark.getBoundingClientRect();
    if (top < 120 || bottom > innerHeight) mark.scrollIntoView({ block: "center", inline: "nearest" });
  }
}

function numbersOf(mark) {
  return mark.dataset.numbers.split(" ").map(Number);
}

function place(node, [x, y, width, height]) {
  const percent = (share) => `${share * 100}%`;
  Object.assign(node.style, { left: percent(x), top: percent(y), width: percent(width), height: percent(height) });
}

// Turns every remaining difference between two pictures into one color.
function changedFilter() {
  const values = "0 0 0 0 0.86  0 0 0 0 0.05  0 0 0 0 0.42  4 4 4 0 -0.4";
  return drawn(
    "svg",
    { width: 0, height: 0, "aria-hidden": "true", class: "filters-of-stage" },
    drawn("filter", { id: "changed", x: 0, y: 0, width: 1, height: 1, "color-interpolation-filters": "sRGB" }, drawn("feColorMatrix", { type: "matrix", values })),
  );
}
