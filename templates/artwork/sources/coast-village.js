// White houses with blue domes above a calm sea, in the afternoon.
picture(1920, 1080, "jpeg", () => {
  const random = chance(58);
  const sea = 470;
  backdrop(down(0, sea, "#2f8fd6", "#8fcdf0", "#fbe6cf"));
  glow(420, 300, 700, "255, 244, 214", 0.8);
  layer({ blur: 2 }, () => {
    cloud(1380, 210, 460, down(120, 220, "#ffffff", "rgba(255, 255, 255, 0.25)"), random);
    cloud(760, 150, 300, down(90, 160, "#ffffff", "rgba(255, 255, 255, 0.2)"), random);
    cloud(160, 240, 340, down(180, 250, "#ffffff", "rgba(255, 255, 255, 0.2)"), random);
  });
  layer({ alpha: 0.75 }, () => {
    poly([...ridgeLine(17, sea + 20, 130, 0.5).filter(([x]) => x < 900).map(([x, y]) => [x, Math.min(sea, y + x * 0.06)]), [900, sea], [0, sea]], "#8db4d2");
  });
  rect(0, sea, W, H - sea, down(sea, 900, "#5fb9dd", "#1f86c0", "#0f5f9f"));
  layer({ blend: "screen" }, () => {
    for (let i = 0; i < 260; i++) {
      const y = sea + 4 + Math.pow(random(), 1.7) * 420;
      oval(420 + random.between(-1, 1) * (120 + (y - sea) * 1.5), y, random.between(8, 34) * (0.5 + (y - sea) / 300), 1 + (y - sea) * 0.006, `rgba(255, 250, 226, ${random.between(0.12, 0.5)})`);
    }
  });
  const boat = (x, y, s) => at(x, y, () => {
    oval(0, 6, 62, 6, "rgba(10, 50, 90, 0.35)");
    poly([[-6, -6], [-6, -118], [50, -10]], "#ffffff");
    poly([[-12, -6], [-12, -96], [-48, -10]], "#f4d9c6");
    shape("#d9573f", (c) => { c.moveTo(-56, -4); c.lineTo(60, -4); c.quadraticCurveTo(48, 14, 30, 14); c.lineTo(-34, 14); c.quadraticCurveTo(-52, 10, -56, -4); });
  }, s);
  boat(900, 610, 0.95);
  boat(800, 512, 0.45);
  boat(1040, 498, 0.34);

  // The cliff on the right, terraces of houses on it.
  shape(linear(900, 400, 1900, 1000, "#c39a7e", "#8d6557"), (c) => {
    c.moveTo(W, 250);
    c.bezierCurveTo(1640, 290, 1480, 400, 1330, 470);
    c.bezierCurveTo(1180, 560, 1060, 700, 900, 780);
    c.bezierCurveTo(740, 860, 640, 960, 560, H);
    c.lineTo(W, H);
  });
  for (let i = 0; i < 90; i++) {
    const x = random.between(760, 1900);
    const y = random.between(600, 1050);
    if (x < 1700 - (y - 400) * 1.3) continue;
    poly([[x, y], [x + random.between(30, 80), y + random.between(-14, 14)], [x + random.between(10, 40), y + random.between(40, 90)]], "rgba(90, 54, 48, 0.18)");
  }
  const house = (x, y, w, h, dome) => {
    layer({ shadow: [10, 12, 20, "rgba(60, 60, 110, 0.35)"] }, () => rect(x, y, w, h, across(x, x + w, "#ffffff", "#f6f1ee", "#d7d9ea")));
    rect(x + w * 0.72, y, w * 0.28, h, "rgba(140, 156, 206, 0.22)");
    rounded(x - 5, y - 10, w + 10, 14, 4, "#ffffff");
    if (dome) {
      shape(linear(x, y, x + w, y, "#5fb2f0", "#2b73c8", "#1a4f9c"), (c) => { c.moveTo(x + w * 0.08, y - 8); c.bezierCurveTo(x + w * 0.08, y - w * 0.62, x + w * 0.92, y - w * 0.62, x + w * 0.92, y - 8); });
      disc(x + w * 0.5, y - w * 0.475, 6, "#ffffff");
    }
    const count = Math.max(1, Math.round(w / 64));
    for (let i = 0; i < count; i++) {
      const wx = x + (w * (i + 0.5)) / count - 12;
      if (i === 0 && h > 115) {
        shape("#2a74bf", (c) => { c.moveTo(wx, y + h); c.lineTo(wx, y + h - 56); c.arc(wx + 15, y + h - 56, 15, Math.PI, 0); c.lineTo(wx + 30, y + h); });
      } else {
        rounded(wx, y + h * 0.32, 24, 34, 5, "#3e83c4");
        rect(wx - 3, y + h * 0.32 + 36, 30, 5, "#e4e2ea");
      }
    }
  };
  const bloom = (x, y, r) => {
    crown(x, y, r, ["#2f6a4c", "#3f8a5e", "#5aa873"], random, -1);
    for (let i = 0; i < r * 1.6; i++) disc(x + random.between(-r, r) * 0.95, y + random.between(-r, r) * 0.75, random.between(3, 7), random.pick(["#e2397d", "#f5629b", "#c92a6b", "#ff8fb8"]));
  };
  house(1640, 250, 240, 130, true);
  house(1500, 330, 170, 110, false);
  house(1790, 360, 210, 140, false);
  house(1370, 420, 180, 130, false);
  house(1560, 430, 210, 140, true);
  bloom(1540, 560, 30);
  house(1230, 530, 190, 130, false);
  house(1440, 560, 240, 150, false);
  house(1700, 530, 260, 190, false);
  house(1090, 640, 170, 120, true);
  house(1290, 690, 230, 160, false);
  house(1550, 710, 280, 190, true);
  bloom(1270, 850, 46);
  house(960, 780, 200, 140, false);
  house(1190, 860, 280, 190, false);
  house(1500, 910, 430, 200, false);
  house(760, 930, 260, 170, false);
  bloom(1480, 960, 60);
  bloom(1060, 960, 54);
  bloom(700, 1060, 70);
  // Flowers hang into the view.
  layer({ blur: 3 }, () => {
    for (let i = 0; i < 9; i++) bloom(40 + i * 62, 26 + Math.sin(i) * 24 - i * 6, 66 - i * 4);
  });
  vignette(0.22);
});
