// Filters the rules, and sorts and searches a library. All else works without it.
"use strict";
(() => {
  const form = document.getElementById("filter");
  if (!form) return;
  const rows = [...document.querySelectorAll("table.rules tbody tr")];
  const words = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const apply = () => {
    const verdict = form.elements.verdict.value;
    const family = form.elements.family.value;
    const text = form.elements.text.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const fits =
        (!verdict || row.dataset.verdicts.split(" ").includes(verdict)) &&
        (!family || row.dataset.family === family) &&
        (!text || words.get(row).includes(text));
      row.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    form.querySelector("output").textContent = `${shown} of ${rows.length} shown`;
  };
  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  apply();

  // A link leads to what is folded away as well.
  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let each = target; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  if (location.hash) unfold();
})();

(() => {
  const table = document.querySelector("table.library");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const value = (row, column) => row.cells[column].dataset.value;
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if (!head.hasAttribute("aria-sort")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const way = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
      for (const each of table.querySelectorAll("[aria-sort]")) each.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", way);
      rows.sort((one, other) => {
        const [a, b] = [value(one, column), value(other, column)];
        const order = column === 0 ? a.localeCompare(b) : a - b;
        return way === "ascending" ? order : -order;
      });
      body.append(...rows);
    });
  });
  const form = document.getElementById("search");
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    const text = form.elements.text.value.trim().toLowerCase();
    for (const row of rows) row.hidden = !row.dataset.text.includes(text);
    form.querySelector("output").textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} shown`;
  });
})();
