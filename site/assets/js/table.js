// Sorts and filters a ranking and hides its columns. The address keeps the view, so that a link shows the same.
import { sortSortable } from "../vendor/sortable-tablesort/sortSortable.js";
import { parsed } from "./number.js";
import { csv, download, escaped, markdown } from "./take.js";

const tools = document.querySelector(".tools:has(+ .scroll > .sortable)");
if (tools) {
  const table = tools.nextElementSibling.querySelector("table");
  const words = tools.querySelector("[type=search]");
  const limits = [...tools.querySelectorAll(".script [name]")]; // of questions
  const groups = [...tools.querySelectorAll(".columns input")];
  const status = tools.querySelector("[role=status]");
  const heads = [...table.tHead.rows].at(-1).cells;
  const rows = [...table.querySelectorAll("tbody tr:not(.section)")];
  const isModule = (row) => !row.classList.contains("reference");
  const text = (node) => node.textContent.replace(/\s+/g, " ").trim();
  const first = { ...table.querySelector("th[aria-sort]")?.dataset };

  const fits = {
    capacity: ([has], least) => +has >= least,
    price: ([has], most) => +has <= most,
    host: (has, one) => has.includes(one),
  };

  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\s+/);
    const set = limits.filter(({ value }) => value);
    for (const row of rows) {
      const has = [...row.querySelectorAll("th, td:not(.number, .rank)")].map(text).join(" ").toLowerCase();
      const of = row.cells[0].dataset;
      row.hidden = isModule(row) && !(wanted.every((word) => has.includes(word)) &&
        set.every(({ name, value }) => fits[name]((of[name] ?? "?").split(" "), value)));
    }
    for (const section of table.tBodies) {
      section.hidden = !section.querySelector("tr:not(.section, .reference, [hidden])");
    }
    const modules = rows.filter(isModule);
    status.textContent = `${modules.filter((row) => !row.hidden).length} of ${modules.length} modules`;
  };

  const keep = () => {
    const url = new URL(location);
    const state = url.searchParams;
    for (const key of ["q", "hide", "sort"]) state.delete(key);
    if (words.value.trim()) state.set("q", words.value.trim());
    for (const { checked, value } of groups) if (!checked) state.append("hide", value);
    for (const { name, value } of limits) {
      state.delete(name);
      if (value) state.set(name, value);
    }
    const head = table.querySelector("th[aria-sort]");
    const order = head?.getAttribute("aria-sort");
    const { key } = head?.dataset ?? {};
    if (head && (key !== first.key || order !== first.first)) state.set("sort", `${key}.${order}`);
    history.replaceState(null, "", url);
    carry();
  };

  // Another form, or another question, keeps what was chosen.
  const carry = () => {
    for (const chip of document.querySelectorAll(".choices a")) chip.search = location.search;
  };

  const state = new URLSearchParams(location.search);
  words.value = state.get("q") ?? "";
  for (const group of groups) group.checked = !state.getAll("hide").includes(group.value);
  const [key, order] = (state.get("sort") ?? "").split(".");
  const head = [...heads].find((th) => th.dataset.key === key);
  if (head && ["ascending", "descending"].includes(order)) {
    table.querySelector("th[aria-sort]")?.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    sortSortable(table);
  }
  for (const field of limits) {
    field.value = state.get(field.name) ?? "";
    if (field.value) field.closest("details").open = true;
  }
  filter();
  carry();
  tools.querySelector(".script").hidden = false;
  for (const field of [words, ...limits]) field.addEventListener("input", () => { filter(); keep(); });
  for (const group of groups) group.addEventListener("change", keep);
  table.addEventListener("sort-end", keep);

  const compare = tools.querySelector("#compare button");
  const count = () => {
    const { length } = table.querySelectorAll(".rank :checked");
    compare.textContent = length ? `Compare the ${length} chosen` : "Compare the chosen";
  };
  table.addEventListener("change", count);
  count(); // a browser that goes back keeps what was chosen

  // The visible cells of the visible modules, each as of returns it.
  const visible = () => [...heads].filter((th) => th.checkVisibility());
  const seen = (of) => {
    const columns = visible();
    return [...table.tBodies].filter((body) => !body.hidden).flatMap((body) =>
      [...body.rows].filter((row) => rows.includes(row) && isModule(row) && !row.hidden).map((row) =>
        [of(body.querySelector(".section a")), ...columns.flatMap((th) => of(row.cells[th.cellIndex], th))]));
  };
  const interval = (td) => [...td.querySelectorAll("small")].map(text).join(" ").match(/([\d.,]+)–([\d.,]+)/);
  const value = (td, th) => {
    if (!th || !td.classList.contains("number")) return text(td);
    const exact = parsed(td.dataset.sort ?? td.textContent);
    const figure = [Number.isFinite(exact) ? exact : text(td)];
    if (!rows.some((row) => interval(row.cells[th.cellIndex]))) return figure;
    return [...figure, ...(interval(td)?.slice(1).map(parsed) ?? ["", ""])];
  };
  const names = ({ dataset: { key }, cellIndex }) =>
    rows.some((row) => interval(row.cells[cellIndex])) ? [key, key + "_low", key + "_high"] : [key];
  const shown = (td, th) => {
    const link = th && td.querySelector("th > a");
    const said = escaped(td.innerText.replace(/\s+/g, " ").trim()); // without what doesn't show
    return link ? `[${said}](${link.href})` : said;
  };

  tools.addEventListener("click", async ({ target }) => {
    if (target.dataset.take === "csv") {
      download("flashdex.csv", csv([["method", ...visible().flatMap(names)], ...seen(value)]));
    } else if (target.dataset.take === "markdown") {
      await navigator.clipboard.writeText(markdown([["Method", ...visible().map(text).map(escaped)], ...seen(shown)]));
      status.textContent = "Copied";
    }
  });
}
