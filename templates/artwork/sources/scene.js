// The brushes that all pictures share. A picture calls picture() once and draws inside it; chance is
// seeded, so the same file comes out every time.
"use strict";

const JPEG_QUALITY = 0.84;

let ctx;
let W;
let H;

function sheet() {
  const canvas = document.createElement("canvas");
  canvas.width = W;
  canvas.height = H;
  return canvas;
}

// picture(1920, 1080, "jpeg", draw): makes the sheet, draws, hands over the file, smaller if asked.
function picture(width, height, kind, draw, scale = 1) {
  [W, H] = [width, height];
  const canvas = sheet();
  ctx = canvas.getContext("2d");
  draw();
  [W, H] = [Math.round(width * scale), Math.round(height * scale)];
  const output = sheet();
  const pen = output.getContext("2d");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(canvas, 0, 0, W, H);
  const file = document.createElement("pre");
  file.textContent = output.toDataURL(`image/${kind}`, JPEG_QUALITY);
  document.body.replaceChildren(file);
}

// Numbers from 0 to 1 in an order that the seed decides (mulberry32).
function chance(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  next.between = (low, high) => low + (high - low) * next();
  next.pick = (list) => list[Math.floor(next() * list.length)];
  return next;
}

// Stops are colours at even distances, or [share, colour].
function withStops(gradient, stops) {
  stops.forEach((stop, index) => {
    const [at, colour] = Array.isArray(stop) ? stop : [stops.length > 1 ? index / (stops.length - 1) : 0, stop];
    gradient.addColorStop(at, colour);
  });
  return gradient;
}
const linear = (x0, y0, x1, y1, ...stops) => withStops(ctx.createLinearGradient(x0, y0, x1, y1), stops);
const radial = (x, y, r, ...stops) => withStops(ctx.createRadialGradient(x, y, 0, x, y, r), stops);
const down = (y0, y1, ...stops) => linear(0, y0, 0, y1, ...stops);
const across = (x0, x1, ...stops) => linear(x0, 0, x1, 0, ...stops);

function shape(fill, trace) {
  ctx.beginPath();
  trace(ctx);
  ctx.fillStyle = fill;
  ctx.fill();
}
function stroke(colour, width, trace, cap = "round") {
  ctx.beginPath();
  trace(ctx);
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.lineCap = cap;
  ctx.lineJoin = "round";
  ctx.stroke();
}
const rect = (x, y, w, h, fill) => shape(fill, (c) => c.rect(x, y, w, h));
const rounded = (x, y, w, h, r, fill) => shape(fill, (c) => c.roundRect(x, y, w, h, r));
const disc = (x, y, r, fill) => shape(fill, (c) => c.arc(x, y, r, 0, 7));
const oval = (x, y, rx, ry, fill, turn = 0) => shape(fill, (c) => c.ellipse(x, y, rx, ry, turn, 0, 7));
const poly = (points, fill) => shape(fill, (c) => trace(c, points));
function trace(c, points) {
  points.forEach(([x, y], index) => (index ? c.lineTo(x, y) : c.moveTo(x, y)));
  c.closePath();
}
const backdrop = (fill) => rect(0, 0, W, H, fill);

// Draws apart, then lays the result on the sheet: { blur, alpha, blend, clip, shadow: [dx, dy, blur, colour] }.
function layer(options, draw) {
  const under = ctx;
  const canvas = sheet();
  ctx = canvas.getContext("2d");
  if (options.clip) {
    ctx.beginPath();
    options.clip(ctx);
    ctx.clip();
  }
  draw();
  ctx = under;
  ctx.save();
  ctx.globalAlpha = options.alpha ?? 1;
  ctx.globalCompositeOperation = options.blend ?? "source-over";
  if (options.blur) ctx.filter = `blur(${options.blur}px)`;
  if (options.shadow) [ctx.shadowOffsetX, ctx.shadowOffsetY, ctx.shadowBlur, ctx.shadowColor] = options.shadow;
  ctx.drawImage(canvas, 0, 0);
  ctx.restore();
}

// Places what is drawn: moved, then scaled, then turned.
function at(x, y, draw, scale = 1, turn = 0) {
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(turn);
  ctx.scale(scale, Math.abs(scale));
  draw();
  ctx.restore();
}

