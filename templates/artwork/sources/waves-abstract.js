// Ribbons of light on a dark ground, for brands.
picture(1920, 1080, "jpeg", () => {
  backdrop(linear(0, 0, W, H, "#070a1f", "#0b1030", "#120a2c"));
  glow(1560, 240, 900, "60, 90, 255", 0.5);
  glow(260, 960, 820, "0, 190, 200", 0.4);
  glow(1250, 1020, 700, "190, 50, 220", 0.35);
  const ribbon = (phase, base, swing, count, from, to) => layer({ blend: "screen" }, () => {
    for (let line = 0; line < count; line++) {
      const share = line / (count - 1);
      const fade = Math.sin(share * Math.PI) * 0.62 + 0.06;
      stroke(across(0, W, `rgba(${from}, 0)`, [0.2, `rgba(${from}, ${fade})`], [0.7, `rgba(${to}, ${fade})`], `rgba(${to}, 0.02)`), 1.7, (c) => {
        for (let x = -20; x <= W + 20; x += 12) {
          const u = x / W;
          const y = base + swing * Math.sin(u * 4.2 + phase + share * 1.7) + swing * 0.55 * Math.sin(u * 7.1 - phase * 1.3 + share * 2.6) + (share - 0.5) * 330 * (0.25 + Math.abs(Math.sin(u * 2.6 + phase)));
          x < 0 ? c.moveTo(x, y) : c.lineTo(x, y);
        }
      });
    }
  });
  layer({ blur: 30, blend: "screen", alpha: 0.8 }, () => {
    for (const [dy, colour] of [[0, "rgba(60, 110, 255, 0.5)"], [70, "rgba(0, 210, 210, 0.35)"], [-80, "rgba(170, 70, 255, 0.4)"]]) {
      stroke(colour, 90, (c) => { c.moveTo(-50, 820 + dy); c.bezierCurveTo(500, 480 + dy, 900, 1040 + dy, 1300, 700 + dy); c.bezierCurveTo(1600, 440 + dy, 1800, 620 + dy, 1980, 420 + dy); });
    }
  });
  ribbon(0.4, 690, 130, 44, "60, 220, 255", "120, 110, 255");
  ribbon(2.1, 760, 110, 34, "90, 120, 255", "240, 90, 220");
  const random = chance(3);
  for (let i = 0; i < 90; i++) disc(random() * W, random.between(80, H), random.between(0.8, 2.6), `rgba(190, 220, 255, ${random.between(0.15, 0.7)})`);
  for (let i = 0; i < 8; i++) glow(random() * W, random.between(420, 960), random.between(16, 46), "150, 220, 255", 0.7);
  vignette(0.5);
});
