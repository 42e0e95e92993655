// A modern house with lit windows at dusk, a lawn and a drive before it.
picture(1920, 1080, "jpeg", () => {
  const random = chance(12);
  const ground = 770;
  backdrop(down(0, ground, "#1c2550", "#4b3f7c", "#c26a7f", "#f7a56f", [1, "#ffd08a"]));
  stars(3, 90, 330, 1.1);
  glow(330, ground, 900, "255, 170, 110", 0.75, 0.6);
  layer({ blur: 5, alpha: 0.6 }, () => {
    for (const [x, y, w] of [[380, 330, 700], [1500, 260, 620], [980, 440, 500], [1780, 470, 480], [120, 500, 520]]) {
      oval(x, y, w / 2, 13, "#e58c88");
      oval(x + 70, y + 18, w / 3, 9, "#f5ab8a");
    }
  });
  roll(9, 720, 50, "#5a4476", 0.8);
  roll(21, 752, 36, "#3f335f", 1.3);
  for (let i = 0; i < 60; i++) pine(random() * W, 776, random.between(50, 130), "#332b54", random);

  // Trees behind the house.
  const leaves = ["#1e2a48", "#2a3b5a", "#4b4d6e"];
  for (const [x, y, r] of [[190, 600, 150], [60, 660, 120], [1790, 580, 170], [1620, 640, 110]]) {
    rect(x - 8, y, 16, ground - y, "#1b2138");
    crown(x, y, r, leaves, random, -1);
  }

  const windowPane = (x, y, w, h, columns, rows = 1) => {
    rect(x - 5, y - 5, w + 10, h + 10, "#23263c");
    rect(x, y, w, h, linear(x, y, x + w * 0.3, y + h, "#fff0c2", "#ffd07a", "#f29a4a"));
    layer({ clip: (c) => c.rect(x, y, w, h) }, () => {
      disc(x + w * 0.5, y + h * 0.1, w * 0.28, radial(x + w * 0.5, y + h * 0.1, w * 0.28, "rgba(255, 252, 230, 0.9)", "rgba(255, 240, 190, 0)"));
      rect(x, y, w * 0.08, h, "rgba(150, 80, 50, 0.4)");
      rect(x + w * 0.92, y, w * 0.08, h, "rgba(150, 80, 50, 0.4)");
      rounded(x + w * 0.28, y + h * 0.74, w * 0.44, h * 0.3, 8, "rgba(140, 74, 44, 0.55)");
      poly([[x, y], [x + w * 0.5, y], [x + w * 0.1, y + h], [x, y + h]], "rgba(255, 255, 255, 0.12)");
    });
    for (let i = 1; i < columns; i++) rect(x + (w * i) / columns - 2.5, y, 5, h, "#23263c");
    for (let i = 1; i < rows; i++) rect(x, y + (h * i) / rows - 2.5, w, 5, "#23263c");
    glow(x + w / 2, y + h / 2, Math.max(w, h) * 0.95, "255, 180, 90", 0.34);
  };

  // Ground floor: a long white block with stone on the left.
  layer({ shadow: [0, 18, 40, "rgba(15, 10, 40, 0.5)"] }, () => {
    rect(470, 560, 1010, 210, linear(470, 560, 1480, 770, "#f2dfd6", "#c9b3c2", "#8e82a6"));
  });
  rect(470, 560, 230, 210, "#6c5b76");
  for (let row = 0; row < 12; row++) {
    for (let column = 0; column < 6; column++) {
      const shift = row % 2 ? 20 : 0;
      rounded(472 + column * 40 - shift * 0.5 + random.between(-3, 3), 562 + row * 17.4, random.between(30, 38), 15, 2,
        random.pick(["#80698a", "#735f80", "#8f7590", "#665672", "#9a7f93"]));
    }
  }
  // Upper floor, shifted to the right, with wood.
  layer({ shadow: [0, 26, 44, "rgba(15, 10, 40, 0.55)"] }, () => {
    rect(640, 330, 760, 220, linear(640, 330, 1400, 550, "#fff1e4", "#dcc4cc", "#9c8fb2"));
  });
  const wood = across(640, 900, "#a8624a", "#7d4546");
  rect(640, 330, 250, 220, wood);
  for (let x = 640; x < 890; x += 14) rect(x, 330, 2, 220, "rgba(50, 20, 40, 0.35)");
  rect(606, 306, 830, 30, linear(606, 306, 1436, 306, "#4a3a5c", "#2b2644"));
  rect(606, 306, 830, 5, "rgba(255, 200, 160, 0.55)");
  rect(430, 544, 1090, 26, linear(430, 544, 1520, 544, "#4a3a5c", "#2b2644"));
  rect(430, 544, 1090, 4, "rgba(255, 200, 160, 0.5)");
  rect(640, 336, 760, 16, "rgba(30, 18, 50, 0.28)");
  rect(470, 570, 1010, 16, "rgba(30, 18, 50, 0.32)");

  windowPane(930, 372, 300, 158, 3);
  windowPane(1270, 372, 96, 158, 1, 2);
  windowPane(690, 380, 150, 110, 2);
  windowPane(930, 604, 420, 166, 4);
  windowPane(738, 604, 60, 166, 1, 3);
  // The door with its lamp.
  rounded(818, 600, 84, 170, 3, "#23263c");
  rect(825, 607, 70, 163, linear(825, 607, 895, 770, "#b9653f", "#7d3c33"));
  for (const y of [630, 668, 706]) rect(836, y, 48, 20, "rgba(255, 214, 140, 0.8)");
  rect(886, 690, 4, 34, "#ffe3ad");
  glow(860, 590, 150, "255, 200, 120", 0.7);
  // The garage.
  rect(1385, 610, 78, 160, "#3b3453");
  for (let y = 616; y < 768; y += 22) rect(1390, y, 68, 17, "#544a6e");
  // A balcony of glass.
  rect(900, 486, 500, 62, "rgba(200, 220, 255, 0.16)");
  rect(900, 484, 500, 4, "#e8d6da");
  for (let x = 900; x <= 1400; x += 100) rect(x - 2, 484, 4, 64, "rgba(240, 226, 232, 0.8)");
  // Chimney.
  rect(1240, 250, 66, 60, linear(1240, 250, 1306, 250, "#8a6f86", "#4d4264"));
  rect(1232, 242, 82, 12, "#3a3050");

  // Lawn and drive.
  rect(0, ground, W, H - ground, down(ground, H, "#3d5a54", "#24403f", "#13272f"));
  layer({ blur: 14, blend: "screen", alpha: 0.65 }, () => {
    poly([[930, ground], [1350, ground], [1470, 900], [830, 900]], "rgba(255, 176, 90, 0.55)");
    poly([[810, ground], [905, ground], [930, 930], [760, 930]], "rgba(255, 190, 110, 0.6)");
  });
  shape(down(ground, H, "#a1849a", "#6f6286", "#4b4668"), (c) => {
    c.moveTo(822, ground);
    c.lineTo(900, ground);
    c.bezierCurveTo(950, 880, 900, 960, 1120, H);
    c.lineTo(640, H);
    c.bezierCurveTo(800, 960, 800, 880, 822, ground);
  });
  for (let i = 0; i < 7; i++) {
    const y = 792 + i * i * 6.5;
    rect(700, y, 500, 2 + i * 0.5, "rgba(40, 30, 66, 0.22)");
  }
  for (let i = 0; i < 1500; i++) {
    const y = ground + Math.pow(random(), 0.7) * (H - ground);
    const x = random() * W;
    const size = 4 + (y - ground) * 0.06;
    const drive = 860 + (y - 900) * 0.1;
    if (Math.abs(x - drive) < 90 + (y - ground) * 0.62) continue;
    stroke(random.pick(["rgba(96, 140, 110, 0.35)", "rgba(16, 40, 44, 0.45)", "rgba(150, 160, 110, 0.25)"]), 1.6 + size * 0.05, (c) => {
      c.moveTo(x, y);
      c.lineTo(x + random.between(-3, 3), y - size);
    });
  }
  // Hedges and lamps along the house and the drive.
  for (const [x, r] of [[510, 40], [570, 34], [632, 38], [690, 30], [1110, 26], [1170, 30], [1240, 26], [1500, 46], [1570, 40]]) {
    crown(x, ground + 2, r, ["#1f3a3c", "#2f5550", "#58775c"], random, 1);
  }
  for (const [x, y, s] of [[760, 850, 0.8], [985, 850, 0.8], [690, 965, 1.2], [1130, 965, 1.2]]) {
    rounded(x - 4 * s, y - 46 * s, 8 * s, 46 * s, 3, "#1d1b33");
    rounded(x - 9 * s, y - 60 * s, 18 * s, 18 * s, 4, "#ffe6ae");
    glow(x, y - 50 * s, 120 * s, "255, 200, 120", 0.75);
    glow(x, y, 130 * s, "255, 200, 120", 0.4, 0.3);
  }
  // Branches in the corner, out of focus.
  layer({ blur: 4 }, () => {
    crown(1880, 1010, 190, ["#0f1d2b", "#152a37", "#1e3a44"], random, -1);
    crown(20, 1040, 170, ["#0f1d2b", "#152a37", "#1e3a44"], random, 1);
  });
  vignette(0.35);
});
