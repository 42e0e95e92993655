// Takes pictures of pages with Chromium: drawn by the processor, in sRGB, glyphs neither hinted nor in subpixels.

import { pathToFileURL } from "node:url";
import { join, resolve } from "node:path";
import { meanDifference, written } from "./png.mjs";

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
    for (const { key, url, width, height, hasVideo } of pages) {
      await tab.setViewportSize({ width, height });
      const picture = hasVideo ? await withFrames(tab, url) : await pictureOf(tab, url);
      written(picture, join(out, `${key}.png`));
    }
    return browser.version();
  } finally {
    await browser.close();
  }
}

async function pictureOf(tab, url) {
  await tab.goto("about:blank");
  await tab.goto(url);
  await tab.evaluate("shown");
  return tab.screenshot({ type: "png" });
}

// Chromium can fail to bring a frame of a video to the screen that it was sent to. The page is opened until it looks like
// the one that has a canvas with the frame instead; only the scaling of the two differs, and little.
async function withFrames(tab, url) {
  const ATTEMPTS = 12;
  const SCALED_DIFFERENTLY = 3.2;
  const held = await pictureOf(tab, `${url}#held`);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const picture = await pictureOf(tab, url);
    if (meanDifference(held, picture) < SCALED_DIFFERENTLY) return picture;
  }
  throw new Error(`${url}: a video does not show its frame`);
}
