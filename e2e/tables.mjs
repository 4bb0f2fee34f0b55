// Uses tables like a visitor: sort, filter, choose columns, download, share, search and compare.
// Usage: node tables.mjs SITE SCREENSHOT_DIR
// Prints a line for each success, and ends with an error at the first failure.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { context } from "./chromium.mjs";

const [site, shots] = process.argv.slice(2);

async function open(browser, path) {
  const page = await browser.newPage();
  page.on("console", (m) => assert.fail(`console on ${path}: ${m.text()}`));
  page.on("pageerror", (e) => assert.fail(`error on ${path}: ${e}`));
  page.on("request", (r) => {
    assert.ok(r.url().startsWith(site) || r.url().startsWith("blob:"), `${path} asks ${r.url()}`);
  });
  const answer = await page.goto(site + path);
  assert.equal(answer.status(), 200, path);
  return page;
}

const settled = (page, text) => page.getByRole("status").filter({ hasText: text }).first().waitFor();
const names = (page) => page.locator(".ranking tbody tr:not(.reference) th[scope=row]:visible").allInnerTexts();
const number = (text) => parseFloat(text.replaceAll(",", ""));
const shows = (page, selector) => page.locator(selector).first().isVisible();

// taken presses a button and returns the rows of the downloaded CSV.
async function taken(page) {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download what I see" }).click();
  return readFileSync(await (await download).path(), "utf8").trimEnd().split("\r\n").map((line) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(,|$)/g)]
      .map(([, cell]) => cell.replace(/^"|"$/g, "").replaceAll('""', '"')));
}

async function ranking(browser) {
  const page = await open(browser, "/by/rand-write-iops/");
  await settled(page, "modules");
  const [shown, all] = (await page.locator(".tools [role=status]").innerText()).match(/\d+/g);
  assert.equal(shown, all, "at first every row is shown");
  const cut = await page.locator(".choices ul").evaluateAll((all) =>
    all.filter((list) => list.scrollWidth > list.clientWidth).length);
  assert.equal(cut, 0, "every choice is in sight");

  await page.getByRole("searchbox", { name: /these words/ }).fill("samsung SD");
  await page.locator("summary", { hasText: "Columns" }).press("Enter");
  await page.getByLabel("Stability").press("Space");
  await page.locator("th[data-key=capacity_gb] button:not(.explain)").press("Enter");
  await page.waitForURL(/sort=capacity_gb/);
  assert.match(await page.locator("caption").first().innerText(), /^Sorted by Capacity, (as|des)cending\./);
  const there = await names(page);
  assert.ok(there.length > 2 && there.length < Number(all) && there.every((n) => /samsung.*sd/i.test(n)),
    `the filter left ${there}`);
  assert.ok(!(await shows(page, ".g-stability")) && (await shows(page, ".g-linear")),
    "only the unchecked columns are hidden");
  assert.equal(await page.locator(".tools [role=status]").innerText(), `${there.length} of ${all} modules`);

  const again = await open(browser, page.url().slice(site.length));
  await settled(again, "modules");
  assert.deepEqual(await names(again), there, "the shared link shows the same rows in the same order");
  assert.ok(!(await shows(again, ".g-stability")) && (await shows(again, "th[data-key=capacity_gb][aria-sort]")),
    "and the same columns");

  const [head, ...rows] = await taken(again);
  assert.deepEqual(rows.map((row) => row[head.indexOf("module")]), there, "the download has the rows that one sees");
  assert.ok(head.includes("rand_write_iops") && !head.some((key) => key.endsWith("_ms")), `and the columns: ${head}`);
  await browser.grantPermissions(["clipboard-read", "clipboard-write"], { origin: site });
  await again.getByRole("button", { name: "Copy as Markdown" }).click();
  await settled(again, "Copied");
  const copied = (await again.evaluate(() => navigator.clipboard.readText())).split("\n");
  assert.ok(copied.length === there.length + 3 && copied[2].includes(`](${site}/modules/`),
    copied.slice(0, 3).join("\n"));
  await again.screenshot({ path: join(shots, "table-filtered.png") });
  console.log("a ranking is filtered, sorted and taken along by keyboard, and a link shows the same");

  const home = await open(browser, "/");
  for (const row of [0, 1]) await home.getByRole("checkbox", { name: /^Compare / }).nth(row).check();
  await home.getByRole("button", { name: "Compare the 2 chosen" }).click();
  assert.equal(new URL(home.url()).searchParams.getAll("m").length, 2, home.url());
  assert.ok(await shows(home, ".comparison"), "two chosen rows are compared");

  const published = await open(browser, "/form/cf/"); // nobody has uploaded any of these
  assert.ok(await published.locator(".g-stability").count() === 0 && (await shows(published, ".g-linear")),
    "columns in which nothing is known are left out");
  await published.locator("summary", { hasText: "Columns" }).click();
  assert.match(await published.locator(".columns").innerText(), /Nothing known yet: .*Cliff after/, "and named");

  // The "?" of a heading explains it, also by keyboard, and sorts nothing.
  const explained = page.locator("th[data-key=rand_read_iops] .explain");
  await explained.press("Enter");
  assert.match(await page.locator(".explanation:visible").innerText(), /^4K random read\. .* More is better\.$/);
  assert.equal(await page.locator("th[aria-sort]").getAttribute("data-key"), "capacity_gb", "the order stays");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".explanation:visible").count(), 0);
}

