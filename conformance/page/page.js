// Builds the page that shows one frame of a composition, out of plain HTML and CSS: what a browser makes
// of it is what Kinora should draw. Runs in the page; `show` is called once.

const SVG = "http://www.w3.org/2000/svg";
const TURN_SECONDS = 4;
const FRAMES_OF_A_FADE = 15;
const LARGEST_FIT = 2000;
// Browsers give widths in whole pixels and heights of lines in fractions of them.
const ROUNDING = 1;

// Fields of `styles` that are not CSS, or are set in a way of their own.
const NOT_CSS = new Set([
  "animation", "animatedText", "typeWriter", "counterMode", "codeBlock", "staggeredMotion", "layout3D",
  "fontSizeFixed", "fontSizeScale", "zIndex", "volume", "highlightStyle", "paddingBackgroundColor",
  "cropEnabled", "cropX", "cropY", "cropWidth", "cropHeight",
  "fill", "stroke", "strokeWidth", "gradient", "gradientTransition", "scale", "transition",
]);

function element(parent, tag, css) {
  const made = document.createElement(tag);
  setCss(made, css);
  parent.append(made);
  return made;
}

function setCss(target, css) {
  for (const [name, value] of Object.entries(css)) {
    if (value !== undefined && value !== null) target.style[name] = String(value);
  }
}

function cssOf(styles) {
  return Object.fromEntries(Object.entries(styles).filter(([name]) => !NOT_CSS.has(name)));
}

// ---- motion -------------------------------------------------------------------------------------

function fadeOf(overlay, fps, frame) {
  const animation = overlay.styles?.animation ?? {};
  const framesOf = (seconds) => (seconds === undefined ? FRAMES_OF_A_FADE : Math.max(1, seconds * fps));
  const elapsed = frame - overlay.from;
  const left = overlay.durationInFrames - elapsed;
  let opacity = 1;
  if (animation.enter === "fade") opacity *= Math.min(1, elapsed / framesOf(animation.enterDuration));
  if (animation.exit === "fade") opacity *= Math.min(1, left / framesOf(animation.exitDuration));
  return opacity;
}

function spinOf(overlay, fps, frame) {
  const animation = overlay.styles?.animation ?? {};
  if (animation.during !== "spin") return 0;
  return (((frame - overlay.from) / fps) * 360 * (animation.duringSpeed ?? 1)) / TURN_SECONDS;
}

// ---- overlays -----------------------------------------------------------------------------------

const ALIGNED = { left: "flex-start", center: "center", right: "flex-end" };

function textBox(parent, styles) {
  return element(parent, "div", {
    width: "100%",
    height: "100%",
    boxSizing: "border-box",
    display: "flex",
    alignItems: "center",
    justifyContent: ALIGNED[styles.textAlign] ?? "center",
    textAlign: "center",
    overflow: "hidden",
    whiteSpace: "pre-wrap",
    overflowWrap: "break-word",
    lineHeight: "1.2",
    fontFamily: "Inter",
    fontWeight: "400",
    color: "black",
  });
}

// The largest size at which the text neither overflows its box nor passes the bound.
function fit(box, bound) {
  const text = document.createRange();
  text.selectNodeContents(box);
  const fits = (size) => {
    box.style.fontSize = `${size}px`;
    const style = getComputedStyle(box);
    const [left, right, top, bottom] = ["Left", "Right", "Top", "Bottom"].map((side) => parseFloat(style[`padding${side}`]));
    const lines = text.getBoundingClientRect();
    const fitsIn = (length, room) => length <= room + ROUNDING;
    return fitsIn(lines.height, box.clientHeight - top - bottom) && fitsIn(lines.width, box.clientWidth - left - right);
  };
  let [low, high] = [1, Math.min(bound, LARGEST_FIT)];
  if (fits(high)) return;
  while (high - low > 0.25) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  fits(low);
}

const PIXELS = /^\s*[+]?(\d+\.?\d*|\.\d+)(px)?\s*$/;

function showText(parent, overlay) {
  const styles = overlay.styles ?? {};
  const box = textBox(parent, styles);
  const css = cssOf(styles);
  const size = PIXELS.exec(styles.fontSize ?? "");
  delete css.fontSize;
  setCss(box, css);
  if (styles.paddingBackgroundColor) box.style.backgroundColor = styles.paddingBackgroundColor;
  box.textContent = overlay.content;
  if (styles.fontSizeFixed && size) box.style.fontSize = `${size[1]}px`;
  else fit(box, size ? Number(size[1]) : LARGEST_FIT);
}

