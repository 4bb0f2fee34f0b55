// Scores pages as a phone sees them. Usage: node run.mjs SITE RUNS [BLOCKED...] < PAGES. PAGES is a JSON list of {path,
// skip}; skip is null or lists audits that don't apply to the page. BLOCKED are patterns of addresses that no page
// gets. Prints a line for each page as soon as it is scored: its path, the medians of performance, accessibility, best
// practices and SEO, 0 to 100, and the audits that cost it points in any of these except performance.
import { readFileSync } from "node:fs";
import * as chromeLauncher from "chrome-launcher";
import lighthouse from "lighthouse";

const [site, runs, ...blocked] = process.argv.slice(2);
const pages = JSON.parse(readFileSync(0, "utf8"));
const chrome = await chromeLauncher.launch({
  chromePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  chromeFlags: [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
  ],
});
const categories = ["performance", "accessibility", "best-practices", "seo"];
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

// score looks at a page once. On a busy machine, the browser's trace may lack the moment at which the page was asked
// for (NO_NAVSTART). Then Lighthouse asks to be run again.
const score = async (path, skip, triesLeft = 3) => {
  const { lhr } = await lighthouse(site + path, {
    port: chrome.port, logLevel: "silent", onlyCategories: categories, skipAudits: skip, ignoreStatusCode: true,
    blockedUrlPatterns: blocked,
  });
  if (!lhr.runtimeError) return lhr;
  const { code, message } = lhr.runtimeError;
  if (code !== "NO_NAVSTART" || triesLeft === 0) throw new Error(`${path}: ${message}`);
  return score(path, skip, triesLeft - 1);
};
for (const { path, skip } of pages) {
  const scores = categories.map(() => []);
  const lost = new Set();
  for (let i = 0; i < Number(runs); i++) {
    const lhr = await score(path, skip);
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