// Light that adds to what is there; the colour is "r, g, b".
function glow(x, y, r, rgb, strength = 1, flat = 1) {
  ctx.save();
  ctx.globalCompositeOperation = "screen";
  ctx.translate(x, y);
  ctx.scale(1, flat);
  const light = (share) => `rgba(${rgb}, ${strength * share})`;
  disc(0, 0, r, radial(0, 0, r, [0, light(1)], [0.2, light(0.55)], [0.5, light(0.16)], [1, light(0)]));
  ctx.restore();
}

// Darkens the corners.
function vignette(strength) {
  const reach = Math.hypot(W, H) / 2;
  backdrop(radial(W / 2, H / 2, reach, [0.45, "rgba(0, 0, 0, 0)"], [1, `rgba(0, 0, 0, ${strength})`]));
}

// A mountain line from left to right by midpoint displacement.
function ridgeLine(seed, base, height, roughness = 0.52, steps = 8) {
  const random = chance(seed);
  let line = [random.between(0.2, 0.8), random.between(0.2, 0.8)];
  let swing = 0.6;
  for (let step = 0; step < steps; step++) {
    line = line.flatMap((y, i) =>
      i + 1 < line.length ? [y, (y + line[i + 1]) / 2 + (random() - 0.5) * swing] : [y]);
    swing *= roughness;
  }
  return line.map((y, i) => [(i / (line.length - 1)) * W, base - y * height]);
}
function hills(seed, base, height, fill, roughness, steps) {
  poly([...ridgeLine(seed, base, height, roughness, steps), [W, H], [0, H]], fill);
}

// A mountain with a shaded left side, a lit right side and snow on top; place is [peak x, peak y, left, right].
function massif(random, [peak, top, left, right], foot, shade, light, [shadeSnow, lightSnow]) {
  const spine = [];
  for (let i = 1; i <= 7; i++) spine.push([peak + random.between(-46, 40) + i * 6, top + ((foot - top) * i) / 7]);
  const flank = (end) => Array.from({ length: 9 }, (_, i) => {
    const share = (i + 1) / 9;
    return [peak + (end - peak) * share + random.between(-16, 16), top + (foot - top) * Math.pow(share, 0.92) + random.between(-20, 14)];
  });
  const back = spine.slice().reverse();
  const dark = [[peak, top], ...flank(left), [left, foot], ...back];
  const lit = [[peak, top], ...flank(right), [right, foot], ...back];
  poly(dark, shade);
  poly(lit, light);
  // Snow ends in tongues.
  const line = Array.from({ length: 27 }, (_, i) =>
    [left + ((right - left) * i) / 26, top + (foot - top) * 0.34 + (i % 2 ? 46 : -26) + random.between(-18, 18)]);
  const snow = [[left, 0], ...line, [right, 0]];
  layer({ clip: (c) => trace(c, dark) }, () => poly(snow, shadeSnow));
  layer({ clip: (c) => trace(c, lit) }, () => poly(snow, lightSnow));
}

// Soft hills: a sum of sines.
function roll(seed, base, height, fill, waves = 1) {
  const random = chance(seed);
  const [a, b, c] = [random() * 6.3, random() * 6.3, random() * 6.3];
  const points = [];
  for (let x = 0; x <= W; x += 8) {
    const u = (x / W) * 6.3 * waves;
    points.push([x, base - height * (0.55 * Math.sin(u * 0.8 + a) + 0.3 * Math.sin(u * 1.7 + b) + 0.15 * Math.sin(u * 3.4 + c))]);
  }
  poly([...points, [W, H], [0, H]], fill);
}

function pine(x, y, height, fill, random) {
  const half = height * 0.2;
  const tiers = 6;
  shape(fill, (c) => {
    c.moveTo(x, y - height);
    for (const side of [1, -1]) {
      for (let step = 0; step < tiers; step++) {
        const tier = side > 0 ? step + 1 : tiers - step;
        const reach = (half * tier) / tiers * random.between(0.85, 1.15);
        const edge = y - height + (height * 0.92 * tier) / tiers;
        if (side > 0) {
          c.lineTo(x + reach, edge);
          c.lineTo(x + reach * 0.5, edge - height * 0.03);
        } else {
          c.lineTo(x - reach * 0.5, edge - height * 0.03);
          c.lineTo(x - reach, edge);
        }
      }
    }
    c.closePath();
    c.rect(x - height * 0.015, y - height * 0.1, height * 0.03, height * 0.1);
  });
}

