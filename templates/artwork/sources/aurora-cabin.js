// Northern lights over a snowy valley with one lit cabin.
picture(1920, 1080, "jpeg", () => {
  const random = chance(90);
  backdrop(down(0, 800, "#050b22", "#0b2145", "#14506a", "#2b7f83"));
  stars(5, 420, 640, 1.25);
  const curtain = (points, height, rgb, strength) => layer({ blend: "screen", blur: 9 }, () => {
    for (let i = 0; i + 1 < points.length; i++) {
      const [[x0, y0], [x1, y1]] = [points[i], points[i + 1]];
      for (let s = 0; s < 26; s++) {
        const share = s / 26;
        const x = x0 + (x1 - x0) * share;
        const y = y0 + (y1 - y0) * share;
        const tall = height * random.between(0.55, 1.15);
        const light = strength * random.between(0.35, 1);
        rect(x, y - tall, Math.abs(x1 - x0) / 26 + 2, tall + 46, down(y - tall, y + 46, [0, `rgba(${rgb[1]}, 0)`], [0.45, `rgba(${rgb[1]}, ${light * 0.35})`], [0.86, `rgba(${rgb[0]}, ${light})`], [1, `rgba(${rgb[0]}, 0)`]));
      }
    }
  });
  curtain([[-40, 420], [240, 330], [520, 420], [830, 300], [1130, 390], [1420, 250], [1960, 330]], 330, ["90, 255, 180", "120, 120, 255"], 0.8);
  curtain([[-60, 470], [300, 560], [640, 480], [980, 560], [1340, 430], [1980, 520]], 240, ["60, 230, 200", "190, 90, 240"], 0.6);
  curtain([[-40, 250], [360, 180], [700, 240], [1050, 130], [1400, 40], [1700, -160]], 200, ["120, 255, 200", "220, 110, 255"], 0.4);
  glow(960, 700, 900, "60, 200, 170", 0.35, 0.4);

  layer({ alpha: 0.95 }, () => hills(23, 760, 260, down(440, 760, "#2a5a78", "#3f8590"), 0.5));
  const snow = ["#5f9db4", "#a9e4dc"];
  const side = (top) => [down(top, 830, "#143352", "#245a74"), down(top, 830, "#235a78", "#3a8590")];
  massif(random, [300, 500, -180, 720], 830, ...side(500), snow);
  massif(random, [1560, 470, 1090, 2080], 830, ...side(470), snow);
  massif(random, [860, 560, 500, 1260], 830, ...side(560), snow);
  for (let i = 0; i < 130; i++) pine(random() * W, 806 + random() * 12, random.between(50, 110), i % 2 ? "#0f2c48" : "#14385a", random);

  roll(14, 830, 26, down(790, H, "#7fc4c9", "#4689a6", "#28587f"), 0.8);
  roll(33, 910, 34, down(860, H, "#9ad4d6", "#4f92ae", "#234d78"), 0.9);
  layer({ blend: "screen", blur: 12, alpha: 0.5 }, () => {
    for (let i = 0; i < 14; i++) oval(random() * W, random.between(860, 1000), random.between(120, 320), random.between(6, 18), "rgba(120, 255, 210, 0.35)");
  });
  // Cabin.
  at(1250, 870, () => {
    layer({ blur: 10 }, () => at(1250, 870, () => oval(0, 6, 220, 18, "rgba(10, 30, 60, 0.6)"), 1));
    rect(-140, -130, 280, 136, linear(-140, 0, 140, 0, "#4a2d2c", "#6e4034", "#3a2328"));
    for (let y = -120; y < 0; y += 18) rect(-140, y, 280, 3, "rgba(20, 8, 16, 0.4)");
    poly([[-186, -118], [0, -250], [186, -118], [160, -104], [0, -214], [-160, -104]], "#dff4f6");
    poly([[-150, -118], [0, -220], [150, -118]], "#5a362f");
    shape("#eefafb", (c) => { c.moveTo(-192, -112); c.quadraticCurveTo(-100, -190, 0, -262); c.quadraticCurveTo(100, -190, 192, -112); c.quadraticCurveTo(160, -96, 140, -118); c.lineTo(0, -214); c.lineTo(-140, -118); c.quadraticCurveTo(-160, -96, -192, -112); });
    rect(70, -262, 34, 70, "#4a3038");
    rounded(64, -272, 46, 14, 5, "#eefafb");
    for (const x of [-108, 48]) {
      rounded(x - 4, -94, 68, 62, 4, "#2a1820");
      rect(x, -90, 60, 54, linear(x, -90, x + 60, -36, "#fff0c0", "#ffb454"));
      rect(x + 28, -90, 4, 54, "#2a1820");
      rect(x, -65, 60, 4, "#2a1820");
    }
    rounded(-28, -88, 56, 94, 4, "#2a1820");
    rect(-23, -83, 46, 89, "#9a5434");
    disc(0, -172, 17, "#ffd98a");
  });
  glow(1172, 810, 190, "255, 190, 100", 0.7);
  glow(1328, 810, 190, "255, 190, 100", 0.7);
  glow(1250, 890, 420, "255, 180, 90", 0.5, 0.28);
  layer({ blur: 8, alpha: 0.6 }, () => {
    for (let i = 0; i < 12; i++) disc(1338 + i * i * 0.9 + Math.sin(i) * 8, 590 - i * 22, 10 + i * 3.4, `rgba(210, 235, 245, ${0.36 - i * 0.026})`);
  });
  // Snowy firs in front.
  const snowy = (x, y, h) => {
    pine(x, y, h, "#0c2440", random);
    for (let i = 1; i <= 6; i++) {
      const edge = y - h + (h * 0.92 * i) / 6;
      const reach = (h * 0.17 * i) / 6;
      shape("rgba(206, 240, 244, 0.85)", (c) => { c.moveTo(x - reach, edge - 3); c.quadraticCurveTo(x - reach * 0.2, edge - h * 0.1, x + reach * 0.15, edge - h * 0.12); c.quadraticCurveTo(x - reach * 0.1, edge - h * 0.04, x - reach, edge - 3); });
    }
  };
  for (const [x, y, h] of [[1560, 900, 210], [1640, 925, 290], [1010, 890, 190], [935, 905, 150], [1740, 960, 380], [1860, 1000, 470], [150, 960, 400], [40, 1010, 500], [280, 1000, 300], [390, 1020, 220]]) snowy(x, y, h);
  roll(50, 1040, 26, down(1000, H, "#8fcbd4", "#3b7599"), 0.7);
  vignette(0.35);
});
