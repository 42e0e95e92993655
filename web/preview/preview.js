// The public page of a preview: asks until the service has drawn it, then shows it.
// <html data-preview-ready="true"> says that everything is there, data-preview-error that it won't be.

const root = document.documentElement;
const stage = document.getElementById("stage");
const { id, mode } = stage.dataset;
const [width, height, fps, frames] = ["width", "height", "fps", "frames"].map((name) => Number(stage.dataset[name]));

const FIRST_WAIT = 250;
const LONGEST_WAIT = 2000;
const ANSWER_TIMEOUT = 15_000;
const DECODE_PATIENCE = 3000;

stage.style.setProperty("--ratio", String(width / height));
document.getElementById("length").textContent = `${clock(frames / fps)} · ${frames} ${frames === 1 ? "frame" : "frames"}`;
tellExpiry();
start().catch((error) => fail(error.message));

async function start() {
  const state = await drawn();
  if (mode === "player") await play(state.videoUrl);
  else if (mode === "grid") await show(state.stills, "sheet");
  else await showOne(state.stills[0]);
  root.dataset.previewReady = "true";
}

// Resolves when it is drawn; throws what the visitor should read when it never will be.
async function drawn() {
  for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 1.3, LONGEST_WAIT)) {
    const state = await ask();
    if (state?.state === "ready") return state;
    if (state?.state === "failed") throw new Error(state.error ?? "It could not be drawn.");
    report(state);
    await new Promise((done) => setTimeout(done, wait));
  }
}

// The state, or undefined when the service could not be reached and may be asked again.
async function ask() {
  let answer;
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT);
    answer = await fetch(`./${id}/state${location.search}`, { signal, cache: "no-store" });
    if (answer.status >= 500) return undefined;
    const body = await answer.json();
    if (answer.ok) return body;
    throw Object.assign(new Error(body.error), { isAnswer: true });
  } catch (error) {
    if (error.isAnswer) throw error;
    return undefined;
  }
}

function report(state) {
  const bar = document.getElementById("progress");
  const doing = document.getElementById("doing");
  if (state?.state === "drawing") {
    bar.value = state.progress;
    doing.textContent = `Drawing… ${state.progress} %`;
  } else {
    bar.removeAttribute("value");
    doing.textContent = state ? "Waiting for a free renderer…" : "Connection lost; trying again…";
  }
}

function fail(message) {
  const failure = copy("failure");
  failure.querySelector("p").textContent = message;
  stage.replaceChildren(failure);
  root.dataset.previewError = message;
}

// The player, with a scrub bar that counts frames.
async function play(url) {
  const parts = copy("player");
  const video = parts.querySelector("video");
  const slider = parts.querySelector("input");
  const time = parts.querySelector(".time");
  const number = parts.querySelector(".number");
  const links = [parts.querySelector(".open"), document.getElementById("frame-link")];

  const loaded = new Promise((done, failed) => {
    video.addEventListener("loadeddata", done, { once: true });
    video.addEventListener("error", () => failed(new Error("The video could not be loaded.")), { once: true });
  });
  video.src = url;
  stage.replaceChildren(parts);

  let shown = 0;
  const tell = (frame) => {
    shown = Math.min(Math.max(frame, 0), frames - 1);
    slider.value = String(shown);
    slider.setAttribute("aria-valuetext", `frame ${shown}`);
    time.textContent = clock(shown / fps);
    number.textContent = String(shown);
    for (const link of links) link.href = `./${id}?frame=${shown}`;
  };
  tell(0);

  // Seeks wait for the one before them, so that dragging shows pictures on the way.
  let next;
  const seek = (frame) => {
    video.pause();
    tell(frame);
    if (video.seeking) next = shown;
    else video.currentTime = (shown + 0.5) / fps;
  };
  video.addEventListener("seeked", () => {
    if (next !== undefined) video.currentTime = (next + 0.5) / fps;
    next = undefined;
  });
  slider.addEventListener("input", () => seek(Number(slider.value)));
  stage.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    if (step) seek(shown + Number(step.dataset.step));
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === ",") seek(shown - 1);
    if (event.key === ".") seek(shown + 1);
  });

  if (video.requestVideoFrameCallback) {
    const follow = (_, { mediaTime }) => {
      if (!video.paused) tell(Math.round(mediaTime * fps));
      video.requestVideoFrameCallback(follow);
    };
    video.requestVideoFrameCallback(follow);
  }
  // Covers browsers that do not report frames, and seeks with the native controls.
  video.addEventListener("timeupdate", () => {
    if (!video.seeking && next === undefined) tell(Math.floor(video.currentTime * fps + 0.01));
  });

  await loaded;
}

// Pictures with their labels; resolves when every one can be seen.
async function show(stills, className) {
  const sheet = document.createElement("div");
  sheet.className = className;
  for (const still of stills) {
    const part = copy("still");
    const picture = part.querySelector("img");
    picture.src = still.url;
    picture.alt = `Frame ${still.frame}, at ${clock(still.seconds)}`;
    part.querySelector("a").href = className === "sheet" ? `./${id}?frame=${still.frame}` : still.url;
    part.querySelector("b").textContent = `Frame ${still.frame}`;
    part.querySelector("span").textContent = clock(still.seconds);
    sheet.append(part);
  }
  stage.replaceChildren(sheet);
  const pictures = [...sheet.querySelectorAll("img")];
  try {
    await Promise.all(pictures.map(seen));
  } catch {
    throw new Error(pictures.length === 1 ? "The picture could not be loaded." : "A picture could not be loaded.");
  }
}

// Resolves when a picture is decoded. A window that paints nothing decodes nothing either; there, loaded
// has to do.
async function seen(picture) {
  const loaded = new Promise((done) => picture.addEventListener("load", done, { once: true }));
  const patience = loaded.then(() => new Promise((done) => setTimeout(done, DECODE_PATIENCE)));
  await Promise.race([picture.decode(), patience]);
}

async function showOne(still) {
  if (!still) throw new Error("The picture could not be loaded.");
  const stepper = copy("stepper");
  const link = (selector, frame) => {
    if (frame >= 0 && frame < frames) stepper.querySelector(selector).href = `./${id}?frame=${frame}`;
  };
  link(".back", still.frame - 1);
  link(".forward", still.frame + 1);
  stepper.querySelector("input").value = String(still.frame);
  const shown = show([still], "single");
  stage.append(stepper);
  await shown;
}

function tellExpiry() {
  const moment = new Date(stage.dataset.expires);
  const minutes = Math.round((moment - Date.now()) / 60_000);
  const words = new Intl.RelativeTimeFormat("en", { numeric: "always" });
  const left = Math.abs(minutes) < 90 ? words.format(minutes, "minute") : words.format(Math.round(minutes / 60), "hour");
  const expiry = document.getElementById("expiry");
  expiry.textContent = `This page expires ${left}.`;
  expiry.title = moment.toLocaleString();
}

function copy(name) {
  return document.getElementById(name).content.cloneNode(true);
}

// 63.5 → 1:03.50
function clock(seconds) {
  const hundredths = Math.round(seconds * 100);
  const minutes = Math.floor(hundredths / 6000);
  const rest = ((hundredths % 6000) / 100).toFixed(2).padStart(5, "0");
  return `${minutes}:${rest}`;
}
