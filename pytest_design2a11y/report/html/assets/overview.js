// The overview: which cards are shown and in which order, according to the address.
import { counted, elementOf, withQuery } from "./elements.js";

export class Overview {
  constructor(list, form, onChange) {
    this.list = list;
    this.form = form;
    this.rows = [...list.children].map((node, place) => ({ node, place, cards: [...node.querySelectorAll(".card")].map(readCard) }));
    this.order = this.rows;
    this.cells = this.rows.map(({ node }) => [...node.querySelectorAll(".cell")]);
    this.cards = this.rows.flatMap((row) => row.cards);
    form.addEventListener("input", () => onChange(this.query()));
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll(".shared button"))) {
      button.addEventListener("click", () => {
        this.field("cause").value = button.value;
        onChange(this.query());
      });
    }
    form.hidden = false;
  }

  query() {
    const query = new URLSearchParams();
    for (const { name, value } of this.fields()) if (value) query.set(name, value);
    return query;
  }

  field(name) {
    return this.form.querySelector(`[name="${name}"]`);
  }

  fields() {
    return [...this.form.querySelectorAll("[name]")];
  }

  // Only the form's own fields: the rest of the query is about a page.
  apply(query) {
    for (const field of this.fields()) {
      field.value = query.get(field.name) ?? "";
      if (field.selectedIndex === -1) field.selectedIndex = 0;
    }
    const own = this.query().toString();
    if (own === this.applied) return;
    this.applied = own;
    this.filter();
    this.sort(this.field("sort").value);
    for (const card of this.cards) card.link.setAttribute("href", `#${withQuery(`page-${card.number}`, own)}`);
  }

  filter() {
    const [q, verdict, cause, severity] = ["q", "verdict", "cause", "severity"].map((name) => this.field(name));
    const words = q.value.toLowerCase().split(/\s+/).filter(Boolean);
    const axes = this.fields().filter((field) => field.dataset.axis && field.value);
    for (const card of this.cards) {
      const { dataset } = card.node;
      card.node.hidden = !(
        (!verdict.value || dataset.state === verdict.value) &&
        (!cause?.value || card.causes.includes(cause.value)) &&
        (!severity?.value || dataset.severities.split("|").includes(severity.value)) &&
        axes.every((field) => dataset[field.dataset.axis] === field.value) &&
        words.every((word) => card.text().includes(word))
      );
    }
    for (const { node, cards } of this.rows) node.hidden = cards.every((card) => card.node.hidden);
    this.hideEmptyColumns();
    const shown = this.visible().length;
    // Close up the rows: every card names its variant, so hidden cards do not need to leave a gap.
    this.list.classList.toggle("filtered", shown < this.cards.length);
    const all = counted(this.cards.length, "page");
    elementOf("count").textContent = shown === this.cards.length ? all : `${shown} of ${all}`;
    elementOf("nothing").hidden = shown > 0;
  }

  hideEmptyColumns() {
    (this.cells[0] ?? []).forEach((_, column) => {
      const isEmpty = this.cells.every((cells) => !cells[column].querySelector(".card:not([hidden])"));
      for (const cells of this.cells) cells[column].hidden = isEmpty;
    });
  }

  sort(order) {
    const keys = new Map(this.rows.map((row) => [row, sortKey(row, order)]));
    const rows = [...this.rows].sort((one, other) => compared(keys.get(one), keys.get(other)) || one.place - other.place);
    // Moving a card that is already in place would lay out all cards again.
    if (rows.some((row, place) => row !== this.order[place])) this.list.append(...rows.map(({ node }) => node));
    this.order = rows;
  }

  visible() {
    return [...this.list.querySelectorAll(".card:not([hidden])")].map(({ dataset }) => Number(dataset.number));
  }

  ofDesign(design) {
    return this.cards.filter(({ node }) => node.dataset.design === design);
  }

  linkTo(number) {
    return this.cards.find((card) => card.number === number)?.link;
  }
}

function readCard(node) {
  let text;
  return {
    node,
    number: Number(node.dataset.number),
    link: node.querySelector("a"),
    causes: node.dataset.causes.split("|"),
    text: () => (text ??= node.textContent.toLowerCase()),
  };
}

function sortKey({ node, place, cards }, order) {
  const values = (name) => cards.filter((card) => !card.node.hidden && name in card.node.dataset).map((card) => Number(card.node.dataset[name]));
  if (order === "likeness") return Math.min(...values("likeness"));
  if (order === "failed") return -Math.max(...values("failed"));
  if (order === "name") return node.dataset.name;
  return order === "best" ? -place : place;
}

function compared(one, other) {
  return typeof one === "string" ? one.localeCompare(other, "en", { numeric: true }) : one === other ? 0 : one - other;
}
