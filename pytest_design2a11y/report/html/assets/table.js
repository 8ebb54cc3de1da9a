// The table of pages: sorting by its headings, filtering by the form above it.

function setUpTable(table, form) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const searched = new Map(rows.map((row) => [row, row.cells[1].textContent.toLowerCase()]));
  const count = document.getElementById("filter-count");

  function valueOf(row, column, kind) {
    const cell = row.cells[column];
    if (kind === "text") return cell.textContent.trim();
    return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
  }

  function compared(first, second) {
    if (first === null || second === null) return (first === null) - (second === null);
    return typeof first === "string" ? first.localeCompare(second, "en", { numeric: true }) : first - second;
  }

  function sortBy(heading) {
    const { sort, better } = heading.dataset;
    const wasAscending = heading.getAttribute("aria-sort") === "ascending";
    const isFirst = !heading.hasAttribute("aria-sort");
    // The first press brings the worst up: small for what should be large, large for what should be small.
    const isAscending = isFirst ? better !== "down" : !wasAscending;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", isAscending ? "ascending" : "descending");
    const keys = new Map(rows.map((row) => [row, valueOf(row, heading.cellIndex, sort)]));
    rows.sort((first, second) => {
      const [one, two] = [keys.get(first), keys.get(second)];
      const order = compared(one, two);
      return one === null || two === null || isAscending ? order : -order;
    });
    body.append(...rows);
  }

  function filter() {
    const words = form.elements["filter-text"].value.toLowerCase().split(/\s+/).filter(Boolean);
    const choices = [...form.querySelectorAll("select")]
      .map((select) => [select.dataset.filter, select.value])
      .filter(([, value]) => value);
    let shown = 0;
    for (const row of rows) {
      const fits =
        words.every((word) => searched.get(row).includes(word)) &&
        choices.every(([name, value]) => row.dataset[name] === value);
      row.hidden = !fits;
      shown += fits;
    }
    count.textContent = shown === rows.length ? counted(shown, "page") : `${shown} of ${counted(rows.length, "page")}`;
  }

  for (const heading of table.tHead.rows[0].cells) {
    if (!heading.dataset.sort) continue;
    heading.replaceChildren(
      element("button", { type: "button", class: "sort", click: () => sortBy(heading) }, heading.textContent),
    );
  }
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  filter();

  return {
    visible: () => rows.filter((row) => !row.hidden).map((row) => row.querySelector("a").hash.slice(1)),
    linkTo: (id) => rows.map((row) => row.querySelector("a")).find((link) => link.hash === `#${id}`),
  };
}
