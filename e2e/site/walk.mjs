// Follows the promises of pages: from addresses that somebody typed in another way, from a mistyped address to the
// nearest module, from a figure to what is behind it, and with a copied citation. Usage: node walk.mjs SITE RESULT_ID
// MISTYPED_PATH. Ends with an error at the first fault.
import assert from "node:assert/strict";
import { context } from "../chromium.mjs";

const [site, id, mistyped] = process.argv.slice(2);
const module = "/modules/samsung-evo-plus-32gb-microsd/";

{
  const browser = await context({ javaScriptEnabled: false });
  const page = await browser.newPage();
  for (const [typed, meant] of [
    [`/r/${id}/`, `/r/${id}`], [`/r/${id}.html`, `/r/${id}`], [`/r/${id.toUpperCase()}`, `/r/${id}`],
    [module.toUpperCase(), module], [`${module.slice(0, -1)}.html`, module],
  ]) {
    const answer = await page.goto(site + typed);
    assert.deepEqual([answer.status(), page.url()], [200, site + meant], typed);
  }
  console.log("addresses that are typed in another way lead on");

  assert.equal((await page.goto(site + mistyped)).status(), 404);
  const near = page.locator("p", { hasText: "Do you look for the" }).getByRole("link");
  const name = await near.innerText();
  await near.press("Enter");
  await page.waitForURL(site + module);
  assert.equal(await page.locator("h1").innerText(), name);
  console.log("a mistyped address names the nearest module");

  const why = page.locator("details", { hasText: "Why believe this?" });
  const reasons = why.locator("dd");
  assert.equal(await reasons.first().isVisible(), false, "closed at first");
  await why.locator("summary").press("Enter");
  const told = await reasons.allInnerTexts();
  assert.ok(await reasons.first().isVisible() && told.length > 1, `behind the figure: ${told}`);
  await reasons.first().getByRole("link").press("Enter");
  await page.waitForURL(/#./);
  console.log("what stands behind a figure opens");
  await browser.close();
}

{
  const browser = await context({});
  await browser.grantPermissions(["clipboard-read", "clipboard-write"], { origin: site });
  const page = await browser.newPage();
  await page.goto(`${site}/data/#cite`);
  const cited = page.locator("#cite ~ .command");
  assert.equal(await cited.count(), 2, "a sentence and BibTeX");
  for (const one of await cited.all()) {
    await one.getByRole("button", { name: "Copy", exact: true }).click();
    await one.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await one.locator("code").textContent());
    const [address, day] = copied.match(new RegExp(`${site}/data/([0-9-]{10})/`));
    const there = await browser.newPage();
    assert.equal((await there.goto(address)).status(), 200, address);
    assert.match(await there.locator("h1").innerText(), new RegExp(day), address);
    await there.close();
  }
  console.log("a copied citation leads to its snapshot");
  await browser.close();
}
