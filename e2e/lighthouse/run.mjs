// Scores pages as a phone sees them. Usage: node run.mjs SITE RUNS PATH...
// Prints a line for each page: its path, and the medians of performance, accessibility, best practices and SEO, 0 to 100. What costs
// a page points in any but performance follows it.
import * as chromeLauncher from "chrome-launcher";
import lighthouse from "lighthouse";

const [site, runs, ...paths] = process.argv.slice(2);
const chrome = await chromeLauncher.launch({
  chromePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const categories = ["performance", "accessibility", "best-practices", "seo"];
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
for (const path of paths) {
  const scores = categories.map(() => []);
  const lost = new Set();
  for (let i = 0; i < Number(runs); i++) {
    const { lhr } = await lighthouse(site + path, { port: chrome.port, logLevel: "silent", onlyCategories: categories });
    categories.forEach((c, k) => scores[k].push(Math.round(100 * lhr.categories[c].score)));
    for (const c of categories.slice(1)) {
      for (const { id, weight } of lhr.categories[c].auditRefs) if (weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 1) lost.add(id);
    }
  }
  console.log(path, ...scores.map(median), ...lost);
}
await chrome.kill();
