"use strict";
(() => {
  const key = (row, column) => {
    const cell = row.cells[column];
    const value = cell.dataset.value;
    if (value) return Number(value);
    const text = cell.textContent.trim();
    return cell.tagName === "TD" ? null : text;
  };
  const compare = (a, b, sign) => {
    if (a === null || b === null) return (a === null) - (b === null); // what has no number goes last
    return sign * (typeof a === "number" && typeof b === "number"
      ? a - b : String(a).localeCompare(String(b), undefined, {numeric: true}));
  };
  for (const table of document.querySelectorAll("table")) {
    const body = table.tBodies[0];
    const heads = [...table.querySelectorAll(".heads th")];
    heads.forEach((head, column) => head.firstElementChild.addEventListener("click", () => {
      const order = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const rows = [...body.rows];
      rows.sort((a, b) => compare(key(a, column), key(b, column), order === "ascending" ? 1 : -1));
      body.append(...rows);
    }));
  }
  for (const input of document.querySelectorAll("input.filter")) {
    const rows = document.getElementById(input.dataset.table + "-table").tBodies[0].rows;
    const count = input.closest(".tools").querySelector(".count");
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every(word => text.includes(word));
        shown += !row.hidden;
      }
      count.textContent = words.length ? `${shown} of ${rows.length} rows` : "";
    });
  }
  for (const origin of ["published", "measured"]) {
    const box = document.getElementById("show-" + origin);
    box.addEventListener("change", () => document.body.classList.toggle("hide-" + origin, !box.checked));
  }
  const open = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.tagName === "DETAILS") { target.open = true; target.scrollIntoView(); }
  };
  addEventListener("hashchange", open);
  open();
})();
