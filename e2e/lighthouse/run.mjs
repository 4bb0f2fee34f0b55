// Scores pages as a phone sees them. Usage: node run.mjs SITE RUNS PATH...
// Prints a line for each page: its path, the medians of performance, accessibility, best practices and SEO, 0 to 100,
// and the audits that cost it points in any of these but performance.
import * as chromeLauncher from "chrome-launcher";
import lighthouse from "lighthouse";

const [site, runs, ...paths] = process.argv.slice(2);
const chrome = await chromeLauncher.launch({
  chromePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  chromeFlags: [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
  ],
});
const categories = ["performance", "accessibility", "best-practices", "seo"];
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
for (const path of paths) {
  const scores = categories.map(() => []);
  const lost = new Set();
  for (let i = 0; i < Number(runs); i++) {
    const options = { port: chrome.port, logLevel: "silent", onlyCategories: categories };
    const { lhr } = await lighthouse(site + path, options);
    categories.forEach((c, k) => scores[k].push(Math.round(100 * lhr.categories[c].score)));
    for (const c of categories.slice(1)) {
      for (const { id, weight } of lhr.categories[c].auditRefs) {
        const score = lhr.audits[id].score;
        if (weight > 0 && score !== null && score < 1) lost.add(id);
      }
    }
  }
  console.log(path, ...scores.map(median), ...lost);
}
await chrome.kill();
