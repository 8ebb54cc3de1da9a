// What all pages here do in the end: show a list, and say that nothing more will come.
const show = (lines) => {
  const list = document.createElement("ul");
  for (const line of lines) list.append(Object.assign(document.createElement("li"), { textContent: line }));
  document.querySelector("main").replaceChildren(list);
  done();
};
const done = () => document.documentElement.setAttribute("data-ready", "");
