// An airliner above a sea of clouds at sunrise; the middle stays calm for words.
picture(1920, 1080, "jpeg", () => {
  const random = chance(52);
  backdrop(down(0, 820, "#16295e", "#34589c", "#8d86b8", "#f0a58f", [1, "#ffdba6"]));
  stars(13, 110, 300, 1);
  glow(960, 790, 1100, "255, 190, 130", 0.75, 0.5);
  disc(960, 770, 92, "#fff4d8");
  glow(960, 770, 420, "255, 228, 170", 0.85);
  layer({ blur: 6, alpha: 0.6 }, () => {
    for (const [x, y, w] of [[330, 250, 520], [1500, 420, 620], [640, 500, 420], [160, 590, 500], [1720, 610, 460]]) {
      oval(x, y, w / 2, 10, "#f7c3b4");
      oval(x + 60, y + 16, w / 3, 7, "#ffd9c0");
    }
  });
  // Rows of clouds, from far and pale to near and blue; each with a lit rim.
  const row = (y, size, step, rim, body, foot) => {
    const puffs = [];
    for (let x = -size; x < W + size; x += step * random.between(0.6, 1.2)) puffs.push([x, y + random.between(-0.35, 0.35) * size, size * random.between(0.5, 1.1)]);
    for (const [x, py, r] of puffs) disc(x, py - r * 0.06, r * 1.02, rim);
    for (const [x, py, r] of puffs) disc(x, py + r * 0.06, r, down(py - r, py + r * 1.2, body, foot));
    rect(0, y + size * 0.5, W, H, foot);
  };
  row(800, 46, 50, "#fff0d0", "#ffdcb8", "#f5b9a2");
  row(845, 70, 76, "#ffe9c8", "#fbc9ac", "#d99a9c");
  row(910, 100, 104, "#ffdfc0", "#e5a9a2", "#a97a9a");
  row(990, 130, 132, "#f7c9b4", "#b98aa4", "#6f5c92");
  row(1090, 150, 160, "#d9a8ac", "#7c6a9c", "#3f4582");
  layer({ blend: "screen", blur: 20, alpha: 0.5 }, () => oval(960, 830, 420, 70, "rgba(255, 230, 180, 0.8)"));
  // The airliner, climbing to the right, and its trail.
  const [px, py, lean] = [1460, 210, -0.2];
  layer({ blur: 5, alpha: 0.85 }, () => at(px, py, () => {
    for (const dy of [-7, 9]) poly([[-150, dy - 4], [-150, dy + 4], [-1250, dy + 26], [-1250, dy - 10]], across(-1250, -150, "rgba(255, 236, 220, 0)", "rgba(255, 240, 226, 0.85)"));
  }, 1, lean));
  at(px, py, () => {
    poly([[-20, -6], [-92, -92], [-62, -92], [54, -8]], "#c9d3ea");
    shape(down(-26, 26, "#ffffff", "#e6ebf6", "#8f9cc0"), (c) => { c.moveTo(-168, -6); c.lineTo(90, -24); c.quadraticCurveTo(152, -22, 172, 0); c.quadraticCurveTo(152, 20, 96, 22); c.lineTo(-120, 20); c.quadraticCurveTo(-150, 14, -168, -6); });
    shape(linear(-190, -80, -110, 0, "#ff9a6a", "#e0496a"), (c) => trace(c, [[-168, -6], [-198, -82], [-162, -82], [-104, -12]]));
    poly([[-150, 4], [-196, 26], [-176, 28], [-104, 10]], "#aab6d6");
    poly([[-10, 6], [-112, 96], [-74, 98], [78, 12]], linear(-110, 96, 70, 6, "#9aa8cc", "#f2f5fc"));
    rounded(-28, 30, 52, 22, 11, "#7a88b0");
    for (let x = -92; x < 110; x += 17) rounded(x, -8, 8, 10, 3, "#41548c");
    shape("#41548c", (c) => trace(c, [[128, -13], [152, -9], [160, -3], [134, -3]]));
  }, 1, lean);
  vignette(0.25);
});
