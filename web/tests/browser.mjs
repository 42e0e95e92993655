// Opens a page in Chromium, hands it to a check, and prints what the check found as JSON.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { chromium } = await import(process.env.PLAYWRIGHT);

// Nothing but the service under test may be asked for anything.
const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function inBrowser(check, options = {}) {
  const profile = mkdtempSync(join(tmpdir(), "kinora-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: quiet,
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  const complaints = [];
  const foreign = [];
  context.on("page", (page) => watch(page));
  const page = context.pages()[0] ?? (await context.newPage());
  watch(page);
  let home;
  function watch(page) {
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("request", (request) => {
      const origin = new URL(request.url()).origin;
      if (home && origin !== home && !request.url().startsWith("data:") && !request.url().startsWith("blob:"))
        foreign.push(request.url());
    });
  }
  try {
    const found = await check(page, (url) => (home = new URL(url).origin));
    console.log(JSON.stringify({ ...found, complaints, foreign }));
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}
