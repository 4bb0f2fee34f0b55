// Shows every module in one table. The address keeps order, columns, filters and the chosen modules, so that a link
// shows the same.
import DataTable from "../vendor/datatables.net/dataTables.mjs";
import { exact, number as shown } from "./number.js";
import { scatter } from "./scatter.js";
import { csv, download, escaped, markdown } from "./take.js";

const place = document.querySelector("#explore");
const scroll = place.querySelector(".scroll");
const status = document.querySelector("#explored");
const tools = place.querySelector(".tools");
const words = tools.querySelector("[type=search]");
const groups = [...tools.querySelectorAll(".columns input")];
const limits = [...place.querySelectorAll(".ranges input")];
const compare = tools.querySelector("#compare");
const method = place.querySelector("[name=method]");
const plot = place.querySelector(".plot");
const axes = [...plot.querySelectorAll("select")]; // upwards and across
const state = new URLSearchParams(location.search);
const chosen = new Set(state.getAll("m"));

const answer = await fetch(place.dataset.rows).catch((error) => ({ status: error }));
if (!answer.ok) {
  place.dispatchEvent(new Event("failed"));
  throw new Error(`${place.dataset.rows}: ${answer.status}`);
}
const { columns, words: lists, rows } = await answer.json();

// Visitors upload names: they become text, never markup.
const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

const at = (key) => columns.findIndex((column) => column.key === key);
const methodOf = (row) => lists.method?.[row[at("method")]];

// Published figures that measured different things: from the least to the greatest.
const range = ([least, greatest]) => `${shown(least)} to ${shown(greatest)}`;

// Each column has value, which sorts, filters and is downloaded, and show, which the table shows. The methods also have
// place: the nearest to ours first.
const kinds = columns.map(({ key, type }, i) => {
  const list = lists[key];
  if (key === "method") {
    return { value: (row) => methodOf(row) ?? null, place: (row) => row[i], show: (row) => methodOf(row) ?? "" };
  }
  if (list) return { value: (row) => list[row[i]] ?? null, show: (row) => list[row[i]] ?? "" };
  if (key === "module") {
    return {
      value: (row) => row[i][1],
      show: (row) => {
        const link = element("a", { href: `/modules/${row[i][0]}/` }, element("bdi", {}, row[i][1]));
        return element("span", {}, link, element("small", {}, methodOf(row) ?? "not measured"));
      },
    };
  }
  if (key === "rank") {
    return {
      value: (row) => (row[i] ? row[i][0] + row[i][1] / 1e7 : null),
      show: (row) => (row[i] ? [...new Set(row[i])].join("–") : ""),
    };
  }
  if (type !== "number") return { value: () => null, show: () => "" };
  const value = (row) => (Array.isArray(row[i]) ? row[i][0] : row[i] === "none" ? Infinity : row[i]);
  return {
    value,
    figure: rows.some((row) => Array.isArray(row[i])),
    show: (row) => {
      if (row[i] === null || row[i] === "none") return row[i] ?? "";
      const plain = ["capacity_gb", "units", "contributors", "results"].includes(key) ? exact(row[i]) : shown(value(row));
      if (!Array.isArray(row[i])) return plain;
      if (row[i].length === 2) return range(row[i]);
      if (row[i][2] === null) return `≥\u00a0${plain}`; // hosts held the module back
      return element("span", {}, plain, element("small", {}, `${shown(row[i][1])}–${shown(row[i][2])}`));
    },
  };
});

const slug = (row) => row[at("module")][0];
const box = (row) => {
  const input = element("input", { type: "checkbox", name: "m", value: slug(row), checked: chosen.has(slug(row)) });
  input.setAttribute("form", "compare");
  input.setAttribute("aria-label", `Compare ${kinds[at("module")].value(row)}`);
  return input;
};

// Figures of different methods are never ranked together, and one lucky run must not lead. However a column is sorted,
// each method stays a group, followed by the modules that too few people measured. In each group, unknown values come
// last. Modules that nobody measured come last of all.
const group = (row) => {
  const method = row[at("method")];
  return method === null ? Infinity : 2 * method + Boolean(row[at("results")] && !row[at("rank")]);
};
const unknown = (value) => value === null;
const unknownLast = (compared) => ([of, a], [other, b]) =>
  (of === other ? 0 : of - other) || (unknown(a) || unknown(b) ? unknown(a) - unknown(b) : compared(a, b));
const compared = (a, b) => (typeof a === "string" ? a.localeCompare(b) : a === b ? 0 : a - b);
const order = { asc: unknownLast(compared), desc: unknownLast((a, b) => compared(b, a)) };
DataTable.type("known", { order });

// The table is made outside the page, or the browser would lay out the page at each step.
const made = scroll.cloneNode(true);
made.querySelector("tbody").remove();
const heads = [...made.querySelectorAll("thead th")];
for (const head of heads) {
  head.classList.remove("folded");
  // Enter on a heading sorts, but not on its "?".
  head.querySelector(".explain").addEventListener("keypress", (event) => event.stopPropagation());
}
const [sortKey, sortOrder] = (state.get("sort") ?? "").split(".");
const sortAt = at(sortKey);
const firstOrder = [at("rand_write_iops"), "desc"];

