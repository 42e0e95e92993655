// Takes pictures of pages with Firefox, on a screen of its own: the screenshots that Firefox itself offers are painted
// by simpler means than what it shows, without backdrop filters.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { written } from "./png.mjs";

// Files may read each other (crops go over a canvas), colours are sRGB, and everything is drawn by the processor.
const PREFERENCES = {
  "security.fileuri.strict_origin_policy": false,
  "gfx.color_management.mode": 1,
  "gfx.color_management.force_srgb": true,
  "gfx.webrender.software": true,
  "gfx.text.subpixel-position.force-enabled": true,
  "marionette.port": 0,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "toolkit.telemetry.enabled": false,
  "app.update.enabled": false,
};
const SCREEN = { width: 1600, height: 1200 };
const START_TIMEOUT_MS = 60_000;
const SCRIPT_TIMEOUT_MS = 60_000;

// Runs in the page: waits until it is laid out and drawn.
const UNTIL_SHOWN = `
  const [done] = arguments;
  window.shown.then(() => {
    let frames = 4;
    const end = () => done([window.mozInnerScreenX, window.mozInnerScreenY, window.innerWidth, window.innerHeight]);
    const next = () => (frames-- > 0 ? requestAnimationFrame(next) : setTimeout(end, 250));
    next();
  });
`;

export async function shoot(pages, out, environment) {
  const profile = mkdtempSync(join(tmpdir(), "kinora-firefox-"));
  const preferences = Object.entries(PREFERENCES);
  writeFileSync(
    join(profile, "user.js"),
    preferences.map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(""),
  );
  const screen = await startScreen();
  const size = ["--width", SCREEN.width, "--height", SCREEN.height].map(String);
  const program = spawn(
    process.env.FIREFOX ?? "firefox-esr",
    ["--no-remote", "--profile", profile, "--marionette", ...size],
    { env: { ...environment, DISPLAY: screen.display, MOZ_ENABLE_WAYLAND: "0" }, stdio: "ignore" },
  );
  try {
    const call = await client(await portOf(profile));
    const { capabilities } = await call("WebDriver:NewSession", { capabilities: {} });
    await call("WebDriver:SetTimeouts", { script: SCRIPT_TIMEOUT_MS });
    for (const { key, url, width, height } of pages) {
      await call("WebDriver:Navigate", { url });
      const { value } = await call("WebDriver:ExecuteAsyncScript", { script: UNTIL_SHOWN, args: [] });
      const [x, y, innerWidth, innerHeight] = value;
      if (innerWidth < width || innerHeight < height) throw new Error(`${key} is larger than the window`);
      const from = ["-f", "x11grab", "-draw_mouse", "0", "-video_size", `${width}x${height}`, "-i", `${screen.display}+${x},${y}`];
      const picture = ["-v", "error", ...from, "-frames:v", "1", "-pix_fmt", "rgb24", "-f", "image2pipe", "-c:v", "png", "-"];
      written(execFileSync("ffmpeg", picture), join(out, `${key}.png`));
    }
    return capabilities.browserVersion;
  } finally {
    const ended = new Promise((done) => program.once("exit", done));
    program.kill();
    await ended;
    screen.stop();
    rmSync(profile, { recursive: true, force: true });
  }
}

// A screen without a monitor, with the number that the X server chose.
async function startScreen() {
  const { width, height } = SCREEN;
  const server = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", `${width}x${height}x24`, "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const number = await new Promise((found, failed) => {
    server.once("error", failed);
    server.stdio[3].once("data", (digits) => found(String(digits).trim()));
  });
  return { display: `:${number}`, stop: () => server.kill() };
}

// Firefox writes the port that it chose into its profile.
async function portOf(profile) {
  const started = Date.now();
  for (;;) {
    try {
      const port = Number(readFileSync(join(profile, "MarionetteActivePort"), "utf8"));
      if (port > 0) return port;
    } catch {
      // Not there yet.
    }
    if (Date.now() - started > START_TIMEOUT_MS) throw new Error("Firefox does not listen");
    await new Promise((later) => setTimeout(later, 100));
  }
}

// A message is its length in bytes, a colon, and JSON: [0, number, command, parameters] there, [1, number, error, result] back.
async function client(port) {
  const socket = connect(port, "127.0.0.1");
  const waiting = new Map();
  let unread = Buffer.alloc(0);
  const greeted = new Promise((done, failed) => {
    socket.once("error", failed);
    waiting.set("greeting", done);
  });
  socket.on("data", (chunk) => {
    unread = Buffer.concat([unread, chunk]);
    for (;;) {
      const colon = unread.indexOf(":");
      if (colon < 0) return;
      const end = colon + 1 + Number(unread.subarray(0, colon));
      if (unread.length < end) return;
      const message = JSON.parse(unread.subarray(colon + 1, end));
      unread = unread.subarray(end);
      if (Array.isArray(message)) waiting.get(message[1])(message);
      else waiting.get("greeting")();
    }
  });
  await greeted;
  let last = 0;
  return (command, parameters) =>
    new Promise((done, failed) => {
      last += 1;
      waiting.set(last, ([, number, error, result]) => {
        waiting.delete(number);
        if (error) failed(new Error(`${command}: ${error.message}`));
        else done(result);
      });
      const text = JSON.stringify([0, last, command, parameters]);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
}
