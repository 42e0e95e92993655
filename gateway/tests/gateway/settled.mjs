// Opens one of our pages and prints its document once it is ready or has given up: node settled.mjs URL

import { inBrowser } from "../../../web/tests/browser.mjs";

/** What the preview page and the documentation say of themselves. */
const SETTLED = "[data-preview-ready], [data-preview-error], html[data-ready], html[data-failed]";
const [url] = process.argv.slice(2);

await inBrowser(async (page, stayAt) => {
  stayAt(url);
  await page.goto(url);
  await page.waitForSelector(SETTLED, { state: "attached", timeout: 60_000 });
  return { dom: await page.content() };
});
