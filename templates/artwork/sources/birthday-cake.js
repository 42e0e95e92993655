// A cake with candles on a stand.
picture(900, 900, "jpeg", () => {
  const random = chance(14);
  backdrop(linear(0, 0, W, H, "#3b2a6e", "#7a3f94", "#d4628e"));
  glow(450, 300, 560, "255, 190, 120", 0.7);
  for (let i = 0; i < 34; i++) disc(random() * W, random() * 640, random.between(10, 46), `rgba(255, ${Math.round(random.between(180, 230))}, 170, ${random.between(0.05, 0.2)})`);
  rect(0, 740, W, 160, down(740, H, "#f7c9a8", "#d98f86"));
  rect(0, 736, W, 6, "#ffe2c8");
  layer({ blur: 16 }, () => oval(450, 820, 330, 28, "rgba(70, 16, 50, 0.5)"));
  shape(across(380, 520, "#ffffff", "#e4d2e0"), (c) => trace(c, [[410, 720], [490, 720], [530, 816], [370, 816]]));
  oval(450, 818, 110, 18, "#efe0ea");
  oval(450, 716, 340, 42, "#d9c2d6");
  oval(450, 706, 340, 42, across(110, 790, "#ffffff", "#f4e6f0", "#d9c2d6"));
  const tier = (y, rx, h, [light, middle, dark], icing) => {
    const ry = rx * 0.13;
    shape(across(450 - rx, 450 + rx, light, middle, dark), (c) => { c.moveTo(450 - rx, y); c.lineTo(450 - rx, y + h); c.ellipse(450, y + h, rx, ry, 0, Math.PI, 0, true); c.lineTo(450 + rx, y); });
    oval(450, y, rx, ry, icing);
    const drops = Math.round(rx / 22);
    shape(icing, (c) => {
      c.moveTo(450 - rx, y);
      for (let i = 0; i < drops; i++) {
        const x = 450 - rx + (2 * rx * (i + 0.5)) / drops;
        const base = y + Math.sqrt(Math.max(0, 1 - ((x - 450) / rx) ** 2)) * ry;
        const drip = random.between(16, 54);
        const half = rx / drops;
        c.lineTo(x - half * 0.62, base);
        c.bezierCurveTo(x - half * 0.6, base + drip, x + half * 0.6, base + drip, x + half * 0.62, base);
      }
      c.lineTo(450 + rx, y);
    });
  };
  tier(560, 280, 140, ["#ffc2d0", "#f58aa8", "#c04f80"], "#fff6ee");
  for (let i = 0; i < 22; i++) { const x = 190 + i * 24.7; disc(x, 700 + Math.sqrt(Math.max(0, 1 - ((x - 450) / 280) ** 2)) * 36 - 6, 13, i % 2 ? "#fff6ee" : "#ffd76a"); }
  tier(430, 200, 130, ["#fff2d8", "#ffd79a", "#d99a5c"], "#f0587a");
  for (let i = 0; i < 60; i++) at(random.between(200, 700), random.between(630, 690), () => rounded(-7, -2.5, 14, 5, 2.5, random.pick(["#ffd76a", "#7fe0d4", "#fff6ee", "#a99bff"])), 1, random() * 6.3);
  for (let i = 0; i < 9; i++) { const x = 290 + i * 40; disc(x, 428 + Math.sqrt(Math.max(0, 1 - ((x - 450) / 200) ** 2)) * 20, 17, radial(x - 5, 420, 24, "#ff9aa8", "#d4224e")); }
  // Candles.
  for (const [i, x] of [330, 390, 450, 510, 570].entries()) {
    const foot = 436 - Math.abs(i - 2) * 3;
    rounded(x - 9, foot - 120, 18, 120, 5, across(x - 9, x + 9, "#ffffff", i % 2 ? "#8fe0da" : "#ffd08a"));
    for (let k = 0; k < 4; k++) poly([[x - 9, foot - 100 + k * 30], [x + 9, foot - 112 + k * 30], [x + 9, foot - 102 + k * 30], [x - 9, foot - 90 + k * 30]], i % 2 ? "#3fb8b0" : "#f0587a");
    stroke("#4a2a30", 3, (c) => { c.moveTo(x, foot - 120); c.lineTo(x, foot - 134); });
    shape(down(foot - 186, foot - 130, "#fff7c8", "#ffc23f", "#ff7a2f"), (c) => { c.moveTo(x, foot - 190); c.bezierCurveTo(x + 22, foot - 156, x + 14, foot - 130, x, foot - 130); c.bezierCurveTo(x - 14, foot - 130, x - 22, foot - 156, x, foot - 190); });
    oval(x, foot - 144, 5, 11, "#fffbe8");
    glow(x, foot - 156, 120, "255, 200, 110", 0.8);
  }
  vignette(0.3);
});