// Input from before this script loaded stays. The address has the rest.
for (const input of limits) input.value ||= state.get(input.name) ?? "";
words.value ||= state.get("q") ?? "";
const firstMethod = ([...method.options].find((option) => option.defaultSelected) ?? method.options[0]).value;
const asked = [...method.options].find(({ value }) => value === state.get("method"));
if (method.value === firstMethod && asked) method.value = asked.value;

const ofMethod = () =>
  (method.value === "all" ? () => true : (row) => methodOf(row) === method.selectedOptions[0].text);

for (const group of groups) group.checked &&= !state.getAll("hide").includes(group.value);

const drawn = (state.get("plot") ?? "").split(".");
for (const [i, axis] of axes.entries()) {
  if ([...axis.options].some(({ value }) => value === drawn[i])) axis.value = drawn[i];
}
plot.open ||= state.has("plot");

// Long work is done in pieces, so that a phone answers a touch in between.
const pause = () => new Promise((go) => { setTimeout(go); });

const narrow = matchMedia("(max-width: 40rem)").matches;

const texts = rows.map((row) =>
  columns.map(({ type }, i) => (type === "number" ? "" : kinds[i].value(row) ?? "")).join(" ").toLowerCase());

const table = new DataTable(made.querySelector("table"), {
  data: [],
  columns: columns.map(({ key }, i) => ({
    data: null,
    type: "known",
    searchable: false, // the filter below does it
    orderSequence: heads[i].dataset.first === "asc" ? ["asc", "desc"] : ["desc", "asc"],
    cellType: key === "module" ? "th" : "td",
    ariaTitle: heads[i].querySelector(".dt-column-title").textContent, // else it has the entities of the heading
    className: heads[i].className,
    render: (_, kind, row) => {
      const value = (kinds[i].place ?? kinds[i].value)(row);
      if (kind === "sort") return [group(row), value];
      if (kind !== "display") return value;
      const made = kinds[i].show(row);
      if (key === "rank") return element("span", {}, box(row), made);
      return made instanceof Node || made === "" ? made : document.createTextNode(made);
    },
    createdCell: (cell) => { if (key === "module") cell.scope = "row"; },
  })),
  order: sortAt >= 0 && ["asc", "desc"].includes(sortOrder) ? [sortAt, sortOrder] : firstOrder,
  autoWidth: false,
  deferRender: true,
  pageLength: narrow ? 20 : 50,
  lengthMenu: [20, 50, 100, 200],
  layout: {
    topStart: null, topEnd: null, bottomStart: "pageLength", bottomEnd: { paging: { buttons: narrow ? 5 : 7 } },
  },
  language: {
    lengthMenu: "_MENU_ rows on a page",
    emptyTable: "There is nothing yet.",
    zeroRecords: "No row is left: loosen a filter.",
  },
});

await pause();
table.rows.add(rows);

// Rows name their method only where the table has all methods. Columns of which no row of the method knows anything are
// left out.
const fold = () => {
  place.classList.toggle("all-methods", method.value === "all");
  const left = rows.filter(ofMethod());
  const known = columns.map(({ key }, i) =>
    ["rank", "module", columns[firstOrder[0]].key].includes(key) || left.some((row) => row[i] !== null));
  for (const [i, yes] of known.entries()) table.column(i).visible(yes, false);
  for (const group of groups) group.disabled = !columns.some((column, i) => column.group === group.value && known[i]);
};

const filter = () => {
  const of = ofMethod();
  const wanted = words.value.toLowerCase().split(/\s+/);
  const ranges = limits.filter((input) => input.value !== "").map((input) => {
    const [end, key] = input.name.split(".");
    return { value: kinds[at(key)].value, limit: input.valueAsNumber, least: end === "min" };
  });
  table.search.fixed("chosen", (_, row, index) =>
    of(row) && wanted.every((word) => texts[index].includes(word)) &&
    ranges.every(({ value, limit, least }) =>
      value(row) !== null && (least ? value(row) >= limit : value(row) <= limit)));
  table.draw();
};

const tell = () => {
  const left = table.rows({ search: "applied" }).count();
  const all = rows.filter(ofMethod()).length;
  const others = method.value === "all" ? 0 : rows.filter(methodOf).length - all;
  const other = others ? `; other methods: ${exact(others)} row${others > 1 ? "s" : ""}` : "";
  status.textContent = `${exact(left)} of ${exact(all)} rows${other}`;
};

const keep = () => {
  const kept = new URLSearchParams();
  if (method.value !== firstMethod) kept.set("method", method.value);
  if (words.value.trim()) kept.set("q", words.value.trim());
  for (const { checked, value } of groups) if (!checked) kept.append("hide", value);
  for (const input of limits) if (input.value !== "") kept.set(input.name, input.value);
  const [column, order] = table.order()[0] ?? firstOrder;
  if (column !== firstOrder[0] || order !== firstOrder[1]) {
    kept.set("sort", `${columns[column].key}.${order}`);
  }
  if (plot.open) kept.set("plot", axes.map(({ value }) => value).join("."));
  for (const m of chosen) kept.append("m", m);
  history.replaceState(null, "", location.pathname + (kept.size ? `?${kept}` : "") + location.hash);
};

