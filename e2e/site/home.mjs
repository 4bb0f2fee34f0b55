// Reads names in the picture of the home page by pointer, keys and touch, opens one without JavaScript, and searches
// for a device with it. Usage: node home.mjs SITE. Ends with an error at the first fault.
import assert from "node:assert/strict";
import { context } from "../chromium.mjs";

const [site] = process.argv.slice(2);
const still = { javaScriptEnabled: false, reducedMotion: "reduce" };
const path = (page) => new URL(page.url()).pathname;

async function open(options, at = "/") {
  const browser = await context(options);
  const page = await browser.newPage();
  page.on("console", (m) => assert.fail(`console on ${page.url()}: ${m.text()}`));
  page.on("request", (r) => assert.ok(r.url().startsWith(site), `asks ${r.url()}`));
  await page.goto(site + at);
  return { browser, page };
}

// named returns the name that the picture shows for the link with the focus or the pointer.
async function named(page) {
  const shown = page.locator(".strip a + text:visible");
  assert.equal(await shown.count(), 1, "names in the picture");
  return shown.textContent();
}

// Before the answers, there is only the home page's sentence and its field.
{
  const { browser, page } = await open({ viewport: { width: 360, height: 740 }, hasTouch: true, ...still });
  assert.equal(await page.getByRole("searchbox").count(), 1, "search fields");
  assert.equal(await page.locator(".hero p.lede").count(), 1);
  assert.match(await page.locator(".lede").innerText(), /^[^.]+\.$/, "one sentence");
  const { y } = await page.locator(".answers ol a").first().boundingBox();
  assert.ok(y < 740, `on a phone the first module stands ${y} px down`);

  for (const at of ["/for/boot/", "/for/camera/", "/device/steam-deck/"]) {
    await page.goto(site + at);
    const { y } = await page.locator("main .answers ol a").first().boundingBox();
    assert.ok(y < 740, `on a phone the first module of ${at} stands ${y} px down`);
  }
  await page.goto(site);

  const tick = page.locator(".strip a").last();
  await tick.scrollIntoViewIfNeeded();
  const goal = await tick.getAttribute("href");
  await tick.tap();
  await page.waitForURL(site + goal);
  console.log("touch opens the module of a tick");
  await browser.close();
}

// With JavaScript, the first touch names a tick. The tools of a ranking leave its first module on the screen.
{
  const { browser, page } = await open({ viewport: { width: 360, height: 740 }, hasTouch: true });
  const tick = page.locator(".strip a").last();
  await tick.scrollIntoViewIfNeeded();
  await tick.tap();
  assert.equal(await named(page), await tick.locator("title").textContent());
  assert.equal(path(page), "/", "the first touch names the tick");
  const goal = await tick.getAttribute("href");
  await tick.tap();
  await page.waitForURL(site + goal);

  for (const at of ["cf", "emmc", "microsd", "sd", "sdexpress", "stack", "usb"]) {
    await page.goto(`${site}/form/${at}/`);
    const { y } = await page.locator("main th[scope=row] a").first().boundingBox();
    assert.ok(y + 24 <= 740, `on a phone the first module of /form/${at}/ stands ${y} px down`);
  }

  await page.goto(`${site}/by/rand-write-iops/`);
  const about = page.getByRole("button", { name: "About 4K random write" }).first();
  await about.tap();
  const said = await page.locator("[popover]:popover-open").innerText();
  assert.match(said, /^4K random write\./, "touch explains a heading");
  await page.keyboard.press("Escape");
  for (const at of ["/by/rand-write-iops/", "/explore/"]) {
    await page.goto(site + at);
    if (at === "/explore/") {
      await page.getByLabel("Measured by").focus(); // brings the whole table, 20 rows of it
      await page.locator(".dt-paging").waitFor();
    }
    const boxes = page.locator("tbody [name=m]");
    for (const row of [0, 1]) await boxes.nth(row).tap();
    await boxes.nth(19).scrollIntoViewIfNeeded();
    const chosen = page.getByRole("button", { name: "Compare the 2 chosen" });
    const { y } = await chosen.boundingBox();
    assert.ok(y > 0 && y < 740, `what is chosen can be compared ${y} px down on ${at}`);
  }
  await browser.close();
}

{
  const { browser, page } = await open({ viewport: { width: 1280, height: 900 }, ...still });
  const ticks = page.locator(".strip a");
  const count = await ticks.count();
  assert.ok(count > 20, `${count} ticks`);
  assert.equal(await page.locator(".strip a + text:visible").count(), 0, "a name without pointer or focus");
  for (const at of [0, count - 1]) {
    await ticks.nth(at).hover();
    assert.equal(await named(page), await ticks.nth(at).locator("title").textContent());
  }
  const last = ticks.last();
  await last.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await last.locator("rect").boundingBox();
  await page.mouse.move(x + width / 2 - 4, y + height / 2);
  assert.equal(await named(page), await last.locator("title").textContent(), "4 px beside the middle of a tick");
  await page.mouse.move(1, 1);

  const skip = page.getByRole("link", { name: "Skip the picture" });
  await skip.focus();
  await page.keyboard.press("Tab");
  assert.equal(await named(page), await ticks.first().locator("title").textContent());
  const name = await ticks.first().locator("title").textContent();
  assert.equal(await page.getByRole("link", { name, exact: true }).count(), 1, "the name of a link");
  assert.match(name, /^.+: [\d.,]+( to [\d.,]+)? IOPS$/);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/modules\/[^/]+\/$/);
  assert.ok(name.startsWith(await page.locator("h1").innerText() + ":"), `${page.url()} is of ${name}`);
  await page.goBack();
  await skip.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const inRanking = () => document.querySelector("section.brief").contains(document.activeElement);
  assert.ok(await page.evaluate(inRanking), "skipped");
  console.log("pointer and keys read the names of ticks, and a link skips them");
  await browser.close();
}

// Typing suggests devices, by an alias too, and questions. Choosing one opens its page.
{
  const { browser, page } = await open({ viewport: { width: 1280, height: 900 } });
  const field = page.getByRole("combobox", { name: "Your card or device" });
  for (const [words, name, goal] of [
    ["pi4", "Raspberry Pi 4", "/device/raspberry-pi-4/"], ["a52", "Samsung Galaxy A52", "/for/phone/"],
    ["home assistant", "Which card keeps up with Home Assistant for years?", "/for/home-assistant/"],
    ["openwrt", "Router with OpenWrt", "/test/"],
  ]) {
    await page.goto(site + "/");
    await field.pressSequentially(words);
    const option = page.locator(`#suggestions option[value^="${name}"]`).first();
    await option.waitFor({ state: "attached" });
    const whole = await option.getAttribute("value");
    const shown = `${await option.evaluate((o) => o.label)} ${whole}`.toLowerCase();
    assert.ok(shown.includes(words), `browsers hide "${shown}" from who types ${words}`);
    await field.fill(whole);
    await field.evaluate((f) => f.dispatchEvent(new InputEvent("input", { inputType: "insertReplacementText" })));
    await page.waitForURL((url) => url.pathname.startsWith(goal));
    assert.ok(path(page).startsWith(goal));
  }
  console.log("devices, questions and parts of the test are suggested");
  await browser.close();
}
