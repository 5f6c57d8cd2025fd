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
  const graphs = new Map(all("[data-ratios]").map(each => [each, JSON.parse(each.dataset.ratios)]));
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
  // The picture: a line's own range is kept, and put back where no graph is chosen
  const panels = document.querySelector(".panels");
  const [left, right, low, high, step, top] = panels ? JSON.parse(panels.dataset.axis) : [];
  const parts = line => ({range: line.querySelector(".range"), dot: line.querySelector("circle"),
    mean: line.querySelector(".mean")});
  const drawn = new Map([...graphs.keys()].map(line => {
    const {range, dot, mean} = parts(line);
    return [line, {from: range.getAttribute("x1"), to: range.getAttribute("x2"), at: dot.getAttribute("cx"),
      text: mean.textContent, behind: line.classList.contains("behind")}];
  }));
  const ofGraph = (line, ratio) => {
    const at = left + (Math.log10(ratio) - low) / (high - low) * (right - left);
    return {from: at, to: at, at, text: ratio + line.dataset.flag, behind: ratio < 1};
  };
  const redraw = panel => {
    const lines = all(".over", panel), svg = panel.querySelector("svg");
    let place = 0;
    lines.forEach((line, index) => {
      line.style.display = fits(line) ? "" : "none";
      if (!fits(line)) return;
      const ratio = graphs.get(line)[chosen.graph];
      const shown = ratio ? ofGraph(line, ratio) : drawn.get(line);
      const {range, dot, mean} = parts(line);
      range.setAttribute("x1", shown.from);
      range.setAttribute("x2", shown.to);
      dot.setAttribute("cx", shown.at);
      mean.textContent = shown.text;
      line.classList.toggle("behind", shown.behind);
      line.setAttribute("transform", `translate(0 ${(place++ - index) * step})`);
    });
    svg.setAttribute("viewBox", `0 0 340 ${top + place * step}`);
    panel.hidden = !fits(panel) || !place;
  };
  const refresh = () => {
    all("table").forEach(show);
    all(".panel").forEach(redraw);
    for (const section of all("section.report")) {
      const rows = all("tbody tr", section);
      section.hidden = rows.length > 0 && rows.every(row => row.hidden);
      document.querySelector(`nav a[href="#${CSS.escape(section.id)}"]`).parentElement.hidden = section.hidden;
    }
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
      refresh();
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
  const hides = cell => ["published", "measured"].some(origin =>
    cell.classList.contains(origin) && document.body.classList.contains("hide-" + origin));
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

  // Records are read from their own file when the first one is asked for
  const file = document.currentScript.dataset.records;
  let reading = null;
  const records = () => reading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = file;
    script.onload = () => resolve(globalThis.gunrockRecords);
    script.onerror = reject;
    document.head.append(script);
  });
  const element = (name, text, ...inside) => {
    const made = document.createElement(name);
    made.append(...(text ? [text] : []), ...inside);
    return made;
  };
  const printable = text => text.replace(/[^\x20-\x7e\n]/g,
    sign => "\\u" + sign.charCodeAt(0).toString(16).padStart(4, "0"));
  const recordView = (id, found) => {
    const view = element("details", "", element("summary", "", element("code", id.slice(0, 12)), " " + found.label));
    if (found.command) view.append(element("p", "", element("code", found.command)));
    view.append(element("pre", printable(JSON.stringify(found.record, null, 1))));
    Object.assign(view, {id: "r-" + id, className: "record", open: true});
    return view;
  };
  let behind = []; // the ids behind the cell that was clicked
  for (const link of all("td a")) {
    link.addEventListener("click", () => {
      behind = (link.dataset.records || "").split(" ").filter(Boolean);
      if (location.hash === link.hash) open(); // the browser reports no change
    });
  }
  const showRecords = async id => {
    const room = document.getElementById("shown-records");
    try {
      const found = await records();
      const ids = behind.includes(id) ? behind : [id];
      room.replaceChildren(...ids.filter(each => each in found).map(each => recordView(each, found[each])));
      if (!room.children.length) room.textContent = `no record ${id} is behind this page`;
    } catch {
      room.textContent = `${file} is not next to this page: it holds the records`;
    }
    document.getElementById("records").scrollIntoView();
  };

  // Links open what they lead to, the contents follow
  const open = () => {
    const name = decodeURIComponent(location.hash.slice(1));
    if (name.startsWith("r-")) return showRecords(name.slice(2));
    const target = name && document.getElementById(name);
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
