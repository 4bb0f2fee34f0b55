// The browser of the tests: Debian's Chromium, which contacts only the site.
import { chromium } from "playwright-core";

// context starts a Chromium with a fresh profile. Closing it removes the profile.
export const context = (options) =>
  chromium.launchPersistentContext("", {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    // Root has no sandbox. The other options keep Chromium from contacting anything but the site.
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ],
    ...options,
  });
