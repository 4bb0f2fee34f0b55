// The browser of the tests: Debian's Chromium, which talks to nobody but the site.
import { chromium } from "playwright-core";

// context starts a Chromium with a fresh profile, which is gone when it is closed.
export const context = (options) =>
  chromium.launchPersistentContext("", {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    // Root has no sandbox; the rest keeps Chromium from talking to anyone but the site.
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ],
    ...options,
  });
