// Draws the frames of cases with a browser: node draw.mjs chromium|firefox CASES OUT [NAME…]

import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { onlyFontsOf } from "./fonts.mjs";
import { readCases, writePages } from "./pages.mjs";

const [browser, folder, out, ...names] = process.argv.slice(2);
const { shoot } = await import(`./${browser}.mjs`);
const work = resolve(process.env.WORK ?? "target/conformance", `pages-${browser}`);
mkdirSync(out, { recursive: true });
const cases = readCases(folder, names);
const pages = writePages(folder, cases, work);
const version = await shoot(pages, out, onlyFontsOf("fonts", work));
console.log(`${pages.length} frames of ${cases.length} cases drawn by ${browser} ${version}`);
