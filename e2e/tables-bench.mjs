// Measures how long tables take to sort and filter in Chromium. Usage: node tables-bench.mjs SITE.
// Prints JSON: milliseconds for each action, from the press to the new layout, each the median of 7.
import { context } from "./chromium.mjs";

const [site] = process.argv.slice(2);
const rowsWanted = 10_000;
const browser = await context({ viewport: { width: 1440, height: 900 }, bypassCSP: true });
const page = await browser.newPage();
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

// took runs an action in the page 7 times, and waits each time until the table is laid out again.
const took = async (act) => median(await page.evaluate(async (act) => {
  const table = document.querySelector(".ranking");
  const all = [];
  for (let i = 0; i < 7; i++) {
    let start;
    await new Promise((done) => { // sorters start with a timer
      const seen = new MutationObserver(() => { seen.disconnect(); done(); });
      seen.observe(table, { subtree: true, childList: true, attributeFilter: ["hidden"] });
      start = performance.now();
      new Function("i", act)(i);
    });
    document.body.getBoundingClientRect();
    all.push(performance.now() - start);
  }
  return all;
}, act));
const filter = `const q = document.querySelector(".tools [type=search]");
  q.value = i % 2 ? "" : "kingston";
  q.dispatchEvent(new Event("input", { bubbles: true }))`;
const figures = {};

await page.goto(site + "/by/rand-write-iops/");
figures["rows-ranking"] = await page.locator(".ranking tbody tr:not(.section)").count();
figures["ms-ranking-sort"] = await took(`document.querySelector("th[data-key=rand_read_iops] button").click()`);
figures["ms-ranking-filter"] = await took(filter);

await page.route("**/data/explore.*.json", async (route) => {
  const data = await (await route.fetch()).json();
  const at = data.columns.findIndex(({ key }) => key === "rand_read_iops");
  const row = (_, i) => data.rows[i % data.rows.length].with(at, (i * 7919) % 30011);
  data.rows = Array.from({ length: rowsWanted }, row);
  await route.fulfill({ json: data });
});
await page.goto(site + "/explore/?method=all");
await page.getByRole("status").filter({ hasText: `of ${rowsWanted} rows` }).waitFor();
figures["rows-explore"] = rowsWanted;
figures["ms-explore-sort-number"] = await took(`document.querySelector("th[data-key=rand_read_iops]").click()`);
figures["ms-explore-sort-name"] = await took(`document.querySelector("th[data-key=module]").click()`);
figures["ms-explore-filter"] = await took(filter);
console.log(JSON.stringify(figures));
await browser.close();