// The drawing has the rows that the filters leave, on all pages of the table.
const draw = () => {
  if (!plot.open) return;
  const [y, x] = axes.map(({ value }) => at(value));
  const left = table.rows({ search: "applied" }).data().toArray();
  const of = (row, i) => [kinds[i].value(row), ...(kinds[i].figure && row[i]?.length === 3 ? row[i].slice(1) : [])];
  const points = left.map((row) =>
    ({ name: kinds[at("module")].value(row), href: `/modules/${slug(row)}/`, x: of(row, x), y: of(row, y) }))
    .filter((p) => [p.x[0], p.y[0]].every((value) => value > 0 && Number.isFinite(value)));
  scatter(plot.querySelector(".script"), points, left.length - points.length, [columns[x], columns[y]]);
};
plot.addEventListener("toggle", () => { draw(); keep(); });

// Modules stay chosen on every page of the table.
const tray = () => {
  const button = compare.querySelector("button");
  button.textContent = chosen.size ? `Compare the ${chosen.size} chosen` : "Compare the chosen";
};
place.addEventListener("change", ({ target }) => {
  if (target.name === "m") {
    chosen[target.checked ? "add" : "delete"](target.value);
    tray();
  }
  if (target === method) {
    fold();
    filter();
  }
  if (axes.includes(target)) draw();
  keep();
});
compare.addEventListener("submit", (event) => {
  event.preventDefault();
  location.href = "/compare/?" + new URLSearchParams([...chosen].map((m) => ["m", m]));
});

place.addEventListener("input", ({ target }) => {
  if (target === words || limits.includes(target)) {
    filter();
    keep();
  }
});
table.on("order", keep);

// On paper the table has every row that the filters leave.
let onScreen;
addEventListener("beforeprint", () => {
  onScreen = table.page.info();
  table.page.len(-1).draw();
});
addEventListener("afterprint", () => table.page.len(onScreen.length).page(onScreen.page).draw("page"));

const seen = () => table.rows({ search: "applied", order: "applied" }).data().toArray();
const visible = () => columns.map((_, i) => i).filter((i) => columns[i].key === "method" || heads[i].checkVisibility());
tools.addEventListener("click", async ({ target }) => {
  const shownAt = visible();
  if (target.dataset.take === "csv") {
    const names = shownAt.flatMap((i) => {
      const { key } = columns[i];
      return key === "rank" ? ["rank", "rank_to"] : kinds[i].figure ? [key, `${key}_low`, `${key}_high`] : [key];
    });
    download("flashdex.csv", csv([names, ...seen().map((row) => shownAt.flatMap((i) => {
      if (columns[i].key === "rank") return row[i] ?? ["", ""];
      if (row[i]?.length === 2 && kinds[i].figure) return ["", ...row[i]];
      if (kinds[i].figure) return Array.isArray(row[i]) ? row[i].map((v) => v ?? "") : [row[i], "", ""];
      return [kinds[i].value(row)];
    }))]));
  } else if (target.dataset.take === "markdown") {
    const text = (made) => escaped(made.textContent ?? made);
    const cell = (row) => (i) => {
      if (columns[i].key === "module") {
        return `[${escaped(kinds[i].value(row))}](${location.origin}/modules/${slug(row)}/)`;
      }
      if (!kinds[i].figure || !Array.isArray(row[i])) return text(kinds[i].show(row));
      if (row[i].length === 2) return range(row[i]);
      if (row[i][2] === null) return `≥ ${shown(row[i][0])}`;
      return `${shown(row[i][0])} (${shown(row[i][1])}–${shown(row[i][2])})`;
    };
    const head = shownAt.map((i) => escaped(columns[i].label));
    await navigator.clipboard.writeText(markdown([head, ...seen().map((row) => shownAt.map(cell(row)))]));
    status.textContent = "Copied";
  }
});

tools.querySelector(".script").hidden = false;
fold();
await pause();
filter();
await pause();

// The whole table replaces the first rows. Modules chosen there stay chosen, and the focus stays where it was.
for (const { value } of scroll.querySelectorAll("[name=m]:checked")) chosen.add(value);
for (const input of made.querySelectorAll("[name=m]")) input.checked = chosen.has(input.value);
const { value, href } = scroll.contains(document.activeElement) ? document.activeElement : {};
const left = scroll.scrollLeft;
scroll.replaceWith(made);
made.scrollLeft = left;
if (value || href) {
  [...made.querySelectorAll("[name=m], tbody a")].find((same) => same.value === value && same.href === href)?.focus();
}
tray();
keep();
tell(); // only now does the page show these rows
plot.querySelector(".script").hidden = false;
draw();
table.on("draw", () => { tell(); draw(); });
place.dispatchEvent(new Event("come"));
