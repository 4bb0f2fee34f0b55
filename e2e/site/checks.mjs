// Applies one check to pages in Chromium. Usage: node checks.mjs CHECK SITE SCREENSHOT_DIR < PAGES, a JSON list of
// {path, kind}. Prints a line for each fault. Any fault makes it end with an error.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRequire } from "node:module";
import { context } from "../chromium.mjs";

const [check, site, shots] = process.argv.slice(2);
const pages = JSON.parse(readFileSync(0, "utf8"));
// TestSite sends those of one kind together, the largest first.
const largest = pages.filter((p, i) => p.kind !== pages[i - 1]?.kind);
let faults = 0;
const fault = (...said) => { faults++; console.log(said.join(": ")); };

const desktop = { viewport: { width: 1280, height: 800 } };
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

// each opens the pages one after the other in a browser of its own. Console messages, failed requests, requests to
// anyone else and cookies are always faults.
async function each(name, options, list, look) {
  const browser = await context(options);
  for (const { path, kind } of list) {
    const page = await browser.newPage();
    const where = `${path} (${name})`;
    page.asked = 0;
    page.on("request", () => page.asked++);
    for (const end of ["requestfinished", "requestfailed"]) page.on(end, () => page.asked--);
    page.on("console", (m) => {
      // Chromium reports every answer that is no success, and one page is about just that.
      if (!(m.location().url === site + path && /status of 404/.test(m.text()))) fault(where, "console", m.text());
    });
    page.on("pageerror", (e) => fault(where, "error", e));
    page.on("requestfailed", (r) => fault(where, "failed request", r.url()));
    page.on("request", (r) => r.url().startsWith(site + "/") || fault(where, "asks somebody else", r.url()));
    page.on("response", (r) => r.status() < 400 || r.url() === site + path || fault(where, r.status(), r.url()));
    await page.goto(site + path);
    await settled(page, where);
    if (kind === "/explore" && options.javaScriptEnabled !== false) {
      // The page has only its first rows. The whole table comes when the reader turns to it, and a drawing when the
      // reader asks.
      if (look === axeFindsNothing) await look(page, `${where}, first rows`, kind);
      await page.mouse.move(9, 9);
      await page.locator(".dt-paging").waitFor();
      await page.locator(".plot").evaluate((plot) => { plot.open = true; }); // a click would move the focus
      await page.locator(".plot svg").waitFor();
    }
    await look(page, where, kind);
    await page.close();
  }
  for (const cookie of await browser.cookies()) fault(name, "cookie", cookie.name);
  await browser.close();
}

