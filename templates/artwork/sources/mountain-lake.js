// A lake below snowy mountains at sunrise.
picture(1920, 1080, "jpeg", () => {
  const random = chance(41);
  const shore = 690;
  backdrop(down(0, shore, "#274a86", "#5f86b8", "#f2b38c", [1, "#ffdfb0"]));
  glow(1290, 470, 760, "255, 196, 130", 0.95);
  disc(1290, 470, 62, "#fff3d6");
  glow(1290, 470, 260, "255, 226, 170", 0.9);
  layer({ blur: 3, alpha: 0.7 }, () => {
    cloud(420, 250, 560, down(120, 260, "#f7d9d2", "rgba(243, 190, 170, 0.1)"), random);
    cloud(1620, 190, 430, down(80, 200, "#f3dede", "rgba(243, 200, 190, 0.1)"), random);
    cloud(900, 330, 340, down(250, 340, "#ffe0c4", "rgba(255, 200, 160, 0.1)"), random);
  });

  layer({ alpha: 0.9 }, () => hills(5, 640, 330, down(360, shore, "#8f8fb8", "#e9b9a6"), 0.5));

  const snow = ["#c3cfec", "#fff0df"];
  massif(random, [560, 210, 40, 1010], shore, down(210, shore, "#4b5a8c", "#7d7ea6"), down(210, shore, "#a78a9c", "#c99b92"), snow);
  massif(random, [1010, 330, 640, 1420], shore, down(330, shore, "#46568a", "#76789f"), down(330, shore, "#b08f98", "#d3a48f"), snow);
  massif(random, [1650, 300, 1330, 2050], shore, down(300, shore, "#4a5789", "#7a7a9f"), down(300, shore, "#9d8499", "#c1958f"), snow);
  layer({ blur: 26, alpha: 0.75 }, () => {
    rect(-50, shore - 70, W + 100, 70, "rgba(255, 218, 184, 0.9)");
    oval(1250, shore - 40, 620, 60, "rgba(255, 232, 200, 0.9)");
  });

  // Woods along the shore, from pale to dark.
  for (const [base, height, count, colour] of [[shore + 2, 66, 150, "#6b6f92"], [shore + 6, 96, 110, "#3f5276"]]) {
    for (let i = 0; i < count; i++) {
      const x = random() * W;
      const bank = Math.abs(x - 1120) / 1120;
      if (random() > bank + 0.25) continue;
      pine(x, base, height * random.between(0.55, 1.1) * (0.55 + bank * 0.6), colour, random);
    }
  }
  reflection(shore, 1, 1.15, 7);
  rect(0, shore, W, H - shore, down(shore, H, "rgba(255, 214, 170, 0.12)", "rgba(28, 58, 110, 0.35)", "rgba(12, 32, 70, 0.8)"));
  layer({ blend: "screen", blur: 1 }, () => {
    for (let i = 0; i < 90; i++) {
      const y = shore + 8 + Math.pow(random(), 1.4) * 260;
      const spread = 30 + (y - shore) * 0.55;
      oval(1290 + random.between(-spread, spread), y, random.between(14, 60), 1.6 + (y - shore) * 0.006, "rgba(255, 222, 170, 0.45)");
    }
  });
  rect(0, shore - 1, W, 2, "rgba(255, 236, 210, 0.5)");

  // The near bank frames the view.
  shape("#14233f", (c) => {
    c.moveTo(0, 900);
    c.bezierCurveTo(220, 880, 330, 960, 560, 1010);
    c.bezierCurveTo(700, 1040, 820, 1060, 900, H);
    c.lineTo(0, H);
  });
  shape("#14233f", (c) => {
    c.moveTo(W, 930);
    c.bezierCurveTo(1780, 930, 1640, 990, 1480, H);
    c.lineTo(W, H);
  });
  for (let i = 0; i < 15; i++) {
    const x = -20 + i * 34 + random.between(-12, 12);
    pine(x, 925 + i * 7, random.between(210, 470) * (1 - i * 0.035), i % 2 ? "#101d36" : "#182b4c", random);
  }
  for (let i = 0; i < 9; i++) {
    const x = W + 10 - i * 36 + random.between(-12, 12);
    pine(x, 950 + i * 12, random.between(200, 400) * (1 - i * 0.06), i % 2 ? "#101d36" : "#182b4c", random);
  }
  for (let i = 0; i < 240; i++) {
    const x = i % 3 ? random() * 860 : W - random() * 400;
    const y = H - random.between(0, 40);
    stroke("rgba(20, 38, 66, 0.9)", 3, (c) => {
      c.moveTo(x, y + 30);
      c.quadraticCurveTo(x, y, x + random.between(-14, 14), y - random.between(10, 34));
    });
  }
  vignette(0.28);
});
