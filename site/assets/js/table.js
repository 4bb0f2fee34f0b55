// Sorts and filters a ranking and hides its columns. The address keeps the view, so that a link shows the same.
import { sortSortable } from "../vendor/sortable-tablesort/sortSortable.js";
import { parsed } from "./number.js";
import { csv, download, escaped, markdown } from "./take.js";

const tools = document.querySelector(".tools:has(+ .scroll > .sortable)");
if (tools) {
  const table = tools.nextElementSibling.querySelector("table");
  const words = tools.querySelector("[type=search]");
  const groups = [...tools.querySelectorAll(".columns input")];
  const status = tools.querySelector("[role=status]");
  const heads = [...table.tHead.rows].at(-1).cells;
  const rows = [...table.querySelectorAll("tbody tr:not(.section)")];
  const isModule = (row) => !row.classList.contains("reference");
  const text = (node) => node.textContent.replace(/\s+/g, " ").trim();
  const first = { ...table.querySelector("th[aria-sort]")?.dataset };

  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\s+/);
    for (const row of rows) {
      const has = [...row.querySelectorAll("th, td:not(.number, .rank)")].map(text).join(" ").toLowerCase();
      row.hidden = isModule(row) && !wanted.every((word) => has.includes(word));
    }
    for (const section of table.tBodies) {
      section.hidden = words.value.trim() && !section.querySelector("tr:not(.section, .reference, [hidden])");
    }
    const modules = rows.filter(isModule);
    status.textContent = `${modules.filter((row) => !row.hidden).length} of ${modules.length} modules`;
  };

  const keep = () => {
    const url = new URL(location);
    const state = url.searchParams;
    for (const key of ["q", "show", "hide", "sort"]) state.delete(key);
    if (words.value.trim()) state.set("q", words.value.trim());
    for (const { checked, defaultChecked, value } of groups) {
      if (checked !== defaultChecked) state.append(checked ? "show" : "hide", value);
    }
    const head = table.querySelector("th[aria-sort]");
    const order = head?.getAttribute("aria-sort");
    const { key } = head?.dataset ?? {};
    if (head && (key !== first.key || order !== first.first)) state.set("sort", `${key}.${order}`);
    history.replaceState(null, "", url);
  };

  const state = new URLSearchParams(location.search);
  words.value = state.get("q") ?? "";
  for (const group of groups) {
    const asked = (what) => state.getAll(what).includes(group.value);
    group.checked = asked("show") || group.defaultChecked && !asked("hide");
  }
  const [key, order] = (state.get("sort") ?? "").split(".");
  const head = [...heads].find((th) => th.dataset.key === key);
  if (head && ["ascending", "descending"].includes(order)) {
    table.querySelector("th[aria-sort]")?.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    sortSortable(table);
  }
  filter();
  tools.querySelector(".script").hidden = false;
  words.addEventListener("input", () => { filter(); keep(); });
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
    const said = escaped([...td.childNodes].map(text).join(" ").trim());
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
