// Walks through an objection and the pages of operators as people do, without JavaScript. It checks the pages with axe
// and on a narrow screen. Usage: node operate.mjs SITE TOKEN RESULT_ID AMBIGUOUS_ID SCREENSHOT_DIR. Ends with an error
// at the first fault.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRequire } from "node:module";
import { context } from "../chromium.mjs";

const [site, token, id, ambiguous, shots] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function open(browser) {
  const page = await browser.newPage();
  page.on("console", (m) => assert.fail(`console on ${page.url()}: ${m.text()}`));
  page.on("request", (r) => assert.ok(r.url().startsWith(site), `asks ${r.url()}`));
  return page;
}

const shot = (page, name) => page.screenshot({ path: join(shots, name + ".png"), fullPage: true });
const heading = (page) => page.locator("h1").innerText();

// walk uses only the keyboard for everything that it sends.
async function walk() {
  const browser = await context({ viewport: { width: 1280, height: 900 }, javaScriptEnabled: false });
  const page = await open(browser);
  const press = async (name) => {
    await page.getByRole("button", { name }).first().focus();
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  };
  await page.goto(`${site}/r/${id}`);
  await page.getByRole("link", { name: "object", exact: true }).focus();
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  await page.getByLabel("This is under the wrong module.").focus();
  await page.keyboard.press("Space");
  await page.getByLabel("which one should it be?").fill("SanDisk <Extreme> Pro 32 GB");
  await page.getByLabel("In a few words").fill("The label says so.\nSee the photo.");
  assert.equal(await page.locator("#website").evaluate((e) => e.getBoundingClientRect().width > 30), false, "honeypot");
  await shot(page, "object");
  await press("Send");
  assert.equal(await heading(page), "Thank you");
  await shot(page, "objected");

  await page.goto(`${site}/operate/`);
  await page.getByLabel("Your token").fill(token);
  await shot(page, "sign-in");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Held back" }).waitFor();
  const [cookie, ...others] = await browser.cookies();
  assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path, others.length], [true, "Strict", "/operate/", 0]);
  await shot(page, "queue");

  await page.locator('input[name="id"]').first().focus();
  await page.keyboard.press("Space");
  await page.locator("#reason").fill("A RAM disk.");
  await press("Reject…");
  assert.equal(await heading(page), "Reject 1 result?");
  await shot(page, "dry-run");
  await press("Reject 1 result");
  assert.equal(await heading(page), "1 result rejected");
  await press("Undo this decision");
  assert.match(await page.locator(".notice").innerText(), /former state back: 1/);
  await shot(page, "decision");

  await page.getByRole("link", { name: "Objections" }).click();
  await shot(page, "objections");
  assert.match(await page.locator("blockquote").innerText(), /See the photo/);
  await page.getByLabel("Name the result as").fill("sandisk extreme 32");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Name a result" }).waitFor();
  await page.getByRole("radio").first().focus();
  await page.keyboard.press("Space");
  await page.getByLabel("Reason").fill("The photo shows it.");
  await shot(page, "name");
  await press("Name it");
  assert.match(await page.locator("#history ~ .scroll").innerText(), /named sandisk-extreme.*: The photo shows it\./);
  assert.match(await page.locator(".objection").innerText(), /Closed by operator carol/);
  await shot(page, "result");

  await page.getByRole("link", { name: "Waiting" }).click();
  await shot(page, "waiting");
  await page.getByRole("link", { name: `Name it… ${ambiguous}` }).focus();
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  assert.equal(await page.getByRole("radio").count(), 2); // the modules that it may be of, without a search

  await page.getByRole("link", { name: "Waiting" }).click();
  await page.getByRole("link", { name: "Merge it… nobody-ultra" }).click();
  await page.getByLabel("module that stays").fill("sandisk-ultra-32gb-microsd");
  await page.locator("#reason").fill("Two names of one.");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Merge 1 result?" }).waitFor();
  await shot(page, "merge");
  await press("Merge 1 result");
  await page.getByRole("radio").first().focus();
  await page.keyboard.press("Space");
  await page.locator("#reason-undo").fill("They are two.");
  await shot(page, "merges");
  await press("Undo the chosen merge");
  assert.match(await page.locator("tbody").innerText(), /They are two\./);

  await page.goto(`${site}/operate/results/${id}`);
  await page.locator("#reason").fill("The slot is overclocked.");
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  assert.equal(await heading(page), "Accept 1 result?"); // Enter alone decides nothing
  await page.goto(`${site}/operate/groups`);
  assert.match(await page.locator("main").innerText(), /4 contributors who sent from one household/);
  await shot(page, "groups");
  await press("Sign out");
  assert.ok(await page.getByLabel("Your token").isVisible());
  assert.equal((await browser.cookies()).length, 0);
  await browser.close();
}

// look checks every page with axe, and on a screen of 320 pixels.
async function look(name, options) {
  const browser = await context({ bypassCSP: true, ...options });
  const page = await open(browser);
  const faults = [];
  const check = async () => {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() =>
      window.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
    for (const v of violations) faults.push(`${page.url()} (${name}): ${v.id}: ${v.nodes[0].html}`);
    if (await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth))
      faults.push(`${page.url()} (${name}) scrolls sideways`);
  };
  await page.goto(`${site}/operate/`);
  await check();
  await page.getByLabel("Your token").fill(token);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Held back" }).waitFor();
  for (const path of ["/operate/", "/operate/?state=rejected", "/operate/decisions", "/operate/groups",
    "/operate/objections", "/operate/waiting", "/operate/merges", `/operate/results/${id}`, `/operate/results/${ambiguous}/name`,
    `/operate/results/${id}/name?q=sandisk`, `/operate/results/${id}/name?q=nothing-like-it`, `/object/?result=${id}`,
    `/r/${ambiguous}`]) {
    await page.goto(site + path);
    await check();
    await shot(page, name + path.replace(/\W+/g, "-"));
  }
  await page.goto(`${site}/operate/decisions`);
  await page.locator("tbody a").first().click();
  await check();
  await page.goto(`${site}/operate/results/${id}`);
  await page.locator("#reason-many").fill("Made up.");
  await page.getByRole("button", { name: "Reject…" }).last().click();
  assert.match(await heading(page), /^Reject \d+ results?\?$/);
  await check();
  await shot(page, name + "-dry-run");
  await page.goto(`${site}/operate/waiting`);
  await page.getByRole("link", { name: "Merge it… somebody-ultra" }).click();
  await page.getByLabel("module that stays").fill("sandisk-ultra-32gb-microsd");
  await page.locator("#reason").fill("Two names of one.");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Merge 1 result?" }).waitFor();
  await check();
  await browser.close();
  assert.deepEqual(faults, []);
}

await walk();
await look("phone-dark", { viewport: { width: 320, height: 640 }, colorScheme: "dark" });
await look("desktop-light", { viewport: { width: 1440, height: 900 }, colorScheme: "light" });
