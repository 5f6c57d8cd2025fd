"use strict";
(() => {
  document.documentElement.classList.add("js");
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const count = table => document.querySelector(`.filter[data-table="${CSS.escape(table.id)}"]`)
    .closest(".tools").querySelector(".count");

  // Sorting
  const key = (row, column) => {
    const cell = row.cells[column];
    if (cell.dataset.value) return Number(cell.dataset.value);
    return cell.tagName === "TD" ? null : cell.textContent.trim();
  };
  const compare = (a, b, sign) => {
    if (a === null || b === null) return (a === null) - (b === null); // what has no number goes last
    return sign * (typeof a === "number" && typeof b === "number"
      ? a - b : String(a).localeCompare(String(b), undefined, {numeric: true}));
  };
  for (const table of all("table")) {
    const heads = all(".heads th", table);
    heads.forEach((head, column) => head.firstElementChild.addEventListener("click", () => {
      const order = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => compare(key(a, column), key(b, column), order === "ascending" ? 1 : -1));
      table.tBodies[0].append(...rows);
    }));
  }

  // Filters: by words of a row in one table, by primitive, graph and system in all
  const chosen = {};
  const words = {};
  const facets = new Map(all("[data-facets]").map(each => [each, JSON.parse(each.dataset.facets)]));
  const fits = each => Object.entries(chosen).every(([kind, name]) => {
    const names = (facets.get(each) || {})[kind];
    return !name || !names || names.includes(name);
  });
  const show = table => {
    const rows = [...table.tBodies[0].rows];
    const wanted = words[table.id] || [];
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !fits(row) || !wanted.every(word => text.includes(word));
    }
    const heads = all(".heads th", table);
    heads.forEach((head, column) => {
      if (head.hidden === !fits(head)) return;
      head.hidden = !head.hidden;
      for (const row of rows) row.cells[column].hidden = head.hidden;
    });
    let first = table.tHead.querySelectorAll(".groups td").length;
    for (const group of all(".groups th", table)) {
      const width = Number(group.dataset.width);
      const left = heads.slice(first, first += width).filter(head => !head.hidden).length;
      group.hidden = !left;
      group.colSpan = left || width;
    }
    const left = rows.filter(row => !row.hidden).length;
    count(table).textContent = left < rows.length || wanted.length ? `${left} of ${rows.length} rows` : "";
    const folded = table.closest("details.more");
    if (folded && left && left < rows.length) folded.open = true; // what was asked for is not hidden
  };
  for (const input of all("input.filter")) {
    input.addEventListener("input", () => {
      words[input.dataset.table] = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      show(document.getElementById(input.dataset.table));
    });
  }
  for (const select of all("select[data-kind]")) {
    const choose = () => {
      chosen[select.dataset.kind] = select.value;
      all("table").forEach(show);
    };
    select.addEventListener("change", choose);
    if (select.value) choose(); // kept by the browser over a reload
  }
  for (const origin of ["published", "measured"]) {
    const box = document.getElementById("show-" + origin);
    const toggle = () => document.body.classList.toggle("hide-" + origin, !box.checked);
    box.addEventListener("change", toggle);
    toggle();
  }
  document.querySelector(".filters").open = matchMedia("(min-width: 64.01rem)").matches;
  document.querySelector("form").addEventListener("submit", event => event.preventDefault());

  // Copying: what is shown of a table, escaped as by render/markdown.py and render/csv.py
  const special = /[\\`*\[\]<>|~&$#]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|(?<=[a-z]):(?=\/\/)|(?<=www)\.|(?<=[\p{L}\p{N}_])@(?=[\p{L}\p{N}_])/giu;
  const bar = cells => "| " + cells.map(text => text.replace(special, "\\$&")).join(" | ") + " |";
  const safe = text => /^[=+\-@]/.test(text) && !/^[-+]?\d+(\.\d*)?(e[-+]?\d+)?$/i.test(text) ? "'" + text : text;
  const quoted = text => /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const writers = {
    markdown: (heads, rows) => [bar(heads.map(head => head.text)),
      "|" + heads.map(head => head.number ? "--:|" : "---|").join(""), ...rows.map(bar)].join("\n") + "\n",
    csv: (heads, rows) => [heads.map(head => head.text), ...rows]
      .map(cells => cells.map(text => quoted(safe(text))).join(",")).join("\n") + "\n",
  };
  const hides = cell => cell.className && document.body.classList.contains("hide-" + cell.className);
  const copied = (table, form) => {
    const shown = cells => [...cells].filter(cell => !cell.hidden);
    const heads = shown(table.querySelector(".heads").cells).map(head => ({
      text: [head.dataset.group, head.textContent.trim()].filter(Boolean).join(": "),
      number: "group" in head.dataset,
    }));
    const rows = [...table.tBodies[0].rows].filter(row => !row.hidden)
      .map(row => shown(row.cells).map(cell => hides(cell) ? "" : cell.textContent.trim()));
    return writers[form](heads, rows);
  };
  for (const button of all("button[data-copy]")) {
    button.addEventListener("click", async () => {
      const table = document.getElementById(button.dataset.table);
      const said = count(table);
      try {
        await navigator.clipboard.writeText(copied(table, button.dataset.copy));
        said.textContent = "copied";
      } catch {
        said.textContent = "the browser refused to copy";
      }
    });
  }

  // Links open what they lead to, the contents follow
  const open = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.closest("details")) return;
    for (let each = target.closest("details"); each; each = each.parentElement.closest("details")) each.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", open);
  open();
  const links = new Map(all("nav a").map(link => [link.hash.slice(1), link]));
  // The list alone, down or, on a phone, sideways: scrollIntoView would move the page, too.
  const follow = link => {
    const row = link.closest("ul"), list = row.parentElement;
    const own = link.getBoundingClientRect(), box = list.getBoundingClientRect();
    if (own.top < box.top || own.bottom > box.bottom) list.scrollTop += own.top - box.top - box.height / 2;
    if (own.left < box.left || own.right > box.right) row.scrollLeft += own.left - box.left;
  };
  const seen = new IntersectionObserver(entries => {
    for (const entry of entries.filter(each => each.isIntersecting)) {
      links.forEach(link => link.removeAttribute("aria-current"));
      const link = links.get(entry.target.id);
      link?.setAttribute("aria-current", "true");
      if (link) follow(link);
    }
  }, {rootMargin: "-20% 0px -75% 0px"});
  all("main > [id]").forEach(section => seen.observe(section));
})();
