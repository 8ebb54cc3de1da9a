// The two pages with their blocks: side by side, under a slider, or laid over each other. One drawing in page pixels.

const GAP = 56;

class Stage {
  constructor(record, findings) {
    this.record = record;
    this.findings = findings;
    this.mode = record.sizes.reference ? "side" : "single";
    this.share = 0.5;
    this.isDifference = false;
    this.hidden = new Set();
    this.current = null;
    this.sizes = { reference: record.sizes.reference ?? [0, 0], candidate: record.sizes.candidate ?? [0, 0] };
    this.svg = drawn("svg", {
      class: "drawing",
      role: "group",
      "aria-label": "The pages with their findings. Arrow keys go from finding to finding, Enter opens it in the list.",
      pointermove: (event) => this.point(event),
      pointerleave: () => this.leave(),
      pointerdown: (event) => this.press(event),
      click: (event) => this.click(event),
      keydown: (event) => this.key(event),
      focusin: (event) => this.focus(event.target.closest("[data-item]")),
      focusout: () => this.leave(),
    });
    this.card = element("div", { class: "card", "aria-hidden": "true", hidden: true });
    this.node = element("div", { class: "stage" }, this.svg, this.card);
    this.draw();
  }

  draw() {
    const { reference, candidate } = this.sizes;
    this.offset = this.mode === "side" ? reference[0] + GAP : 0;
    const width = this.mode === "side" ? this.offset + candidate[0] : Math.max(reference[0], candidate[0]);
    const height = Math.max(reference[1], candidate[1]);
    this.size = [width, height];
    this.svg.setAttribute("viewBox", `0 0 ${width || 1} ${height || 1}`);
    this.svg.setAttribute("class", `drawing ${this.mode}`);
    this.svg.replaceChildren(...this.pages(), ...this.violations(), ...this.blocks());
    this.move();
    this.show();
  }

  pages() {
    const parts = [];
    if (this.mode !== "single") parts.push(this.page("reference", 0, "Reference page"));
    this.candidate = this.page("candidate", this.offset, "Generated page");
    this.candidate.setAttribute("clip-path", "url(#cut)");
    this.cut = drawn("rect", { x: this.offset, y: 0, width: this.sizes.candidate[0], height: this.size[1] });
    this.rest = drawn("rect", { x: 0, y: 0, width: 0, height: this.size[1] });
    this.divider = drawn("path", { class: "divider", "aria-hidden": "true" });
    return [drawn("clipPath", { id: "cut" }, this.cut), drawn("clipPath", { id: "rest" }, this.rest), ...parts, this.candidate, this.divider];
  }

  page(role, x, label) {
    const [width, height] = this.sizes[role];
    const address = pictureAddress(this.record.pictures[role]);
    return drawn(
      "g",
      { class: `page ${role}` },
      drawn("rect", { class: "paper", x, y: 0, width, height }),
      address && drawn("image", { x, y: 0, width, height, href: address, preserveAspectRatio: "none", role: "img", "aria-label": label }),
    );
  }

  blocks() {
    return this.record.blocks.map((block, place) => {
      const { reference, candidate } = block;
      const shapes = [];
      if (reference && this.mode !== "single") shapes.push(this.outline(reference.box, 0, "rest"));
      if (candidate) shapes.push(this.outline(candidate.box, this.offset, "cut"));
      if (reference && candidate && this.mode !== "single") shapes.unshift(this.join(reference.box, candidate.box));
      return this.item(`block-${place}`, block.kinds[0], shapes);
    });
  }

  violations() {
    const found = this.record.rules.flatMap((rule, place) =>
      rule.nodes.map((node, number) => ({ name: `rule-${place}-${number}`, box: node.box })),
    );
    const area = ({ box }) => box[2] * box[3];
    return found
      .filter(({ box }) => box)
      .sort((first, second) => area(second) - area(first))
      .map(({ name, box }) => this.item(name, "barrier", [this.outline(box, this.offset, "cut")]));
  }

  item(name, kind, shapes) {
    return drawn(
      "g",
      { class: `item ${kind}`, "data-item": name, "data-kind": kind, role: "button", tabindex: -1, "aria-label": this.findings.label(name) },
      shapes,
    );
  }

  // Under the slider, outlines show where their page does.
  outline([x, y, width, height], offset, part) {
    const clip = this.mode === "slider" ? `url(#${part})` : null;
    return drawn("rect", { class: "outline", x: x + offset, y, width: Math.max(width, 2), height: Math.max(height, 2), "clip-path": clip });
  }

