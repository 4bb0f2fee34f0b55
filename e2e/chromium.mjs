// The browser of the tests: Debian's Chromium, which talks to nobody but the site.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

// context starts a Chromium with a fresh profile.
export const context = (options) =>
  chromium.launchPersistentContext(mkdtempSync(join(tmpdir(), "flashdex-chromium-")), {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    // Root has no sandbox; the rest keeps Chromium from talking to anyone but the site.
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ],
    ...options,
  });
