// A terrace with a pool at night, lanterns and loungers, hills behind.
picture(1920, 1080, "jpeg", () => {
  const random = chance(31);
  const horizon = 520;
  backdrop(down(0, horizon, "#0d1638", "#25306a", "#6b4f92", "#e0858a", [1, "#ffbd86"]));
  stars(8, 200, 380, 1.2);
  disc(1480, 170, 54, "#fff4df");
  glow(1480, 170, 280, "255, 236, 210", 0.5);
  glow(500, horizon, 800, "255, 160, 120", 0.6, 0.45);
  roll(2, 500, 60, "#4a3f77", 0.8);
  roll(6, 535, 46, "#342f60", 1.2);
  for (let i = 0; i < 70; i++) {
    const x = random() * W;
    disc(x, random.between(470, 540), random.between(1, 2.6), "rgba(255, 214, 150, 0.9)");
  }
  // Palms and hedge.
  rect(0, 540, W, 90, "#16233d");
  for (let i = 0; i < 46; i++) crown(i * 43, 566, random.between(30, 46), ["#142338", "#1b3046", "#2a4656"], random, 1);
  const palm = (x, y, height, lean) => {
    stroke("#1d2138", 20, (c) => { c.moveTo(x, y); c.quadraticCurveTo(x + lean * 0.3, y - height * 0.6, x + lean, y - height); });
    for (let i = 0; i < 9; i++) {
      const turn = Math.PI * (0.02 + i * 0.12) + Math.PI;
      const reach = height * random.between(0.34, 0.44);
      const [ex, ey] = [x + lean + Math.cos(turn) * reach, y - height + Math.sin(turn) * reach * 0.55 + reach * 0.42];
      shape(i % 2 ? "#1a3144" : "#234254", (c) => {
        c.moveTo(x + lean, y - height);
        c.quadraticCurveTo(x + lean + Math.cos(turn) * reach * 0.5, y - height + Math.sin(turn) * reach * 0.8 - 24, ex, ey);
        c.quadraticCurveTo(x + lean + Math.cos(turn) * reach * 0.5, y - height + Math.sin(turn) * reach * 0.5 + 12, x + lean, y - height);
      });
    }
  };
  palm(240, 600, 430, 50);
  palm(90, 610, 330, -40);
  palm(1740, 600, 400, -60);

  // A pavilion with warm light.
  rect(1080, 400, 520, 22, "#f3dccb");
  rect(1060, 384, 560, 18, "#3a2f55");
  rect(1100, 420, 480, 200, down(420, 620, "#ffcf8c", "#d9803f"));
  rect(1100, 420, 480, 26, "rgba(90, 40, 30, 0.3)");
  for (const x of [1100, 1256, 1412, 1568]) rect(x - 7, 420, 14, 200, "#f7e6d8");
  for (const x of [1180, 1340, 1490]) {
    stroke("#5a3a34", 3, (c) => { c.moveTo(x, 420); c.lineTo(x, 452); });
    disc(x, 466, 15, "#fff6dc");
    glow(x, 466, 130, "255, 226, 160", 0.7);
  }
  rounded(1150, 560, 380, 62, 14, "#7c4a3f");
  for (const x of [1170, 1294, 1418]) rounded(x, 536, 104, 60, 14, "#c98a68");
  glow(1340, 540, 480, "255, 180, 100", 0.4);

  // Terrace.
  rect(0, 618, W, H - 618, down(618, H, "#c7a898", "#8c7488", "#55486c"));
  for (let i = -14; i < 34; i++) stroke("rgba(60, 40, 70, 0.28)", 2, (c) => { c.moveTo(960 + (i * 120 - 960) * 0.55, 618); c.lineTo(i * 120 - 400 + (i - 10) * 70, H); });
  for (let i = 1; i < 9; i++) rect(0, 618 + i * i * 5.4, W, 2, "rgba(60, 40, 70, 0.22)");

  // Pool in perspective.
  const edge = [[470, 700], [1500, 700], [1830, 1010], [90, 1010]];
  const rim = [[440, 686], [1530, 686], [1890, 1034], [30, 1034]];
  poly(rim, "#f1ddd0");
  layer({ clip: (c) => trace(c, edge) }, () => {
    backdrop(down(690, 1010, "#2fb6c9", "#1583b0", "#0d4f8c"));
    glow(960, 760, 620, "150, 255, 250", 0.7, 0.35);
    for (const x of [640, 960, 1290]) glow(x, 712, 200, "230, 255, 250", 0.85, 0.6);
    for (let i = 0; i < 170; i++) {
      const y = 700 + Math.pow(random(), 1.3) * 310;
      const size = 16 + (y - 700) * 0.22;
      stroke(`rgba(210, 255, 252, ${random.between(0.08, 0.34)})`, 1.5 + (y - 700) * 0.009, (c) => {
        const x = random() * W;
        c.moveTo(x, y);
        c.bezierCurveTo(x + size * 0.4, y - size * 0.2, x + size * 0.7, y + size * 0.2, x + size * 1.3, y);
      });
    }
    layer({ blur: 10, blend: "screen", alpha: 0.5 }, () => rect(1120, 700, 440, 120, down(700, 820, "rgba(255, 190, 110, 0.8)", "rgba(255, 190, 110, 0)")));
    rect(0, 700, W, 9, "rgba(10, 50, 90, 0.35)");
  });
  stroke("rgba(255, 255, 255, 0.5)", 3, (c) => trace(c, edge));

  // Loungers.
  const lounger = (x, y, s) => at(x, y, () => {
    layer({ blur: 8 }, () => at(x, y, () => oval(90, 16, 180, 16, "rgba(30, 16, 50, 0.5)"), s));
    stroke("#5c3c33", 9, (c) => { c.moveTo(-60, -14); c.lineTo(-60, 14); c.moveTo(200, -14); c.lineTo(200, 14); });
    rounded(-80, -34, 300, 26, 12, linear(-80, -34, 220, -34, "#fff5ea", "#e0c8bd"));
    shape(linear(-160, -130, -60, -20, "#ffffff", "#e6d2c6"), (c) => { c.moveTo(-76, -34); c.lineTo(-176, -128); c.lineTo(-150, -142); c.lineTo(-40, -34); });
    rounded(60, -46, 90, 20, 8, "#e58a6b");
  }, s);
  lounger(250, 690, 0.62);
  lounger(100, 800, 0.8);
  // Lanterns on the rim.
  for (const [x, y, s] of [[420, 694, 0.7], [1552, 694, 0.7], [1700, 800, 0.95], [1850, 930, 1.25]]) {
    rounded(x - 16 * s, y - 52 * s, 32 * s, 52 * s, 5, "#2a2140");
    rounded(x - 11 * s, y - 45 * s, 22 * s, 38 * s, 4, "#ffd98f");
    glow(x, y - 26 * s, 140 * s, "255, 196, 110", 0.85);
  }
  layer({ blur: 5 }, () => {
    crown(1900, 1070, 150, ["#0e1830", "#14243c", "#1d3448"], random, -1);
    crown(-10, 1075, 110, ["#0e1830", "#14243c", "#1d3448"], random, 1);
  });
  vignette(0.35);
});
