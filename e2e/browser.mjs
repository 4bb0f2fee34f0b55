// Drives Chromium through the published site. Usage: node browser.mjs SITE MODULE_SLUG RESULT_ID SCREENSHOT_DIR
// Prints a line for each success, and ends with an error at the first failure.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRequire } from "node:module";
import { context } from "./chromium.mjs";

const [site, slug, id, shots] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// open loads a page and fails on console messages, failed requests, and requests to anyone else.
async function open(browser, path) {
  const page = await browser.newPage();
  page.on("console", (m) => assert.fail(`console on ${path}: ${m.text()}`));
  page.on("pageerror", (e) => assert.fail(`error on ${path}: ${e}`));
  page.on("request", (r) => assert.ok(r.url().startsWith(site), `${path} asks ${r.url()}`));
  const answer = await page.goto(site + path);
  assert.equal(answer.status(), 200, path);
  return page;
}

async function screenshot(page, name) {
  await page.screenshot({ path: join(shots, name + ".png") });
}

async function accessible(page, path) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    window.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes[0].html}`), [], `accessibility of ${path}`);
}

async function withJavaScript() {
  const browser = await context({ viewport: { width: 1440, height: 900 }, bypassCSP: true });
  let page = await open(browser, "/");
  await screenshot(page, "home");
  const row = page.locator("tr", { has: page.locator(`a[href="/modules/${slug}/"]`) }).first();
  assert.ok(await row.isVisible(), "the ranking shows the module");
  console.log("the ranking shows the module");

  // Sort by the module's name, up and down, by mouse and by keyboard.
  const header = page.locator("table.ranking thead th", { hasText: "Module" }).first();
  const section = page.locator("table.ranking tbody").nth(await largestSection(page));
  const inSection = () => section.locator("tr:not(.reference) th[scope=row]").allInnerTexts();
  const before = (await inSection()).sort();
  await sorted(page, () => header.getByRole("button").first().click());
  const once = await inSection();
  await sorted(page, () => header.getByRole("button").first().press("Enter"));
  const twice = await inSection();
  assert.notDeepEqual(once, twice, "sorting the other way round changes the order");
  assert.deepEqual([...once].sort(), before, "sorting keeps every row in its section");
  assert.equal(await page.locator("th[aria-sort]:not([aria-sort=none])").count(), 1, "one column is marked as sorted");
  await screenshot(page, "home-sorted-by-name");
  await sorted(page, () => page.locator("th.col-rank").getByRole("button").first().click());
  const ranks = await section.locator("tr:not(.reference) td.rank").evaluateAll((cells) =>
    cells.filter((c) => c.innerText).map((c) => c.innerText.split("–").map(Number)));
  const order = (rank) => rank[0] * 1e6 + (rank[1] ?? rank[0]);
  assert.ok(ranks.length > 1 && ranks.every((rank, i) => !i || order(ranks[i - 1]) <= order(rank)),
    `ranks rise by their first and then their last: ${ranks.join("; ")}`);
  console.log("the table sorts by click and by key");

  page = await open(browser, `/modules/${slug}/`);
  const link = page.locator(`a[href="/r/${id}"], a[href="/r/${id}/"]`).first();
  assert.ok(await link.isVisible(), "the module's page links the result");
  await screenshot(page, "module");
  page = await open(browser, `/r/${id}`);
  assert.ok((await page.locator("main").innerText()).includes("4K random write"), "the result's page shows the figure");
  await screenshot(page, "result");
  console.log("the module's page and the result's page show it");

  for (const path of [
    "/", "/by/rand-read-iops/", "/by/rand-write-longest-1000-ms/", "/in/", "/for/", "/for/boot/", "/for/camera/", "/modules/",
    "/explore/", "/search/?q=samsung",
    `/compare/?m=${slug}&m=samsung-evo-plus-32gb-microsd&m=samsung-evo-plus-64gb-microsd`,
    `/modules/${slug}/`, `/r/${id}`, "/method/", "/test/", "/data/", "/sources/", "/api/", "/privacy/",
  ]) {
    page = await open(browser, path);
    await accessible(page, path);
    await screenshot(page, "desktop" + path.replaceAll(/[/?=&]/g, "-"));
    await page.close();
  }
  await browser.close();
  const phone = await context({ viewport: { width: 390, height: 844 }, isMobile: true, deviceScaleFactor: 2 });
  for (const path of ["/", "/in/", "/for/boot/", `/modules/${slug}/`, `/r/${id}`, "/test/"]) {
    page = await open(phone, path);
    const { scroll, inner } = await page.evaluate(() =>
      ({ scroll: document.documentElement.scrollWidth, inner: window.innerWidth }));
    assert.ok(scroll <= inner, `${path} is ${scroll} px wide on a phone of ${inner} px`);
    await screenshot(page, "phone" + path.replaceAll("/", "-"));
  }
  await phone.close();
  console.log("no page has an accessibility violation, a console message, a foreign request or sideways scrolling");
}

// sorted runs an action that sorts the table, and waits for the sorting, which starts with a timer.
async function sorted(page, act) {
  const end = await page.evaluateHandle(() => ({
    sorted: new Promise((done) => document.addEventListener("sort-end", done, { once: true })),
  }));
  await act();
  await end.evaluate(({ sorted }) => sorted.then(() => true));
}

async function largestSection(page) {
  const sizes = await page.locator("table.ranking tbody").evaluateAll((bodies) => bodies.map((b) => b.rows.length));
  return sizes.indexOf(Math.max(...sizes));
}

async function withoutJavaScript() {
  const browser = await context({ viewport: { width: 1280, height: 900 }, javaScriptEnabled: false });
  let page = await open(browser, "/");
  assert.ok(await page.locator(`a[href="/modules/${slug}/"]`).first().isVisible(), "the ranking shows the module");
  await page.locator("table.ranking thead").getByRole("link", { name: /linear write/i }).first().click();
  assert.ok(page.url().endsWith("/by/seq-write-mb-per-s/"),
    "the head of a column leads to the page sorted by it, not to " + page.url());
  const sortedHead = page.locator("th[aria-sort=descending]", { hasText: /linear write/i });
  assert.ok(await sortedHead.isVisible(), "that page is marked as sorted");
  await screenshot(page, "no-javascript-by-linear-write");
  page = await open(browser, `/modules/${slug}/`);
  assert.ok(await page.locator("h1").isVisible());
  await screenshot(page, "no-javascript-module");
  await browser.close();
  console.log("the site works without JavaScript");
}

await withJavaScript();
await withoutJavaScript();