// Where in the source a video is at a frame.
function sourceSeconds(overlay, fps, frame) {
  return (overlay.videoStartTime ?? 0) + ((frame - overlay.from) / fps) * (overlay.speed ?? 1);
}

function showMedia(parent, overlay, file, seconds) {
  const styles = overlay.styles ?? {};
  const shown = element(parent, overlay.type === "video" ? "video" : "img", {
    display: "block",
    width: "100%",
    height: "100%",
    boxSizing: "border-box",
    objectFit: "cover",
    ...cssOf(styles),
    backgroundColor: styles.paddingBackgroundColor,
  });
  const ready = overlay.type === "video" ? seek(shown, file, seconds) : load(shown, file);
  if (styles.cropEnabled) return ready.then(() => crop(shown, styles));
  return overlay.type === "video" && location.hash === "#held" ? ready.then(() => hold(shown)) : ready;
}

function load(picture, file) {
  picture.src = file;
  return picture.decode();
}

// A moment into the frame, so that rounding can't show the one before.
const INTO_THE_FRAME = 0.001;

const PRESENTED_WITHIN_MS = 1000;
const LONGEST_FRAME_SECONDS = 0.05;

// Goes to a time and waits until the frame there is on screen. Chromium loses a frame that it is sent to before it has
// shown the first one, so that it waits for that as well.
async function seek(video, file, seconds) {
  video.muted = true;
  video.preload = "auto";
  const first = presented(video, 0);
  video.src = file;
  await first;
  await drawn();
  const wanted = seconds + INTO_THE_FRAME;
  if (wanted < LONGEST_FRAME_SECONDS / 2) return;
  const arrived = new Promise((done) => video.addEventListener("seeked", done, { once: true }));
  const there = presented(video, wanted);
  video.currentTime = wanted;
  await arrived;
  await there;
  await drawn();
}

function presented(video, seconds) {
  const shown = new Promise((done) => {
    const look = (_, { mediaTime }) => {
      if (mediaTime <= seconds && seconds < mediaTime + LONGEST_FRAME_SECONDS) done();
      else video.requestVideoFrameCallback(look);
    };
    video.requestVideoFrameCallback(look);
  });
  // A frame that is on screen already is not presented again, so that nothing may come.
  return Promise.race([shown, new Promise((done) => setTimeout(done, PRESENTED_WITHIN_MS))]);
}

function drawn() {
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}

// Puts a canvas with the same frame in a video's place. It is scaled a little differently, but there for certain.
function hold(video) {
  const canvas = document.createElement("canvas");
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext("2d").drawImage(video, 0, 0);
  canvas.style.cssText = video.style.cssText;
  video.replaceWith(canvas);
}

// What is cropped is replaced by a picture of its part, so that object-fit applies to that.
function crop(shown, styles) {
  const share = (value, otherwise) => Math.min(100, Math.max(0, value ?? otherwise)) / 100;
  const [x, y] = [share(styles.cropX, 0), share(styles.cropY, 0)];
  const [width, height] = [share(styles.cropWidth, 100), share(styles.cropHeight, 100)];
  const w = shown.videoWidth ?? shown.naturalWidth;
  const h = shown.videoHeight ?? shown.naturalHeight;
  const part = [x * w, y * h, Math.min(width, 1 - x) * w, Math.min(height, 1 - y) * h];
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(part[2]));
  canvas.height = Math.max(1, Math.round(part[3]));
  canvas.getContext("2d").drawImage(shown, ...part, 0, 0, canvas.width, canvas.height);
  const picture = document.createElement("img");
  picture.style.cssText = shown.style.cssText;
  shown.replaceWith(picture);
  return load(picture, canvas.toDataURL());
}

const ROUND = new Set(["circle", "ellipse"]);
const BOXES = new Set(["rectangle", "square", ...ROUND]);