  join(from, to) {
    const [y1, y2] = [from[1] + from[3] / 2, to[1] + to[3] / 2];
    if (this.mode !== "side") {
      return drawn("path", { class: "join", d: `M${from[0] + from[2] / 2} ${y1}L${to[0] + to[2] / 2} ${y2}` });
    }
    const [x1, x2] = [from[0] + from[2], to[0] + this.offset];
    const bend = Math.max(40, (x2 - x1) / 3);
    return drawn("path", { class: "join", d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` });
  }

  setMode(mode) {
    this.mode = mode;
    this.draw();
  }

  setShare(share) {
    this.share = share;
    this.move();
  }

  setDifference(isDifference) {
    this.isDifference = isDifference;
    this.move();
  }

  move() {
    const isSlider = this.mode === "slider";
    const at = isSlider ? this.share * this.size[0] : this.offset;
    this.cut.setAttribute("x", at);
    this.cut.setAttribute("width", Math.max(0, this.offset + this.sizes.candidate[0] - at));
    this.rest.setAttribute("width", at);
    this.divider.setAttribute("d", isSlider ? `M${at} 0V${this.size[1]}` : "");
    const isOverlay = this.mode === "overlay";
    this.candidate.setAttribute("opacity", isOverlay && !this.isDifference ? this.share : 1);
    this.candidate.classList.toggle("difference", isOverlay && this.isDifference);
  }

  toggle(kind, isShown) {
    if (isShown) this.hidden.delete(kind);
    else this.hidden.add(kind);
    this.show();
  }

  show() {
    for (const item of this.items()) item.toggleAttribute("hidden", this.hidden.has(item.dataset.kind));
    this.reach(this.visible()[0] ?? null);
  }

  items() {
    return [...this.svg.querySelectorAll("[data-item]")];
  }

  // In the order of the list beside the drawing, which is not the order in which shapes cover each other.
  visible() {
    const order = new Map(this.findings.order.map((name, place) => [name, place]));
    return this.items()
      .filter((item) => !item.hasAttribute("hidden"))
      .sort((first, second) => order.get(first.dataset.item) - order.get(second.dataset.item));
  }

  reach(item) {
    for (const other of this.svg.querySelectorAll('[tabindex="0"]')) other.setAttribute("tabindex", -1);
    item?.setAttribute("tabindex", 0);
  }

  key(event) {
    const item = event.target.closest("[data-item]");
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!item) return;
    if (event.key === "Enter" || event.key === " ") this.findings.choose(item.dataset.item);
    else if (event.key === "Escape") this.leave();
    else if (step) this.step(item, step);
    else return;
    event.preventDefault();
  }

  step(item, step) {
    const items = this.visible();
    const next = items[(items.indexOf(item) + step + items.length) % items.length];
    this.reach(next);
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  focus(item) {
    if (!item) return;
    this.mark(item.dataset.item);
    const { right, top, bottom, left } = item.getBoundingClientRect();
    this.showCard([item.dataset.item], Math.min(right, left + 320), Math.min(bottom, Math.max(top + 40, 80)));
  }

  point(event) {
    if (this.mode === "slider" && event.buttons === 1) return this.drag(event);
    const names = document
      .elementsFromPoint(event.clientX, event.clientY)
      .map((shape) => shape.closest?.("[data-item]"))
      .filter((item) => item && this.svg.contains(item))
      .map((item) => item.dataset.item);
    if (!names.length) return this.leave();
    this.mark(names[0]);
    this.showCard([...new Set(names)].slice(0, 4), event.clientX, event.clientY);
  }

  press(event) {
    if (this.mode === "slider" && event.button === 0) this.drag(event);
  }

  drag(event) {
    const { left, width } = this.svg.getBoundingClientRect();
    this.findings.slide(Math.min(1, Math.max(0, (event.clientX - left) / width)));
    event.preventDefault();
  }

  click(event) {
    const item = event.target.closest("[data-item]");
    if (item && this.mode !== "slider") this.findings.choose(item.dataset.item);
  }

  mark(name) {
    this.svg.querySelector(".item.marked")?.classList.remove("marked");
    this.current = name;
    this.svg.querySelector(`[data-item="${name}"]`)?.classList.add("marked");
    this.svg.classList.toggle("marking", Boolean(name));
  }

  leave() {
    this.mark(null);
    this.card.hidden = true;
  }

  showCard(names, x, y) {
    const [first, ...others] = names;
    this.card.replaceChildren(this.findings.full(first), ...others.map((name) => element("p", { class: "also" }, this.findings.label(name))));
    this.card.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.card;
    // Not over the list beside the drawing, where there is room.
    const edge = Math.min(innerWidth, this.node.getBoundingClientRect().right);
    const left = x + 18 + width > edge ? x - 18 - width : x + 18;
    const top = y + 18 + height > innerHeight ? y - 18 - height : y + 18;
    this.card.style.left = `${Math.max(8, left)}px`;
    this.card.style.top = `${Math.max(8, top)}px`;
  }

  reveal(name) {
    const item = this.svg.querySelector(`[data-item="${name}"]`);
    if (!item) return;
    this.mark(name);
    const { top, bottom } = item.getBoundingClientRect();
    if (top < 90 || bottom > innerHeight) item.scrollIntoView({ block: "center", inline: "nearest" });
  }
}

function pictureAddress(id) {
  const holder = id && document.getElementById(id);
  return holder ? `data:image/webp;base64,${holder.textContent}` : null;
}
