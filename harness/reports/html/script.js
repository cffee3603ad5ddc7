// Filters the rules. All else works without it.
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