// A crown of many round clumps, dark below and light towards the sun; side is -1 for light from the left.
function crown(x, y, r, [dark, middle, light], random, side = -1) {
  for (const [colour, count, shift, size] of [[dark, 26, 0, 0.42], [middle, 22, 0.16, 0.34], [light, 14, 0.34, 0.22]]) {
    for (let i = 0; i < count; i++) {
      const turn = random() * 6.3;
      const reach = Math.sqrt(random()) * r * (0.78 - shift * 0.55);
      disc(x + side * shift * r * 0.8 + Math.cos(turn) * reach, y - shift * r * 0.9 + Math.sin(turn) * reach * 0.86,
        r * size * random.between(0.7, 1.1), colour);
    }
  }
}

function cloud(x, y, width, fill, random) {
  shape(fill, (c) => {
    const count = 9;
    for (let i = 0; i < count; i++) {
      const share = i / (count - 1);
      const size = width * (0.05 + 0.1 * Math.sin(share * Math.PI)) * random.between(0.75, 1.2);
      const cx = x + (share - 0.5) * width * 0.8;
      c.moveTo(cx + size, y);
      c.arc(cx, y - size * 0.5, size, 0, 7);
    }
    c.roundRect(x - width * 0.5, y - width * 0.05, width, width * 0.07, width * 0.035);
  });
}

function stars(seed, count, bottom, size = 1) {
  const random = chance(seed);
  for (let i = 0; i < count; i++) {
    const y = random() * bottom;
    const fade = 1 - (y / bottom) * 0.8;
    disc(random() * W, y, size * random.between(0.5, 1.7), `rgba(255, 255, 255, ${random.between(0.2, 0.95) * fade})`);
  }
}

// What stands above the line y, mirrored below it, squeezed and faded, with ripples.
function reflection(y, strength, squeeze, seed) {
  const copy = sheet();
  copy.getContext("2d").drawImage(ctx.canvas, 0, 0);
  const random = chance(seed);
  ctx.save();
  ctx.globalAlpha = strength;
  for (let row = 0; row < H - y; row += 2) {
    const from = y - row / squeeze;
    if (from < 0) break;
    const sway = Math.sin(row * 0.21 + random() * 0.9) * (1 + row * 0.018);
    ctx.drawImage(copy, 0, from, W, 2, sway - 4, y + row, W + 8, 2);
  }
  ctx.restore();
}

// A person from the chest up, on a sheet of 640 by 640. The clothes and the hair are drawn by the caller.
function bust({ skin: [light, middle, dark], body, hairBehind, hairInFront, extras }) {
  hairBehind?.();
  body();
  shape(down(400, 520, dark, middle), (c) => { c.moveTo(272, 380); c.lineTo(272, 470); c.quadraticCurveTo(320, 530, 368, 470); c.lineTo(368, 380); });
  for (const x of [214, 426]) oval(x, 306, 20, 30, middle);
  shape(linear(220, 180, 430, 430, light, middle), (c) => {
    c.moveTo(216, 270);
    c.bezierCurveTo(212, 130, 428, 130, 424, 270);
    c.bezierCurveTo(424, 380, 380, 434, 320, 434);
    c.bezierCurveTo(260, 434, 216, 380, 216, 270);
  });
  for (const x of [252, 388]) oval(x, 346, 24, 14, "rgba(240, 110, 100, 0.28)");
  for (const x of [272, 368]) {
    oval(x, 298, 9, 12, "#2a1f2e");
    disc(x + 3, 293, 3.2, "#ffffff");
    stroke("#3a2630", 6, (c) => { c.moveTo(x - 19, 270); c.quadraticCurveTo(x, 258, x + 19, 268); });
  }
  stroke(dark, 5, (c) => { c.moveTo(322, 304); c.quadraticCurveTo(334, 338, 314, 342); });
  shape("#ffffff", (c) => { c.moveTo(284, 370); c.quadraticCurveTo(320, 384, 356, 370); c.quadraticCurveTo(346, 404, 320, 404); c.quadraticCurveTo(294, 404, 284, 370); });
  stroke("#a8434c", 5, (c) => { c.moveTo(284, 370); c.quadraticCurveTo(320, 384, 356, 370); c.quadraticCurveTo(346, 404, 320, 404); c.quadraticCurveTo(294, 404, 284, 370); });
  hairInFront?.();
  extras?.();
}

// Shoulders in one piece of cloth.
function shoulders(fill) {
  shape(fill, (c) => {
    c.moveTo(60, 660);
    c.bezierCurveTo(70, 520, 150, 490, 262, 462);
    c.quadraticCurveTo(320, 520, 378, 462);
    c.bezierCurveTo(490, 490, 570, 520, 580, 660);
  });
}