// A question is narrowed by form, capacity, price and host in one address.
async function question(browser) {
  const page = await open(browser, "/for/boot/");
  await settled(page, "modules");
  await page.locator("summary", { hasText: /^Capacity, price, host/ }).click();
  await page.getByLabel("From").fill("32");
  await page.waitForURL(/\/for\/boot\/\?capacity=32$/);
  await page.locator(".choices").getByRole("link", { name: "microSD", exact: true }).click();
  await page.waitForURL(/\/for\/boot\/microsd\/\?capacity=32$/);
  await settled(page, "modules");
  const large = await names(page);
  assert.ok(large.length > 5 && large.every((name) => /microSD/.test(name) && !/\b([1-9]|1\d|2\d)\sGB/.test(name)),
    `microSD cards from 32 GB on: ${large}`);
  await page.getByLabel("Measured in").selectOption({ index: 1 });
  await page.getByLabel("At most").fill("12");
  await page.waitForURL(/\?capacity=32&price=12&host=[a-z0-9-]+$/);
  assert.deepEqual(await names(page), ["Acme Slow and Sure 32 GB microSD"]);
  const same = await open(browser, page.url().slice(site.length));
  await settled(same, "modules");
  assert.deepEqual(await names(same), await names(page), "a link shows the same");
  await page.getByLabel("At most").fill("11.99");
  assert.deepEqual(await names(page), []);
  console.log("a question is narrowed by form, capacity, price and host in one address");
}

// plot draws the remaining rows as points. It names the point under the pointer or with the focus, and shows the same
// again by its address.
async function plot(page, browser) {
  await page.locator("summary", { hasText: "Draw two figures" }).click();
  await page.waitForURL(/plot=rand_write_iops\.usd_per_gb/); // speed against what it costs
  await page.getByLabel("Across").selectOption({ label: "4K random read, IOPS" });
  await page.waitForURL(/plot=rand_write_iops\.rand_read_iops/);
  const points = page.locator(".plot circle");
  const said = page.locator(".plot [role=status]");
  const left = Number((await page.locator("#explored").innerText()).match(/\d+/)[0]);
  const [drawn, all] = (await said.innerText()).match(/^Drawn: (\d+) of (\d+) rows/).slice(1).map(Number);
  assert.ok(drawn > 5 && drawn === await points.count() && all === left, await said.innerText());
  await points.first().scrollIntoViewIfNeeded();
  const { x, y } = await points.first().boundingBox();
  await page.mouse.move(x + 4, y + 4);
  assert.match(await said.getByRole("link").getAttribute("href"), /^\/modules\/[a-z0-9-]+\/$/);
  await page.getByLabel("Across").focus();
  await page.keyboard.press("Tab");
  const first = await said.innerText();
  await page.keyboard.press("ArrowRight");
  const second = await said.innerText();
  assert.match(second, /4K random write [\d,.]+ IOPS, 4K random read [\d,.]+ IOPS$/);
  const texts = await page.locator(".plot text").allTextContents();
  const ticks = texts.filter((text) => /^[\d.,]+$/.test(text)).map(number);
  assert.ok(ticks.length > 3 && ticks.every((tick) => Number.isInteger(Math.log10(tick))), `powers of ten: ${ticks}`);
  assert.notEqual(first, second, "the arrow keys go on");
  assert.equal(await page.locator(":focus").getAttribute("aria-label"), second, "the point with the focus is named");
  const same = await open(browser, page.url().slice(site.length));
  await same.locator(".plot circle").first().waitFor();
  assert.equal(await same.locator(".plot circle").count(), drawn, "a link shows the same drawing");
  await same.close();
}

