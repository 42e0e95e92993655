// A desk by the window in the morning: laptop, cup, plant, notebook.
picture(1080, 1080, "jpeg", () => {
  const random = chance(27);
  backdrop(linear(0, 0, 0, 760, "#ffe6cc", "#ffd0b0", "#f7b597"));
  layer({ shadow: [0, 8, 30, "rgba(140, 70, 50, 0.3)"] }, () => rect(90, 70, 480, 480, "#fffaf4"));
  layer({ clip: (c) => c.rect(112, 92, 436, 436) }, () => {
    backdrop(down(92, 528, "#7fc6f0", "#cdeaf4", "#ffeecb"));
    disc(440, 210, 54, "#fff7dc");
    glow(440, 210, 260, "255, 236, 180", 0.9);
    cloud(230, 200, 200, "rgba(255, 255, 255, 0.9)", random);
    for (let i = 0; i < 9; i++) {
      const h = random.between(110, 250);
      const x = 104 + i * 52;
      rect(x, 528 - h, 48, h, i % 2 ? "#8fa8d0" : "#a9bcdc");
      for (let w = 0; w < 8; w++) if (random() < 0.6) rect(x + 8 + (w % 2) * 20, 528 - h + 16 + Math.floor(w / 2) * 30, 10, 14, "rgba(255, 240, 200, 0.85)");
    }
  });
  rect(322, 82, 14, 456, "#fffaf4");
  rect(102, 300, 456, 14, "#fffaf4");
  // Shelf with books.
  rounded(660, 330, 340, 18, 6, "#b9764e");
  rect(660, 348, 340, 8, "rgba(120, 60, 40, 0.25)");
  for (const [x, h, w, colour] of [[680, 120, 34, "#e0566b"], [716, 140, 28, "#3f7fb4"], [746, 110, 38, "#f0b04c"], [786, 132, 26, "#4f9a80"]]) { rounded(x, 330 - h, w, h, 4, colour); rect(x + 5, 330 - h + 16, w - 10, 6, "rgba(255, 255, 255, 0.5)"); }
  shape("#fff6ec", (c) => trace(c, [[872, 262], [952, 262], [940, 330], [884, 330]]));
  crown(912, 226, 54, ["#2f7a5a", "#45986e", "#74bd88"], random, -1);
  layer({ blur: 12, blend: "soft-light", alpha: 0.8 }, () => poly([[600, 80], [1000, 40], [1080, 620], [760, 700]], "#fff6dc"));
  // Desk.
  rect(0, 760, W, 320, down(760, H, "#c98a5c", "#a8683f", "#85492b"));
  for (let i = 0; i < 9; i++) rect(0, 772 + i * i * 4, W, 2, "rgba(90, 40, 20, 0.16)");
  rect(0, 756, W, 8, "#e6b088");
  layer({ blur: 14 }, () => oval(500, 880, 380, 34, "rgba(70, 26, 10, 0.5)"));
  // Laptop.
  layer({ shadow: [0, 10, 30, "rgba(80, 30, 20, 0.35)"] }, () => rounded(240, 480, 520, 350, 22, linear(240, 480, 760, 830, "#4b4a66", "#2a2942")));
  layer({ clip: (c) => c.roundRect(260, 500, 480, 312, 10) }, () => {
    backdrop(linear(260, 500, 740, 812, "#6f5cff", "#c35cf0", "#ff8a8a"));
    disc(660, 560, 90, "rgba(255, 224, 160, 0.9)");
    roll(12, 760, 40, "rgba(60, 30, 150, 0.6)", 2.4);
    roll(20, 800, 30, "rgba(40, 16, 110, 0.75)", 3);
    rounded(300, 560, 200, 22, 11, "rgba(255, 255, 255, 0.9)");
    rounded(300, 600, 140, 16, 8, "rgba(255, 255, 255, 0.55)");
    rounded(300, 642, 110, 40, 20, "#ffffff");
    poly([[260, 500], [420, 500], [300, 812], [260, 812]], "rgba(255, 255, 255, 0.12)");
  });
  shape(linear(180, 830, 820, 880, "#f0eef6", "#bdb9d0"), (c) => { c.moveTo(200, 830); c.lineTo(800, 830); c.lineTo(850, 872); c.quadraticCurveTo(850, 884, 836, 884); c.lineTo(164, 884); c.quadraticCurveTo(150, 884, 150, 872); });
  rounded(440, 836, 120, 12, 6, "#a8a4bf");
  // Cup with steam.
  layer({ blur: 10 }, () => oval(910, 906, 90, 14, "rgba(70, 26, 10, 0.5)"));
  stroke("#f2684f", 18, (c) => c.arc(968, 836, 32, -1.4, 1.5));
  shape(linear(840, 780, 980, 780, "#ff927a", "#e2523f"), (c) => { c.moveTo(842, 780); c.lineTo(968, 780); c.quadraticCurveTo(966, 902, 905, 902); c.quadraticCurveTo(844, 902, 842, 780); });
  oval(905, 780, 63, 13, "#ffd9c8");
  oval(905, 782, 53, 9, "#5a2f1e");
  layer({ blur: 7, alpha: 0.75 }, () => { for (const x of [880, 918]) stroke("rgba(255, 255, 255, 0.8)", 10, (c) => { c.moveTo(x, 760); c.bezierCurveTo(x - 36, 700, x + 40, 670, x, 590); }); });
  // Notebook and pencil.
  at(190, 970, () => {
    layer({ blur: 8 }, () => at(196, 980, () => rounded(-130, -60, 270, 130, 8, "rgba(70, 26, 10, 0.4)"), 1, -0.08));
    rounded(-130, -66, 262, 126, 10, "#2f7f86");
    rounded(-122, -60, 250, 114, 8, "#fffaf0");
    for (let i = 0; i < 5; i++) rect(-96, -38 + i * 18, 190 - (i % 2) * 50, 4, "rgba(60, 90, 110, 0.35)");
  }, 1, -0.08);
  at(420, 980, () => { rounded(-120, -8, 220, 16, 4, "#f5b53f"); poly([[100, -8], [132, 0], [100, 8]], "#f7dcb4"); poly([[122, -3], [132, 0], [122, 3]], "#33272e"); rounded(-136, -8, 22, 16, 5, "#ee7f86"); }, 1, 0.12);
  layer({ blend: "multiply", alpha: 0.6 }, () => vignette(0.3));
});
