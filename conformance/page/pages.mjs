// Writes the pages of cases: one file for each frame.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const builder = new URL("page.js", import.meta.url);

export function readCases(folder, names) {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => ({ name: file.slice(0, -".json".length), ...JSON.parse(readFileSync(join(folder, file))) }))
    .filter(({ name }) => names.length === 0 || names.some((start) => name.startsWith(start)));
}

// The page of each frame of the cases: { key, url, width, height, hasVideo }.
export function writePages(folder, cases, into) {
  mkdirSync(into, { recursive: true });
  return cases.flatMap((one) =>
    one.frames.map((frame) => {
      const key = `${one.name}.f${frame}`;
      const { composition } = one;
      const files = mediaOf(composition, dirname(resolve(folder)));
      const data = JSON.stringify([composition, frame, files]).replaceAll("<", "\\u003c");
      const file = join(into, `${key}.html`);
      writeFileSync(
        file,
        `<!doctype html><html lang="en"><meta charset="utf-8"><title>${key}</title><body></body>\n` +
          `<script src="${builder.href}"></script><script>var shown = show(...${data});</script></html>\n`,
      );
      const hasVideo = composition.overlays.some(({ type }) => type === "video");
      return { key, url: pathToFileURL(file).href, width: composition.width, height: composition.height, hasVideo };
    }),
  );
}

function mediaOf(composition, root) {
  const withMedia = composition.overlays.filter(({ src }) => src);
  return Object.fromEntries(withMedia.map(({ id, src }) => [id, pathToFileURL(join(root, src)).href]));
}