// settled waits until all requests of the page are done, for at most 10 seconds.
async function settled(page, where) {
  for (let i = 0; page.asked > 0; i++) {
    if (i === 500) return fault(where, "a request does not end");
    await page.waitForTimeout(20);
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// axeFinds returns a look that finds faults with some of axe's rules.
const axeFinds = (rules) => async (page, where) => {
  await page.evaluate(axe);
  const { violations } = await page.evaluate((rules) =>
    window.axe.run({ ...rules, resultTypes: ["violations"], selectors: false }), rules);
  for (const { id, nodes } of violations) {
    fault(where, id, nodes.length + " times", nodes[0].html, nodes[0].failureSummary.replaceAll("\n", " "));
  }
};
const all = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  rules: { "color-contrast": { enabled: true }, "target-size": { enabled: true } },
};
const axeFindsNothing = async (page, where) => {
  await axeFinds(all)(page, where);
  // Screen readers read a label aloud as it is. A label that was escaped twice has an entity in it.
  const labels = await page.locator("[aria-label]").evaluateAll((named) => named.map((e) => e.ariaLabel));
  for (const label of labels.filter((label) => /&#?\w+;/.test(label))) fault(where, "a label with an entity", label);
};
// In a page without JavaScript, axe works unless it waits for a timer or a request. Its timers take 0 ms. It takes the
// content of <noscript> for hidden.
const axeFindsNothingPlain = async (page, where) => {
  await page.evaluate(() => {
    window.setTimeout = (then) => Promise.resolve().then(then);
    document.querySelectorAll("noscript").forEach((e) => e.replaceWith(...e.childNodes));
  });
  await axeFinds({ ...all, preload: false })(page, where);
};
// If only colours differ, no other rule finds anything else.
const contrastSuffices = axeFinds({ runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } });

const checks = {
  // Every page as on a phone in daylight.
  async accessible() {
    await each("phone, light", { ...phone, bypassCSP: true, colorScheme: "light" }, pages, axeFindsNothing);
  },

  // One page of each kind in the other ways that people look at it.
  async looks() {
    const open = { bypassCSP: true };
    await each("phone, dark", { ...phone, ...open, colorScheme: "dark" }, largest, contrastSuffices);
    await each("desktop, light", { ...desktop, ...open, colorScheme: "light" }, largest, axeFindsNothing);
    await each("desktop, dark", { ...desktop, ...open, colorScheme: "dark" }, largest, contrastSuffices);
    await each("320 px", { viewport: { width: 320, height: 640 }, ...open }, largest, axeFindsNothing);
    await each("forced colours", { ...desktop, ...open, forcedColors: "active" }, largest, contrastSuffices);
  },

  // At 320 px, which is 1280 px at 400 %, nothing makes the page scroll sideways (WCAG 1.4.10). A file can be fetched
  // without scrolling a table.
  async narrow() {
    await each("320 px", { viewport: { width: 320, height: 640 } }, pages, async (page, where) => {
      const { wide, sticking, hidden } = await page.evaluate(() => {
        const root = document.documentElement;
        const outside = (e) => e.getBoundingClientRect().right > root.clientWidth + 1 && !e.closest(".scroll, pre");
        const sticking = [...document.body.querySelectorAll("*")].filter(outside).slice(0, 3);
        const files = [...document.querySelectorAll("a[download]")].filter((a) => a.checkVisibility());
        const hidden = files.filter((a) => a.getBoundingClientRect().right > root.clientWidth);
        const texts = (all) => all.map((e) => e.outerHTML.slice(0, 120));
        return { wide: root.scrollWidth, sticking: texts(sticking), hidden: texts(hidden) };
      });
      if (wide > 320) fault(where, `${wide} px wide`, sticking.join(" "));
      if (hidden.length) fault(where, `${hidden.length} files beyond the edge`, hidden[0]);
    });
  },

  // Tab reaches every control, the skip link first, and shows where it is.
  async keyboard() {
    const still = { reducedMotion: "reduce" };
    await each("keys", { ...desktop, ...still }, largest, keys);
    await each("keys, phone", { viewport: { width: 390, height: 844 }, ...still }, largest, keys);
  },

  // Without JavaScript a page has its heading and its text, and no control that does nothing. Axe finds nothing.
  async plain() {
    const words = {};
    const read = async (page) => (await page.locator("main").innerText()).split(/\s+/).filter(Boolean).length;
    await each("with JavaScript", desktop, pages, async (page, where) => { words[page.url()] = await read(page); });
    await each("without JavaScript", { ...desktop, javaScriptEnabled: false }, pages, async (page, where, kind) => {
      if (!await page.locator("main h1").first().isVisible()) fault(where, "no heading");
      const dead = "button:visible:not(form button, [popovertarget]), [data-needs-script]:visible";
      const lost = await page.locator(dead).count();
      if (lost) fault(where, `${lost} controls that do nothing`);
      const before = words[page.url()];
      const now = await read(page);
      const least = kind === "/explore" ? 300 : Math.max(20, before * 0.9 || 0);
      if (now < least) fault(where, `${now} words, with JavaScript ${before}`);
      await explained(page, where);
    });
    const still = { ...phone, bypassCSP: true, colorScheme: "light", javaScriptEnabled: false };
    await each("without JavaScript, phone", still, pages, axeFindsNothingPlain);
  },

  // Output of CrystalDiskMark gets its places in the form's answer, and axe finds nothing there.
  async pasted() {
    const text = readFileSync("../../client/transcript/testdata/crystaldiskmark-3.txt", "utf8");
    await each("pasted, phone", { ...phone, bypassCSP: true, colorScheme: "light" }, pages, async (page, where) => {
      await page.getByLabel("What they printed").fill(text);
      await page.getByLabel("Vendor").fill("Corsair");
      await page.getByLabel("Product").fill("Padlock 2");
      await page.getByLabel("Capacity in GB").fill("16");
      await page.getByLabel("Form", { exact: true }).selectOption("usb");
      await page.getByRole("button", { name: "Show what is understood" }).click();
      await page.getByRole("heading", { name: "What is understood" }).waitFor();
      const places = await page.locator("[aria-labelledby=place] tbody tr").allInnerTexts();
      const told = places.filter((row) => /\b44\.7 IOPS/.test(row) && /\d of \d+/.test(row));
      if (told.length !== 1) fault(where, "no place for what was pasted", places.join("; "));
      await axeFindsNothing(page, where);
    });
  },

  // Screenshots, for people to look at.
  async shots() {
    for (const width of [360, 1280]) {
      await each(`${width} px`, { viewport: { width, height: 800 } }, pages, async (page) => {
        const name = `fresh-${width}${new URL(page.url()).pathname.replaceAll(/\W+/g, "-")}.png`;
        await page.screenshot({ path: join(shots, name), fullPage: true });
      });
    }
  },

  // Where a table scrolls, its first column stays, its right edge shows whether there is more, and no heading is cut.
  async tables() {
    for (const width of [320, 1280]) {
      const screen = { viewport: { width, height: 800 }, reducedMotion: "reduce" };
      await each(`${width} px`, screen, pages, async (page, where) => {
        for (const box of await page.locator(".scroll:visible").all()) {
          for (const said of await box.evaluate(scrolled)) fault(where, await box.getAttribute("aria-label"), said);
        }
      });
    }
  },

  // On paper nothing is cut off: nothing is wider than the sheet, scrolls or sticks to the window. A ranking has five
  // columns, and none that the reader has unchecked.
  async print() {
    const paper = { viewport: { width: 718, height: 1047 } }; // A4 with margins of 1 cm
    await each("print", paper, pages, async (page, where) => {
      await page.emulateMedia({ media: "print" });
      const cut = await page.evaluate(() => [...document.querySelectorAll("main *")].filter((e) => {
        const style = getComputedStyle(e);
        if (!e.checkVisibility() || e.closest(".hidden, svg")) return false;
        const scrolls = /auto|scroll|hidden|clip/.test(style.overflowX) &&
          e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0;
        const sheet = document.documentElement.clientWidth;
        return scrolls || style.position === "sticky" || e.getBoundingClientRect().right > sheet + 1;
      }).map((e) => `${e.outerHTML.slice(0, 100)} (${Math.round(e.getBoundingClientRect().right)} px)`));
      for (const part of cut) fault(where, "cut off on paper", part);
      // Chromium leaves out a button in a repeated heading.
      const once = await page.locator("table:visible thead").evaluateAll((all) => all.filter((e) => {
        return getComputedStyle(e).display !== "table-header-group" ||
          [...e.querySelectorAll("button")].some((button) => button.getClientRects().length);
      }).length);
      if (once) fault(where, "a heading is on the first sheet alone");
      if (await page.locator(".ranking:not(.comparison)").count() === 0) return;
      const heads = page.locator(".ranking thead tr:last-child > :visible");
      const shown = (await heads.allInnerTexts()).join("; ");
      // A page that lacks all random figures, or all linear ones, has no other figure to show.
      const both = await page.locator(".ranking:has(thead .g-random):has(thead .g-linear)").count();
      const columns = await heads.count();
      if (columns > 5 || columns < (both ? 5 : 4)) fault(where, "not five columns on paper", shown);
      const groups = page.locator(".columns input");
      if (await groups.count() === 0) return;
      await groups.evaluateAll((all) => all.forEach((group) => group.click()));
      const left = (await heads.allInnerTexts()).join("; ");
      if (left !== "Rank; Module") fault(where, "a column on paper that the reader doesn't want", left);
    });
  },
};

// scrolled returns the faults of a box that scrolls a table sideways. It runs in the page.
async function scrolled(box) {
  const heads = [...box.querySelectorAll("thead th")].filter((th) => th.checkVisibility());
  const faults = heads.filter((th) => th.scrollWidth > th.clientWidth + 1).map((th) => `cut: ${th.innerText}`);
  if (box.scrollWidth <= box.clientWidth + 1 || getComputedStyle(box).overflowX === "visible") return faults;
  const frame = () => new Promise((drawn) => { requestAnimationFrame(() => requestAnimationFrame(drawn)); });
  const fades = () => getComputedStyle(box).maskImage !== "none";
  await frame();
  if (!fades()) faults.push("nothing shows that there is more to the right");
  box.scrollLeft = box.scrollWidth;
  await frame();
  if (fades()) faults.push("the right edge fades where nothing follows");
  const edges = box.getBoundingClientRect();
  const name = box.querySelector("tbody th:not([colspan])")?.getBoundingClientRect();
  if (name && (name.left < edges.left - 1 || name.width > 0.6 * edges.width)) {
    faults.push(`the first column is at ${name.left - edges.left} px and ${name.width} of ${edges.width} px wide`);
  }
  const last = heads.at(-1)?.getBoundingClientRect().right;
  if (last > edges.right + 1) faults.push(`the last heading ends ${last - edges.right} px beyond the table`);
  return faults;
}

// explained opens an explanation of a column by the keyboard. Each heading of a ranking has an explanation, and so has
// each other page with a table of our main figures. A study's table needs none.
async function explained(page, where) {
  const found = await page.locator(".explain").evaluateAll((buttons) => buttons.map((button) => ({
    id: button.getAttribute("popovertarget"), label: button.ariaLabel, head: button.closest("th").innerText,
  })));
  const plain = (text) => text.replaceAll(/\s+/g, " ");
  for (const { id, label, head } of found) {
    const name = plain(label.replace("About ", ""));
    if (!plain(head).includes(name)) fault(where, "an explanation names another column", label, head);
    if (await page.locator(`[id="${id}"]`).count() !== 1) fault(where, "an explanation is not there once", id);
  }
  const bare = page.locator(".ranking:not(.comparison) thead tr:last-child th:not(:has(.explain))");
  const named = { hasText: /^\s*(4K random|Linear) (read|write)/ };
  const main = page.locator("main table:not(.numbers) thead th").filter(named);
  if (await bare.count() || !found.length && await main.count()) {
    fault(where, "a heading is not explained", (await bare.allInnerTexts()).join("; "));
  }
  const button = page.locator(".explain:visible").last();
  if (await button.count() === 0) return;
  await button.press("Enter");
  const shown = page.locator(".explanation:visible");
  const opened = await shown.count() === 1 && /\w\. \w/.test(await shown.innerText());
  if (!opened) fault(where, "an explanation does not open");
  await page.keyboard.press("Escape");
}

async function keys(page, where) {
  const controls = await page.evaluate(() => {
    const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')];
    const open = all.filter((e) => !e.disabled && e.type !== "hidden" && e.tabIndex >= 0 &&
      e.checkVisibility({ visibilityProperty: true }));
    // Tab reaches only one of several radio buttons with the same name.
    const first = (e) => open.find((o) => o.type === "radio" && o.name === e.name) === e;
    const shown = open.filter((e) => e.type !== "radio" || first(e));
    shown.forEach((e, i) => { e.dataset.control = i; });
    return shown.length;
  });
  const reached = new Set();
  for (let i = 0; i < controls * 2 + 5; i++) { // Chromium also stops at boxes that scroll
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const e = document.activeElement;
      if (!e || e === document.body) return null;
      const style = getComputedStyle(e);
      const marked = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
      const box = [...e.getClientRects()].find((r) => r.width > 0 && r.height > 0) ?? e.getBoundingClientRect();
      const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth);
      const top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight);
      const seen = (x, y) => {
        const hit = document.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y);
        return hit && (e.contains(hit) || hit.contains(e) && !hit.matches("html, body"));
      };
      const within = [0.1, 0.5, 0.9].some((x) => [0.2, 0.5, 0.8].some((y) => seen(x, y)));
      const visible = right > left && bottom > top && within;
      return { control: e.dataset.control, skip: e.matches(".skip"), marked, visible, html: e.outerHTML.slice(0, 140) };
    });
    if (!at) break;
    if (i === 0 && !at.skip) fault(where, "the first stop is not the link that skips to the content", at.html);
    if (!at.marked) fault(where, "the focus can't be seen", at.html);
    if (!at.visible) fault(where, "what has the focus is hidden", at.html);
    if (reached.has(at.control) && at.skip) break;
    reached.add(at.control);
  }
  const missed = await page.evaluate((reached) => [...document.querySelectorAll("[data-control]")]
    .filter((e) => !reached.includes(e.dataset.control)).map((e) => e.outerHTML.slice(0, 140)), [...reached]);
  for (const control of missed.slice(0, 5)) {
    fault(where, `Tab does not reach ${missed.length} of ${controls} controls`, control);
  }

  await page.goto(page.url().split("#")[0]);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const skipped = await page.evaluate(() => {
    const main = document.querySelector("main");
    return main.contains(document.activeElement) ||
      !main.querySelector(":is(a[href], button, input, select, summary, [tabindex='0'])");
  });
  if (!skipped) fault(where, "the skip link does not skip to the content");
  const table = page.locator(".skip[href='#table']");
  if (await table.count() !== await page.locator("main #table").count()) fault(where, "no link skips to the table");
  if (await table.count() === 0) return;
  await table.press("Enter");
  if (await page.evaluate(() => document.activeElement.id) !== "table") fault(where, "no skip to the table");
}

await checks[check]();
process.exit(faults ? 1 : 0);
