// Which part shows: the overview, or the case that the address names.

const overview = document.getElementById("overview");
const caseHolder = document.getElementById("case");
const title = document.title;
const table = setUpTable(document.getElementById("pages"), document.getElementById("filters"));

function route() {
  const id = location.hash.slice(1);
  const isCase = /^case-\d+$/.test(id);
  const last = caseHolder.dataset.shown;
  overview.hidden = isCase;
  caseHolder.hidden = !isCase;
  caseHolder.replaceChildren();
  delete caseHolder.dataset.shown;
  if (isCase) showCase(id);
  else {
    document.title = title;
    if (last) table.linkTo(last)?.focus();
  }
}

function showCase(id) {
  const island = document.getElementById(id);
  if (!island) {
    const isLoading = document.readyState === "loading";
    caseHolder.append(element("p", { class: "lead", role: "status" }, isLoading ? "This case is still being read …" : "There is no such case."));
    if (isLoading) document.addEventListener("DOMContentLoaded", route, { once: true });
    return;
  }
  const record = JSON.parse(island.textContent);
  const order = table.visible();
  const place = order.indexOf(id);
  const links = {
    own: id,
    previous: order[place - 1],
    next: place < 0 ? undefined : order[place + 1],
    place: place < 0 ? "" : `${place + 1} of ${order.length}`,
  };
  caseHolder.dataset.shown = id;
  caseHolder.append(...caseView(record, links));
  document.title = `${record.id} · ${title}`;
  scrollTo(0, 0);
  caseHolder.querySelector("h1").focus({ preventScroll: true });
}

addEventListener("hashchange", route);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((details) => (details.open = true)));
if (location.hash) route();
