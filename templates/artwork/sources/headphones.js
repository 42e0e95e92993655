// Headphones on a round podium, studio light, peach and violet.
picture(1200, 1200, "jpeg", () => {
  backdrop(linear(0, 0, W, H, "#ffd9c2", "#ffb8a8", "#e58fb0", "#a974d6"));
  disc(600, 520, 430, linear(300, 150, 900, 950, "#fff1e4", "#ffc9b8", "#f096b4"));
  glow(420, 260, 620, "255, 246, 230", 0.7);
  // Arch and panels of the set.
  layer({ shadow: [18, 26, 50, "rgba(110, 40, 110, 0.28)"] }, () => shape(linear(850, 300, 1120, 900, "#f7a6b4", "#b873cf"), (c) => { c.moveTo(850, 960); c.lineTo(850, 480); c.arc(990, 480, 140, Math.PI, 0); c.lineTo(1130, 960); }));
  shape(linear(880, 300, 1100, 960, "#8b52b8", "#5d3a9a"), (c) => { c.moveTo(884, 960); c.lineTo(884, 484); c.arc(990, 484, 106, Math.PI, 0); c.lineTo(1096, 960); });
  layer({ shadow: [14, 24, 44, "rgba(110, 40, 110, 0.25)"] }, () => disc(190, 800, 108, radial(150, 740, 190, "#fff4e6", "#ffc59a", "#f0857a")));
  // Floor and podium.
  rect(0, 930, W, 270, down(930, H, "#f3a3b8", "#c477c8", "#8f57b8"));
  layer({ blur: 30 }, () => oval(640, 1080, 480, 60, "rgba(80, 30, 110, 0.45)"));
  const drum = (y, rx, ry, h, side, top) => {
    shape(side, (c) => { c.moveTo(600 - rx, y); c.lineTo(600 - rx, y + h); c.ellipse(600, y + h, rx, ry, 0, Math.PI, 0, true); c.lineTo(600 + rx, y); });
    oval(600, y, rx, ry, top);
  };
  drum(960, 430, 74, 70, across(170, 1030, "#ffe4d2", "#f2a9b6", "#a865c2", "#7a48a8"), across(170, 1030, "#fff4ea", "#ffcfc4", "#dc94cc"));
  drum(876, 330, 56, 70, across(270, 930, "#fff0e4", "#f7b9b8", "#b673cb", "#8450b2"), across(270, 930, "#ffffff", "#ffe0d4", "#eaaed2"));
  layer({ blur: 16 }, () => oval(614, 882, 250, 30, "rgba(90, 30, 110, 0.5)"));

  // The headband: outer shell, cushion inside.
  const arc = (r, ry, from = Math.PI * 1.02, to = Math.PI * 1.98) => (c) => c.ellipse(600, 540, r, ry, 0, from, to);
  layer({ shadow: [0, 18, 34, "rgba(70, 20, 90, 0.4)"] }, () => stroke(across(340, 860, "#3a3560", "#6a63a0", "#2b2750", "#1c1938"), 50, arc(262, 300)));
  stroke(across(340, 860, "rgba(255, 255, 255, 0.65)", "rgba(255, 255, 255, 0.15)", "rgba(255, 255, 255, 0)"), 7, arc(276, 314, Math.PI * 1.08, Math.PI * 1.6));
  stroke(across(380, 820, "#ffb79c", "#f58d8d", "#b9577f"), 30, arc(228, 266, Math.PI * 1.16, Math.PI * 1.84));
  for (const side of [-1, 1]) {
    at(600 + side * 268, 0, () => {
      // Slider and yoke.
      rounded(-13, 500, 26, 150, 12, across(-13, 13, "#fff2e6", "#d9b6c2", "#9a7aa8"));
      stroke(across(-60, 60, "#4a4478", "#2b2750"), 18, (c) => { c.moveTo(0, 600); c.bezierCurveTo(side * 62, 606, side * 66, 700, side * 50, 740); });
      // Cup: cushion towards the head, shell outside.
      oval(-side * 34, 730, 62, 140, linear(-90, 590, 90, 870, "#ff9d8c", "#e26a80", "#8f3f72"));
      oval(-side * 20, 730, 56, 132, linear(-60, 600, 60, 870, "#ffc3ae", "#ee8090", "#a54c80"));
      oval(side * 10, 730, 74, 144, linear(-70, 590, 80, 880, "#6d66a8", "#3a3566", "#191634"));
      oval(side * 24, 730, 58, 118, linear(-50, 620, 70, 850, "#8a84c8", "#4a447e", "#231f48"));
      oval(side * 30, 730, 34, 72, linear(-20, 660, 60, 800, "#ffd6c2", "#f28c92", "#a84a86"));
      oval(side * 32, 730, 18, 38, linear(0, 690, 50, 770, "#fff6ee", "#ffc4b4"));
      stroke("rgba(255, 255, 255, 0.4)", 5, (c) => c.ellipse(side * 10, 730, 66, 136, 0, Math.PI * 1.05, Math.PI * 1.45));
    });
  }
  glow(360, 330, 150, "255, 255, 255", 0.55);
  // Small spheres.
  layer({ shadow: [8, 16, 24, "rgba(90, 30, 110, 0.35)"] }, () => {
    disc(960, 930, 54, radial(940, 905, 90, "#fffaf2", "#ffc8a8", "#ee7f86"));
    disc(262, 968, 38, radial(248, 950, 66, "#e6dcff", "#a58ae8", "#6a4ab8"));
    disc(1050, 1000, 26, radial(1042, 990, 44, "#ffffff", "#ffd9c8", "#e994a8"));
  });
  vignette(0.18);
});
