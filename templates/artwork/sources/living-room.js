// A bright living room: sofa, lamp, plant, and a wide window with hills outside.
picture(1920, 1080, "jpeg", () => {
  const random = chance(77);
  const floor = 800;
  backdrop(linear(0, 0, W, floor, "#f7efe6", "#efe0d2", "#e2cdbb"));

  // The window and what it shows.
  const view = (c) => c.rect(140, 120, 800, 560);
  layer({ shadow: [0, 10, 40, "rgba(120, 80, 50, 0.25)"] }, () => rect(122, 102, 836, 596, "#fffaf4"));
  layer({ clip: view }, () => {
    backdrop(down(120, 680, "#8fc7ea", "#d5ecf2", "#fff1d8"));
    glow(760, 300, 420, "255, 236, 190", 0.9);
    cloud(330, 260, 300, "rgba(255, 255, 255, 0.85)", random);
    cloud(720, 220, 220, "rgba(255, 255, 255, 0.7)", random);
    roll(4, 520, 50, "#a7cdbd", 1.6);
    roll(15, 570, 46, "#7fb79b", 2.1);
    roll(8, 630, 36, "#579878", 2.6);
    for (let i = 0; i < 26; i++) {
      crown(random.between(140, 940), random.between(600, 690), random.between(18, 42), ["#3c7a5e", "#4f9270", "#7cb586"], random, 1);
    }
  });
  for (const x of [400, 666]) rect(x, 112, 12, 576, "#fffaf4");
  rect(132, 400, 816, 10, "#fffaf4");
  rect(100, 690, 880, 22, "#fffdf9");
  rect(100, 710, 880, 8, "rgba(120, 80, 50, 0.18)");
  // Curtains.
  const curtain = (x, w) => {
    for (let i = 0; i < 8; i++) {
      const left = x + (w * i) / 8;
      rect(left, 70, w / 8 + 1, 720, across(left, left + w / 8, "#f4e4d4", "#fff8ef", "#e3ccb8"));
    }
  };
  curtain(46, 130);
  curtain(910, 130);
  rounded(20, 58, 1050, 14, 7, "#b88a5e");

  // Sun on the wall.
  layer({ blur: 8, blend: "soft-light", alpha: 0.9 }, () => {
    poly([[1150, 160], [1420, 110], [1600, 640], [1320, 700]], "rgba(255, 246, 220, 0.95)");
    poly([[1450, 104], [1700, 60], [1880, 570], [1630, 630]], "rgba(255, 246, 220, 0.8)");
  });
  // Pictures on the wall.
  const frame = (x, y, w, h, draw) => {
    layer({ shadow: [6, 12, 24, "rgba(110, 70, 40, 0.35)"] }, () => rect(x, y, w, h, "#c99a6b"));
    rect(x + 9, y + 9, w - 18, h - 18, "#fffdf8");
    layer({ clip: (c) => c.rect(x + 34, y + 34, w - 68, h - 68) }, () => draw(x + 34, y + 34, w - 68, h - 68));
  };
  frame(1190, 170, 230, 300, (x, y, w, h) => {
    rect(x, y, w, h, "#f3dcc6");
    disc(x + w * 0.55, y + h * 0.38, w * 0.27, "#e2805c");
    oval(x + w * 0.3, y + h, w * 0.6, h * 0.4, "#2f6f73");
    oval(x + w * 0.95, y + h * 1.05, w * 0.55, h * 0.42, "#e9b872");
  });
  frame(1455, 170, 180, 220, (x, y, w, h) => {
    rect(x, y, w, h, "#dfe9e4");
    stroke("#3d7c66", 5, (c) => { c.moveTo(x + w / 2, y + h); c.quadraticCurveTo(x + w * 0.45, y + h * 0.5, x + w * 0.55, y + 12); });
    for (let i = 0; i < 6; i++) oval(x + w * (i % 2 ? 0.72 : 0.3), y + h * (0.85 - i * 0.13), 24, 10, "#4f9a7e", i % 2 ? -0.6 : 0.6);
  });
  frame(1455, 420, 180, 150, (x, y, w, h) => {
    rect(x, y, w, h, "#2f5a68");
    disc(x + w * 0.3, y + h * 0.5, 24, "#f3d6a4");
    disc(x + w * 0.62, y + h * 0.5, 36, "#e2805c");
  });

  // Floor of boards.
  rect(0, floor, W, H - floor, down(floor, H, "#d9ad7f", "#c08c5d", "#a06f46"));
  for (let i = 0; i < 30; i++) {
    const x = (i - 10) * 190;
    stroke("rgba(110, 66, 34, 0.28)", 2.5, (c) => { c.moveTo(960 + (x - 960) * 0.62, floor); c.lineTo(x, H); });
  }
  for (const y of [836, 886, 956, 1040]) rect(0, y, W, 1.5, "rgba(110, 66, 34, 0.14)");
  rect(0, floor - 26, W, 26, "#fffaf3");
  rect(0, floor - 2, W, 5, "rgba(90, 50, 24, 0.3)");
  layer({ blur: 10, blend: "screen", alpha: 0.6 }, () => {
    poly([[260, floor], [560, floor], [760, H], [330, H]], "rgba(255, 226, 170, 0.65)");
    poly([[620, floor], [860, floor], [1180, H], [820, H]], "rgba(255, 226, 170, 0.55)");
  });
  // Rug.
  oval(1180, 975, 640, 92, "#e9ddd0");
  oval(1180, 973, 600, 82, "#f6eee4");
  stroke("#d8876a", 5, (c) => c.ellipse(1180, 973, 560, 72, 0, 0, 7));
  stroke("#7ba597", 4, (c) => c.ellipse(1180, 973, 500, 60, 0, 0, 7));

  // Sofa.
  layer({ blur: 16 }, () => oval(1260, 920, 520, 34, "rgba(80, 44, 22, 0.5)"));
  for (const x of [840, 1640]) rounded(x, 890, 22, 48, 6, "#8a5a34");
  rounded(800, 590, 900, 250, 46, linear(800, 590, 800, 840, "#3f8a86", "#2c6a6c"));
  for (const x of [860, 1255]) rounded(x, 610, 385, 200, 34, linear(x, 610, x, 810, "#55a39b", "#3a807d"));
  for (const x of [852, 1250]) rounded(x, 762, 398, 92, 28, linear(x, 762, x, 854, "#6bb5aa", "#418a85"));
  rounded(790, 840, 920, 62, 24, linear(790, 840, 790, 902, "#347876", "#245a5e"));
  rounded(768, 690, 96, 212, 40, linear(768, 690, 864, 690, "#5aa89f", "#347876"));
  rounded(1640, 690, 96, 212, 40, linear(1640, 690, 1736, 690, "#49948e", "#2a6466"));
  at(985, 720, () => { rounded(-74, -66, 148, 132, 26, linear(-74, -66, 74, 66, "#f3b48a", "#dd7f5c")); stroke("rgba(255,255,255,0.35)", 4, (c) => { c.moveTo(-50, -20); c.lineTo(50, -32); c.moveTo(-50, 10); c.lineTo(50, -2); c.moveTo(-48, 40); c.lineTo(50, 28); }); }, 1, -0.16);
  at(1520, 724, () => rounded(-70, -62, 140, 124, 26, linear(-70, -62, 70, 62, "#fff4e2", "#e5cfb4")), 1, 0.18);
  // Throw over the arm.
  shape(linear(1640, 690, 1740, 860, "#f6d9a8", "#dda95f"), (c) => { c.moveTo(1610, 694); c.quadraticCurveTo(1690, 672, 1742, 704); c.lineTo(1748, 836); c.lineTo(1660, 846); c.quadraticCurveTo(1640, 760, 1610, 694); });

  // Low table.
  layer({ blur: 12 }, () => oval(1130, 1008, 270, 22, "rgba(80, 44, 22, 0.45)"));
  for (const [x, t] of [[960, 8], [1290, -8]]) stroke("#7a4c2a", 12, (c) => { c.moveTo(x, 950); c.lineTo(x + t * 1.6, 1008); });
  oval(1125, 946, 250, 36, "#8d5a34");
  oval(1125, 938, 250, 36, linear(875, 938, 1375, 938, "#c98f5c", "#e3b27e", "#b87a48"));
  rounded(1020, 906, 120, 16, 4, "#3b6f77");
  rounded(1032, 892, 104, 15, 4, "#e7dccb");
  shape("#fffaf2", (c) => { c.moveTo(1210, 890); c.lineTo(1256, 890); c.quadraticCurveTo(1254, 932, 1233, 932); c.quadraticCurveTo(1212, 932, 1210, 890); });

  // Floor lamp.
  stroke("#3a3a44", 8, (c) => { c.moveTo(1800, 930); c.lineTo(1800, 420); });
  oval(1800, 934, 60, 12, "#3a3a44");
  shape(linear(1710, 330, 1890, 330, "#fff4d8", "#f1cf96"), (c) => trace(c, [[1748, 320], [1852, 320], [1894, 450], [1706, 450]]));
  glow(1800, 430, 420, "255, 214, 140", 0.5);

  // Plant on the left.
  layer({ blur: 12 }, () => oval(250, 978, 150, 22, "rgba(80, 44, 22, 0.45)"));
  shape(linear(170, 830, 330, 830, "#f7efe6", "#d9c5b2"), (c) => trace(c, [[164, 818], [336, 818], [312, 980], [188, 980]]));
  const leaf = (turn, length, colour) => at(250, 824, () => {
    shape(colour, (c) => { c.moveTo(0, 0); c.bezierCurveTo(-70, -length * 0.4, -54, -length * 0.85, 0, -length); c.bezierCurveTo(54, -length * 0.85, 70, -length * 0.4, 0, 0); });
    stroke("rgba(255, 255, 255, 0.25)", 3, (c) => { c.moveTo(0, 0); c.lineTo(0, -length * 0.9); });
  }, 1, turn);
  for (const [turn, length, colour] of [[-1.15, 250, "#2c6b52"], [1.2, 240, "#2c6b52"], [-0.8, 320, "#3a8263"], [0.85, 310, "#3a8263"], [-0.42, 390, "#4b9a74"], [0.45, 370, "#56a67e"], [0.02, 440, "#69b98c"]]) leaf(turn, length, colour);
  layer({ blend: "multiply", alpha: 0.5 }, () => vignette(0.35));
});
