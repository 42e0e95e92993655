// The sun on the left, planets on their orbits, dust and stars.
picture(1920, 1080, "jpeg", () => {
  const random = chance(8);
  backdrop(linear(0, 0, W, H, "#120a36", "#0d0f3a", "#081030"));
  glow(1500, 220, 700, "120, 70, 220", 0.4);
  glow(1150, 980, 760, "40, 110, 220", 0.35);
  glow(700, 120, 520, "220, 70, 150", 0.22);
  stars(21, 520, H * 1.6, 1.15);
  for (let i = 0; i < 16; i++) glow(random() * W, random() * H, random.between(10, 26), "200, 220, 255", 0.8);

  const [sx, sy] = [-60, 620];
  const reaches = [520, 760, 1030, 1330, 1660, 1960];
  for (const reach of reaches) stroke("rgba(190, 200, 255, 0.2)", 2, (c) => c.ellipse(sx, sy, reach, reach * 0.56, -0.1, 0, 7));
  for (let i = 0; i < 520; i++) {
    const turn = random.between(-1.7, 1.5);
    const reach = 1180 + random.between(-34, 34);
    disc(sx + Math.cos(turn) * reach, sy + Math.sin(turn) * reach * 0.56 - Math.cos(turn) * reach * 0.1, random.between(0.8, 3), `rgba(220, 200, 180, ${random.between(0.2, 0.7)})`);
  }
  disc(sx, sy, 330, radial(sx, sy, 330, "#fffbe0", "#ffe08a", "#ffb03c", "#ff7a1f"));
  glow(sx, sy, 1000, "255, 150, 60", 0.9);
  glow(sx, sy, 520, "255, 220, 130", 0.6);

  // A ball lit from the sun: bands, then shade on the far side.
  const planet = (x, y, r, [light, middle, dark], detail) => {
    glow(x, y, r * 1.7, "150, 190, 255", 0.22);
    layer({ clip: (c) => c.arc(x, y, r, 0, 7) }, () => {
      rect(x - r, y - r, 2 * r, 2 * r, linear(x - r, y - r, x + r, y + r, light, middle, dark));
      detail?.();
      disc(x, y, r + 2, radial(x - r * 0.55, y + r * 0.1, r * 1.75, [0.35, "rgba(5, 5, 30, 0)"], [0.75, "rgba(5, 5, 30, 0.55)"], [1, "rgba(5, 5, 30, 0.9)"]));
      disc(x, y, r + 2, radial(x - r * 0.6, y - r * 0.3, r * 0.9, "rgba(255, 250, 230, 0.45)", "rgba(255, 250, 230, 0)"));
    });
  };
  planet(470, 462, 26, ["#e9d8c4", "#b59a86", "#6e5a52"]);
  planet(560, 905, 44, ["#ffe7b0", "#eab067", "#a8643a"], () => { for (let i = 0; i < 5; i++) oval(560, 880 + i * 13, 60, 4, "rgba(255, 240, 210, 0.3)", 0.2); });
  // Earth and its moon.
  planet(905, 410, 84, ["#8fd8ff", "#2f86d8", "#0d3f8a"], () => {
    for (const [dx, dy, w, h, t] of [[-30, -34, 42, 24, 0.4], [-12, 18, 26, 36, -0.3], [40, -10, 26, 34, 0.5], [34, 52, 22, 12, 0], [-60, 30, 14, 22, 0]]) oval(905 + dx, 410 + dy, w, h, "#57b368", t);
    for (const [dx, dy, w] of [[-20, -8, 54], [30, 28, 44], [0, -58, 40], [-34, 56, 36]]) oval(905 + dx, 410 + dy, w, 6, "rgba(255, 255, 255, 0.75)", -0.15);
  });
  planet(1020, 330, 20, ["#f2f2f4", "#b9bcc8", "#74788c"]);
  planet(1150, 905, 60, ["#ffb08a", "#d8603c", "#7c2a22"], () => { for (const [dx, dy, r] of [[-20, -14, 13], [16, 12, 9], [-6, 28, 7], [28, -24, 8]]) disc(1150 + dx, 905 + dy, r, "rgba(110, 36, 28, 0.35)"); oval(1140, 850, 22, 8, "rgba(255, 240, 230, 0.8)"); });
  // The giant with bands and a storm.
  planet(1420, 520, 150, ["#ffe6c4", "#e0a878", "#9a5c44"], () => {
    for (const [dy, h, colour] of [[-112, 22, "#c98a62"], [-66, 26, "#f8dcb8"], [-26, 20, "#b9714e"], [14, 28, "#f2cda0"], [58, 22, "#c4805a"], [102, 20, "#f0d0aa"]]) shape(colour, (c) => { c.moveTo(1250, 520 + dy); c.quadraticCurveTo(1420, 520 + dy + 26, 1590, 520 + dy); c.lineTo(1590, 520 + dy + h); c.quadraticCurveTo(1420, 520 + dy + h + 26, 1250, 520 + dy + h); });
    oval(1380, 592, 34, 17, "#d0563c", 0.08);
    oval(1380, 592, 20, 9, "#ee8a66", 0.08);
  });
  // The ringed one.
  const rings = (from, to) => at(1726, 190, () => {
    ctx.scale(1, 0.3);
    for (const [r, w, colour] of [[150, 16, "rgba(240, 214, 170, 0.85)"], [174, 22, "rgba(214, 176, 130, 0.8)"], [202, 14, "rgba(250, 230, 196, 0.7)"]]) stroke(colour, w, (c) => c.arc(0, 0, r, from, to), "butt");
  }, 1, -0.35);
  rings(Math.PI, 2 * Math.PI);
  planet(1726, 190, 92, ["#fff0c8", "#e3bd80", "#94683e"], () => { for (let i = 0; i < 6; i++) oval(1726, 130 + i * 24, 120, 7, i % 2 ? "rgba(150, 100, 60, 0.3)" : "rgba(255, 244, 214, 0.35)", -0.35); });
  rings(0, Math.PI);
  planet(1760, 880, 58, ["#d2fbff", "#6cc7dc", "#2a6f9c"]);
  // A comet.
  layer({ blend: "screen", blur: 3 }, () => poly([[1190, 150], [1206, 160], [1420, 20]], linear(1198, 155, 1420, 20, "rgba(200, 240, 255, 0.95)", "rgba(140, 190, 255, 0)")));
  glow(1197, 156, 40, "230, 250, 255", 1);
  vignette(0.12);
});
