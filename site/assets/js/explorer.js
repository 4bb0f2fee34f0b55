// Every module in one table. The address keeps its order, columns, filters and what is chosen to compare, so that a link shows the same.
import DataTable from "../vendor/datatables.net/dataTables.mjs";
import { exact, number as shown } from "./number.js";
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
const state = new URLSearchParams(location.search);
const chosen = new Set(state.getAll("m"));

const answer = await fetch(place.dataset.rows).catch((error) => ({ status: error }));
if (!answer.ok) {
  place.dispatchEvent(new Event("failed"));
  throw new Error(`${place.dataset.rows}: ${answer.status}`);
}
const { columns, words: lists, rows } = await answer.json();

// Names are not ours: they become text and never markup.
const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

const at = (key) => columns.findIndex((column) => column.key === key);
const methodOf = (row) => lists.method?.[row[at("method")]];

// For each column: the value that sorts, filters and is taken along, and what shows it; of a method also its place, nearest to ours first.
const kinds = columns.map(({ key, type }, i) => {
  const list = lists[key];
  if (key === "method") return { value: (row) => methodOf(row) ?? null, place: (row) => row[i], show: (row) => methodOf(row) ?? "" };
  if (list) return { value: (row) => list[row[i]] ?? null, show: (row) => list[row[i]] ?? "" };
  if (key === "module") {
    return {
      value: (row) => row[i][1],
      show: (row) => element("span", {}, element("a", { href: `/modules/${row[i][0]}/` }, element("bdi", {}, row[i][1])), element("small", {}, methodOf(row) ?? "not measured")),
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
      const plain = ["capacity_gb", "units", "results"].includes(key) ? exact(row[i]) : shown(value(row));
      return Array.isArray(row[i]) ? element("span", {}, plain, element("small", {}, `${shown(row[i][1])}–${shown(row[i][2])}`)) : plain;
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

// Figures of different methods are never ranked together, and one lucky run must not lead: whichever way a column is sorted, each method
// stays a group, behind it what too few have measured to be ranked, and in each what is not known comes last; modules that nobody measured follow all.
const group = (row) => (row[at("method")] === null ? Infinity : 2 * row[at("method")] + Boolean(row[at("results")] && !row[at("rank")]));
const unknown = (value) => value === null;
const unknownLast = (compared) => ([of, a], [other, b]) => (of === other ? 0 : of - other) || (unknown(a) || unknown(b) ? unknown(a) - unknown(b) : compared(a, b));
const compared = (a, b) => (typeof a === "string" ? a.localeCompare(b) : a === b ? 0 : a - b);
DataTable.type("known", { order: { asc: unknownLast(compared), desc: unknownLast((a, b) => compared(b, a)) } });

// Made apart from the page, which would be laid out for each step.
const made = scroll.cloneNode(true);
made.querySelector("tbody").remove();
const heads = [...made.querySelectorAll("thead th")];
const [sortKey, sortOrder] = (state.get("sort") ?? "").split(".");
const sortAt = at(sortKey);
const firstOrder = [at("rand_write_iops"), "desc"];

// What was entered before this script came holds; the address says the rest.
for (const input of limits) input.value ||= state.get(input.name) ?? "";
words.value ||= state.get("q") ?? "";
const firstMethod = method.options[0].value;
if (method.value === firstMethod && [...method.options].some(({ value }) => value === state.get("method"))) method.value = state.get("method");
for (const group of groups) if (state.getAll("hide").includes(group.value)) group.checked = false;

// What takes long is done in pieces, so that a phone answers a touch in between.
const pause = () => new Promise((go) => { setTimeout(go); });

const narrow = matchMedia("(max-width: 40rem)").matches;

const texts = rows.map((row) => columns.map(({ type }, i) => (type === "number" ? "" : kinds[i].value(row) ?? "")).join(" ").toLowerCase());

const table = new DataTable(made.querySelector("table"), {
  data: [],
  columns: columns.map(({ key }, i) => ({
    data: null,
    type: "known",
    searchable: false, // the filter below is ours
    orderSequence: heads[i].dataset.first === "asc" ? ["asc", "desc"] : ["desc", "asc"],
    cellType: key === "module" ? "th" : "td",
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
  layout: { topStart: null, topEnd: null, bottomStart: "pageLength", bottomEnd: { paging: { buttons: narrow ? 5 : 7 } } },
  language: { lengthMenu: "_MENU_ rows on a page", emptyTable: "There is nothing yet.", zeroRecords: "No row is left: loosen a filter." },
});

await pause();
table.rows.add(rows);

// Only where the table has all methods does each row name its own.
const named = () => place.classList.toggle("all-methods", method.value === "all");

const ofMethod = () => (method.value === "all" ? () => true : (row) => methodOf(row) === method.selectedOptions[0].text);

const filter = () => {
  const of = ofMethod();
  const wanted = words.value.toLowerCase().split(/\s+/);
  const ranges = limits.filter((input) => input.value !== "").map((input) => {
    const [end, key] = input.name.split(".");
    return { value: kinds[at(key)].value, limit: input.valueAsNumber, least: end === "min" };
  });
  table.search.fixed("chosen", (_, row, index) =>
    of(row) && wanted.every((word) => texts[index].includes(word)) &&
    ranges.every(({ value, limit, least }) => value(row) !== null && (least ? value(row) >= limit : value(row) <= limit)));
  table.draw();
};

const tell = () => { status.textContent = `${table.rows({ search: "applied" }).count()} of ${rows.filter(ofMethod()).length} rows`; };

const keep = () => {
  const kept = new URLSearchParams();
  if (method.value !== firstMethod) kept.set("method", method.value);
  if (words.value.trim()) kept.set("q", words.value.trim());
  for (const group of groups) if (!group.checked) kept.append("hide", group.value);
  for (const input of limits) if (input.value !== "") kept.set(input.name, input.value);
  const [column, order] = table.order()[0] ?? firstOrder;
  if (column !== firstOrder[0] || order !== firstOrder[1]) kept.set("sort", `${columns[column].key}.${order}`);
  for (const m of chosen) kept.append("m", m);
  history.replaceState(null, "", location.pathname + (kept.size ? `?${kept}` : "") + location.hash);
};

// The tray: what is chosen stays so on every page of the table.
const tray = () => {
  compare.querySelector("button").textContent = chosen.size ? `Compare the ${chosen.size} chosen` : "Compare the chosen";
};
place.addEventListener("change", ({ target }) => {
  if (target.name === "m") {
    chosen[target.checked ? "add" : "delete"](target.value);
    tray();
  }
  if (target === method) {
    named();
    filter();
  }
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

const seen = () => table.rows({ search: "applied", order: "applied" }).data().toArray();
const visible = () => columns.map((_, i) => i).filter((i) => heads[i].checkVisibility());
tools.addEventListener("click", async ({ target }) => {
  const shownAt = visible();
  if (target.dataset.take === "csv") {
    const names = shownAt.flatMap((i) => {
      const { key } = columns[i];
      return key === "rank" ? ["rank", "rank_to"] : kinds[i].figure ? [key, `${key}_low`, `${key}_high`] : [key];
    });
    download("flashdex.csv", csv([names, ...seen().map((row) => shownAt.flatMap((i) => {
      if (columns[i].key === "rank") return row[i] ?? ["", ""];
      if (kinds[i].figure) return Array.isArray(row[i]) ? row[i] : [row[i], "", ""];
      return [kinds[i].value(row)];
    }))]));
  } else if (target.dataset.take === "markdown") {
    const text = (made) => escaped(made.textContent ?? made);
    await navigator.clipboard.writeText(markdown([shownAt.map((i) => escaped(columns[i].label)), ...seen().map((row) => shownAt.map((i) => {
      if (columns[i].key === "module") return `[${escaped(kinds[i].value(row))}](${location.origin}/modules/${slug(row)}/)`;
      return kinds[i].figure && Array.isArray(row[i]) ? `${shown(row[i][0])} (${shown(row[i][1])}–${shown(row[i][2])})` : text(kinds[i].show(row));
    }))]));
    status.textContent = "Copied";
  }
});

tools.querySelector(".script").hidden = false;
named();
await pause();
filter();
await pause();

// The whole table takes the place of the first rows, and what was chosen in these, or has the focus, is so in it.
for (const { value } of scroll.querySelectorAll("[name=m]:checked")) chosen.add(value);
for (const input of made.querySelectorAll("[name=m]")) input.checked = chosen.has(input.value);
const { value, href } = scroll.contains(document.activeElement) ? document.activeElement : {};
const left = scroll.scrollLeft;
scroll.replaceWith(made);
made.scrollLeft = left;
if (value || href) [...made.querySelectorAll("[name=m], tbody a")].find((same) => same.value === value && same.href === href)?.focus();
tray();
keep();
tell(); // not before: what it says is seen now
table.on("draw", tell);
place.dispatchEvent(new Event("come"));