async function explore(browser) {
  let page = await open(browser, "/explore/");
  const cells = () => page.locator(".explored :is(th, td):visible").allInnerTexts();
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  const first = await cells();
  // None of the few uploads is ranked, so the method with the most rows comes first.
  assert.equal(await page.locator(".explored tbody tr").count(), 20, "the first rows stand on the page");
  assert.match(await page.locator("#explored").innerText(), /^The first 20 of [\d,]+ rows; other methods: [\d,]+ rows$/);
  await page.waitForTimeout(200);
  assert.deepEqual(asked, [], "who only looks asks for no more");
  const box = page.locator(".explored [name=m]").nth(1);
  await box.evaluate((input) => { // at once: the focus loads the whole table, which has another box
    input.focus();
    input.click();
  });
  await settled(page, /^(\d+) of \1 rows/);
  assert.deepEqual((await cells()).slice(0, first.length), first, "the whole table begins with the first rows");
  assert.ok(await box.isChecked() && await box.evaluate((input) => document.activeElement === input),
    "the box stays chosen and focused");
  assert.ok(!(await shows(page, ".explored .g-stability")), "columns in which the method knows nothing are folded");
  await page.getByLabel("Measured by").selectOption("flashdex-1");
  await page.waitForURL(/method=flashdex-1/);
  assert.ok(await shows(page, ".explored .g-stability"), "and shown with a method that knows them");
  page = await open(browser, "/explore/?method=flashdex-1");
  await page.evaluate(() => {
    const words = document.querySelector("#explore [type=search]");
    words.value = "slow sure";
    words.dispatchEvent(new Event("input", { bubbles: true }));
    document.querySelector("#explore th[data-key=seq_read_mb_per_s]").click();
  });
  // Actions before the table arrived have taken effect.
  await page.waitForURL(/q=slow\+sure.*sort=seq_read_mb_per_s.desc/);
  assert.equal(await page.locator(".explored tbody tr").count(), 1);

  for (const lost of ["**/js/explorer.*", "**/data/explore.*"]) {
    page = await browser.newPage();
    await page.route(lost, (route) => route.abort());
    await page.goto(site + "/explore/?q=slow");
    await settled(page, /could not be fetched/);
    assert.ok(await page.locator(".explored tbody tr").first().isVisible(), "the first rows stay");
    await page.close();
  }

  page = await open(browser, "/explore/?method=flashdex-1");
  // press sorts by a column and returns the name of the leading module.
  const press = async (column) => {
    await page.locator(".explored thead :is([role=button], button:not(.explain))").nth(column).press("Enter");
    return (await names(page)).slice(0, 1);
  };
  await settled(page, /^2 of 2 rows; other methods/); // Flashdex's own method has only the uploaded modules
  assert.equal(await page.getByRole("cell", { name: "none", exact: true }).count(), 2,
    "a cliff that was not found is no empty cell");
  const orders = await page.locator(".explored thead :is([role=button], button:not(.explain))").count();
  assert.ok(orders > 10, `${orders} columns can be sorted`);
  for (let i = 0; i < orders; i++) {
    const [first, second] = [await press(i), await press(i)];
    assert.ok([...first, ...second].every((name) => name.includes("Slow and Sure")),
      `a single run leads the order by column ${i}: ${first}, ${second}`);
  }
  const method = page.getByLabel("Measured by");
  await method.selectOption({ label: "all methods" });
  await page.waitForURL(/method=all/);
  const [all] = (await page.locator("#explored").innerText()).match(/\d+/);
  await page.getByRole("button", { name: /^4K random read/ }).press("Enter");
  const [columns, ...every] = await taken(page);
  const methods = every.map((row) => row[columns.indexOf("method")]);
  assert.equal(methods.filter((of, i) => of !== methods[i - 1]).length, new Set(methods).size,
    "each method stays a group of its own");
  for (const of of new Set(methods)) {
    const figures = every.filter((_, i) => methods[i] === of)
      .map((row) => Number(row[columns.indexOf("rand_read_iops")] || row[columns.indexOf("rand_read_iops_low")] || -1));
    assert.deepEqual(figures, [...figures].sort((a, b) => b - a), `${of} is sorted`);
  }
  assert.ok(await shows(page, ".explored th[scope=row] small"), "the rows name their method");
  await method.selectOption({ label: "iozone, direct I/O, 100 MB" });
  assert.ok(!(await shows(page, ".explored th[scope=row] small")), "but not where there is one");
  await page.locator("summary", { hasText: "Filter by figures" }).click();
  await page.getByLabel("4K random write, at least").fill("100");
  await page.getByLabel("4K random write, at most").fill("2000");
  await page.waitForURL(/sort=rand_read_iops.desc/);
  const figures = await page.locator("td.col-rand_write_iops").allInnerTexts();
  assert.ok(figures.length > 5 && figures.every((f) => number(f) >= 100 && number(f) <= 2000),
    `figures from 100 to 2000: ${figures}`);
  const reads = (await page.locator("td.col-rand_read_iops").allInnerTexts()).map((f) => (f ? number(f) : -1));
  assert.deepEqual(reads, [...reads].sort((a, b) => b - a), "sorted, the unknown last");
  await plot(page, browser);
  assert.equal(await page.locator("th[aria-sort=descending]").count(), 1, "one column is marked as sorted");
  const small = await page.locator("#explore :is(button, summary, input, [role=button], select)").evaluateAll((all) =>
    all.filter((e) => e.checkVisibility()).map((e) => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
      .filter(([, box]) => box.width < 24 || box.height < 24).map(([html]) => html));
  assert.deepEqual(small, [], "every control is at least 24 pixels wide and high");
  await page.getByRole("checkbox", { name: /^Compare / }).nth(0).check();
  await page.getByRole("checkbox", { name: /^Compare / }).nth(1).check();
  const there = await names(page);
  await page.screenshot({ path: join(shots, "explore.png") });

  await page.evaluate(() => addEventListener("beforeprint", () => {
    document.body.dataset.printed = document.querySelectorAll(".explored tbody tr").length;
  }));
  await page.getByLabel("rows on a page").selectOption("20");
  await page.pdf();
  assert.equal(await page.locator("body").getAttribute("data-printed"),
    (await page.locator("#explored").innerText()).match(/\d+/)[0], "on paper every row that is left");
  assert.equal(await page.locator(".explored tbody tr").count(), 20, "and as many as before on the screen");
  await page.getByLabel("rows on a page").selectOption("50");

  const again = await open(browser, page.url().slice(site.length));
  await settled(again, /^\d+ of \d+ rows/);
  assert.deepEqual(await names(again), there, "the shared link shows the same rows");
  const [head, ...rows] = await taken(again);
  const downloaded = rows.slice(0, there.length).map((row) => row[head.indexOf("module")].replace(/^'/, ""));
  assert.ok(rows.length < Number(all) && downloaded.every((name, i) => name === there[i]),
    "the download has them in their order");
  await again.getByRole("button", { name: "Compare the 2 chosen" }).click();
  await again.waitForURL(/\/compare\/\?m=.*&m=/);
  console.log("every module is explored by ranges and words, and a link shows the same");

  page = await open(browser, "/explore/?method=flashdex-1&q=HYPERLINK+img");
  await settled(page, /^1 of/);
  assert.equal(await page.locator(".explored img, .explored script").count(), 0, "a hostile name is text");
  assert.ok((await names(page))[0].includes("<img src=x"), "and shown as it is");
  const [, [, , hostile]] = await taken(page);
  assert.ok(hostile.startsWith("'="), `a formula is downloaded as text: ${hostile}`);
  const phone = await context({ viewport: { width: 320, height: 700 }, colorScheme: "dark" });
  for (const path of [
    "/explore/", "/search/?q=samsung", "/compare/?m=samsung-evo-plus-32gb-microsd&m=samsung-evo-plus-64gb-microsd",
  ]) {
    page = await open(phone, path);
    if (path === "/explore/") {
      await settled(page, "rows");
      const { width } = await page.getByRole("searchbox", { name: /these words/ }).boundingBox();
      assert.ok(width >= 150, `the filter box is ${width} pixels wide`);
    }
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, `${path} fits a narrow phone`);
    await page.screenshot({ path: join(shots, `phone${path.replaceAll(/[/?=&]/g, "-").slice(0, 20)}.png`) });
  }
  await phone.close();
}

// The server makes these pages, so they are the same with and without JavaScript.
async function pages(browser) {
  const page = await open(browser, "/modules/");
  await page.locator("#search").fill("samsung evo plus");
  await page.getByRole("button", { name: "Search" }).first().click();
  assert.equal(await page.title(), "Search: samsung evo plus · Flashdex");
  await page.goto(site + "/search/?q=kingston");
  await page.locator(".found").getByRole("link", { name: "Kingston", exact: true }).click();
  assert.equal(new URL(page.url()).pathname, "/vendors/kingston/", "a maker is found, and has its page");
  await page.goto(site + "/search/?q=no+such+card");
  assert.match(await page.locator(".try .command").innerText(), /^curl .*run\.sh/,
    "an unknown module can be measured");
  await page.goto(site + "/search/?q=samsung+evo+plus");
  const boxes = page.getByRole("checkbox", { name: /^Compare Samsung EVO Plus (32|64) GB microSD$/ });
  assert.equal(await boxes.count(), 2);
  for (const row of [0, 1]) await boxes.nth(row).check();
  await page.getByRole("button", { name: "Compare the chosen" }).click();
  assert.match(await page.title(), /^Compare Samsung EVO Plus 32 GB microSD and 1 more/);
  const said = await page.locator(".difference").allInnerTexts();
  assert.ok(said.some((text) => /^[+−].* %, but nobody can tell yet which is better$/.test(text)), `differences: ${said}`);
  await page.getByRole("radio").nth(1).check();
  await page.getByRole("button", { name: "Show" }).click();
  assert.notDeepEqual(await page.locator(".difference").allInnerTexts(), said, "another baseline, other differences");
  assert.ok((await page.locator(".chart").count()) > 1, "figures on common axes");
  const numbers = page.locator(".chart").first();
  await numbers.locator("summary").click();
  assert.match(await numbers.getByRole("table").innerText(), /Samsung EVO Plus 64 GB/, "with their numbers");
  await numbers.locator("summary").click();
  await page.screenshot({ path: join(shots, "compare.png"), fullPage: true });
  const again = await open(browser, page.url().slice(site.length));
  assert.equal(await again.locator("main").innerText(), await page.locator("main").innerText(),
    "the shared link shows the same");
}

// Typing suggests existing modules, and choosing one opens its page.
async function suggested(browser) {
  const page = await open(browser, "/modules/");
  const search = page.getByRole("combobox", { name: "Search cards and devices" });
  await search.pressSequentially("evo plus 32");
  const option = page.locator("#suggestions option[value^='Samsung EVO Plus 32 GB']").first();
  await option.waitFor({ state: "attached" });
  const name = await option.getAttribute("value");
  await search.fill(name.slice(0, -1));
  await page.keyboard.insertText(name.slice(-1));
  assert.equal(new URL(page.url()).pathname, "/modules/", "who types a whole name stays, and can type on");
  await search.evaluate((field) => {
    field.dispatchEvent(new InputEvent("input", { inputType: "insertReplacementText" }));
  });
  await page.waitForURL(/\/modules\/samsung-evo-plus-32gb/);
  assert.equal(await page.locator("h1").innerText(), name);
  console.log("modules are suggested while one types");
}

const scripted = await context({ viewport: { width: 1440, height: 900 }, acceptDownloads: true });
await ranking(scripted);
await question(scripted);
await explore(scripted);
await pages(scripted);
await suggested(scripted);
await scripted.close();

const plain = await context({ viewport: { width: 1440, height: 900 }, javaScriptEnabled: false });
await pages(plain);
const page = await open(plain, "/by/rand-write-iops/");
assert.ok(await shows(page, ".g-stability"));
await page.locator("summary", { hasText: "Columns" }).click();
await page.getByLabel("Stability").uncheck();
assert.ok(!(await shows(page, ".g-stability")), "columns are hidden by CSS alone");
assert.ok(!(await page.getByRole("button", { name: "Download what I see" }).isVisible()),
  "no button that does nothing");
const without = await open(plain, "/explore/");
assert.ok(await without.getByRole("link", { name: "rankings" }).isVisible() && !(await shows(without, ".ranges")),
  "the explorer leads to the rankings");
assert.equal(await without.locator(".explored tbody tr").count(), 20, "and has its first rows");
await plain.close();
console.log("searching, comparing and choosing columns work without JavaScript");

const narrow = await context({ viewport: { width: 360, height: 740 }, javaScriptEnabled: false });
for (const [path, says] of [
  ["/by/rand-read-iops/", /\bn \d/], ["/for/boot/", /\b(measured|expected|published), n \d/],
  ["/device/steam-deck/", /\b(measured|expected|published), n \d/],
]) {
  const page = await open(narrow, path);
  const shown = () => page.locator("tr:has(> .rank input)").first().locator("> *").evaluateAll((cells) =>
    cells.filter((cell) => cell.checkVisibility()).map((cell) => cell.cellIndex));
  const [rank, name, sorted, ...others] = await shown();
  const head = await page.locator("thead tr").last().locator("> *").evaluateAll((heads) =>
    heads.findIndex((th) => th.ariaSort));
  assert.deepEqual([rank, name, sorted, others], [0, 1, head, []], `${path} shows the figure that it is sorted by`);
  const cells = await page.locator(`tr:has(> .rank input) > :nth-child(${head + 1})`).allInnerTexts();
  const figures = cells.filter((text) => text.trim()); // what has none of the figure comes last
  assert.ok(figures.length > 1 && figures.every((text) => says.test(text)), `${path} says of how many: ${figures}`);
  const scrolls = () => page.locator(".scroll").evaluate((box) =>
    getComputedStyle(box).overflowY !== "visible" || box.scrollWidth > box.clientWidth);
  assert.ok(!(await scrolls()), `${path} scrolls as a page`);
  await page.getByLabel("All columns").check();
  assert.ok((await shown()).length > 5 && (await scrolls()), `${path} shows all columns to who asks for them`);
  assert.ok(!(await shows(page, ".behind")), `${path} says it once`);
}
const told = await open(narrow, "/modules/samsung-evo-plus-32gb-microsd/");
for (const cell of ["th", "td.number"]) {
  const { x, width } = await told.locator(`.printed tbody ${cell}`).first().boundingBox();
  assert.ok(x >= 0 && width > 20 && x + width <= 360, `a printed figure's ${cell} is on the screen: ${x}, ${width}`);
}
const folded = told.locator(".printed details td.number").first();
assert.ok(!(await folded.isVisible()), "the figures of a source are folded after the first");
await told.emulateMedia({ media: "print" });
assert.ok(await folded.isVisible(), "and printed");
await narrow.close();
console.log("on a phone a row has what the table is sorted by, and the rest on demand");
