// Makes a fontconfig setup in which a browser sees Kinora's fonts and no others.

import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const GENERIC = { "sans-serif": "Inter", "system-ui": "Inter", serif: "Noto Serif", monospace: "JetBrains Mono", emoji: "Noto Color Emoji" };

// Gives the environment for a browser that shall use the fonts of a folder.
export function onlyFontsOf(fonts, into) {
  const cache = join(resolve(into), "font-cache");
  mkdirSync(cache, { recursive: true });
  const aliases = Object.entries(GENERIC).map(
    ([generic, family]) =>
      `<match target="pattern"><test name="family" qual="any"><string>${generic}</string></test>` +
      `<edit name="family" mode="prepend" binding="strong"><string>${family}</string></edit></match>`,
  );
  const file = join(resolve(into), "fonts.conf");
  writeFileSync(
    file,
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig>\n' +
      `<dir>${resolve(fonts)}</dir>\n<cachedir>${cache}</cachedir>\n${aliases.join("\n")}\n` +
      '<match target="font"><edit name="hinting" mode="assign"><bool>false</bool></edit>' +
      '<edit name="antialias" mode="assign"><bool>true</bool></edit>' +
      '<edit name="rgba" mode="assign"><const>none</const></edit></match>\n</fontconfig>\n',
  );
  return { ...process.env, FONTCONFIG_FILE: file };
}
