// Takes pictures of pages with Chromium: drawn by the processor, in sRGB, glyphs neither hinted nor in subpixels.

import { pathToFileURL } from "node:url";
import { join, resolve } from "node:path";
import { written } from "./png.mjs";

const LIKE_A_RENDERER = [
  "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1", "--force-color-profile=srgb",
  "--disable-lcd-text", "--font-render-hinting=none", "--disable-background-networking", "--no-first-run",
  "--disable-component-update", "--disable-sync", "--allow-file-access-from-files",
];

export async function shoot(pages, out, environment) {
  const library = process.env.PLAYWRIGHT ?? resolve("target/tools/browser/node_modules/playwright-core/index.mjs");
  const { chromium } = await import(pathToFileURL(library).href);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: LIKE_A_RENDERER,
    env: environment,
  });
  try {
    const tab = await browser.newPage({ deviceScaleFactor: 1 });
    tab.on("pageerror", (error) => console.error(tab.url(), String(error)));
    for (const { key, url, width, height } of pages) {
      await tab.setViewportSize({ width, height });
      await tab.goto(url);
      await tab.evaluate("shown");
      const picture = await tab.screenshot({ type: "png" });
      written(picture, join(out, `${key}.png`));
    }
    return browser.version();
  } finally {
    await browser.close();
  }
}