function showShape(parent, overlay) {
  const styles = overlay.styles ?? {};
  const stroke = styles.stroke ? (styles.strokeWidth ?? 1) : 0;
  const fill = styles.gradient ?? styles.fill ?? "#000";
  const common = { width: "100%", height: "100%", boxSizing: "border-box", ...cssOf(styles) };
  if (BOXES.has(overlay.content)) {
    element(parent, "div", {
      ...common,
      background: fill,
      border: stroke ? `${stroke}px solid ${styles.stroke}` : undefined,
      ...(ROUND.has(overlay.content) ? { borderRadius: "50%" } : {}),
    });
    return;
  }
  const corners = CORNERS[overlay.content];
  if (!corners) throw new Error(`no page shows a ${overlay.content}`);
  if (styles.gradient) {
    const around = corners.map(([x, y]) => `${x * 100}% ${y * 100}%`).join(", ");
    element(parent, "div", { ...common, background: fill, clipPath: `polygon(${around})` });
    return;
  }
  const { width, height } = overlay;
  const points = corners.map(([x, y]) => `${x * width},${y * height}`).join(" ");
  const box = element(parent, "div", common);
  // Stroked twice as wide and cut along the outline, so that all of the stroke is inside.
  box.innerHTML =
    `<svg xmlns="${SVG}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" style="display:block;width:100%;height:100%">` +
    `<clipPath id="outline-${overlay.id}"><polygon points="${points}"/></clipPath>` +
    `<polygon points="${points}" ${stroke ? `clip-path="url(#outline-${overlay.id})"` : ""}/></svg>`;
  const drawn = box.querySelector("svg > polygon");
  drawn.setAttribute("fill", fill);
  if (stroke) {
    drawn.setAttribute("stroke", styles.stroke);
    drawn.setAttribute("stroke-width", 2 * stroke);
  }
}

const CORNERS = {
  triangle: [[0.5, 0], [1, 1], [0, 1]],
  diamond: [[0.5, 0], [1, 0.5], [0.5, 1], [0, 0.5]],
};

function showCaption(parent, overlay, fps, frame) {
  const styles = overlay.styles ?? {};
  const now = ((frame - overlay.from) * 1000) / fps;
  const caption = overlay.captions.find(({ startMs, endMs }) => startMs <= now && now < endMs);
  if (!caption) return;
  const box = textBox(parent, styles);
  setCss(box, cssOf(styles));
  const line = element(box, "div", {});
  caption.words.forEach((word, index) => {
    if (index > 0) line.append(" ");
    if (word.startMs <= now && now < word.endMs) {
      const { scale, ...css } = styles.highlightStyle ?? {};
      const said = element(line, "span", { display: "inline-block", ...cssOf(css) });
      if (scale !== undefined) said.style.transform = `scale(${scale})`;
      said.textContent = word.word;
    } else {
      line.append(word.word);
    }
  });
}

// ---- the page -----------------------------------------------------------------------------------

async function show(composition, frame, files) {
  const { width, height, fps } = composition;
  setCss(document.body, { margin: "0", overflow: "hidden", background: "white" });
  const canvas = element(document.body, "div", {
    position: "relative", width: `${width}px`, height: `${height}px`, overflow: "hidden", isolation: "isolate",
    backgroundColor: composition.backgroundColor ?? "white",
  });
  const media = [];
  for (const overlay of composition.overlays) {
    if (frame < overlay.from || frame >= overlay.from + overlay.durationInFrames) continue;
    const place = element(canvas, "div", {
      position: "absolute",
      left: `${overlay.left}px`,
      top: `${overlay.top}px`,
      width: `${overlay.width}px`,
      height: `${overlay.height}px`,
      transform: overlay.rotation ? `rotate(${overlay.rotation}deg)` : undefined,
      zIndex: 100 - 10 * (overlay.row ?? 0),
    });
    const [opacity, angle] = [fadeOf(overlay, fps, frame), spinOf(overlay, fps, frame)];
    const parent = opacity === 1 && angle === 0 ? place : element(place, "div", {
      width: "100%", height: "100%",
      opacity: opacity === 1 ? undefined : opacity,
      transform: angle === 0 ? undefined : `rotate(${angle}deg)`,
    });
    if (overlay.type === "text") showText(parent, overlay);
    else if (overlay.type === "shape") showShape(parent, overlay);
    else if (overlay.type === "caption") showCaption(parent, overlay, fps, frame);
    else media.push(showMedia(parent, overlay, files[overlay.id], sourceSeconds(overlay, fps, frame)));
  }
  await Promise.all([document.fonts.ready, ...media]);
}
