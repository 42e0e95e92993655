// Balloons, garlands and confetti on a warm ground, square; the middle stays calm for words.
picture(1080, 1080, "jpeg", () => {
  const random = chance(64);
  backdrop(radial(540, 500, 800, "#fff3dd", "#ffe0c8", "#ffc3bd", "#f7a1b4"));
  for (let i = 0; i < 28; i++) { const turn = (i / 28) * 6.2832; poly([[540, 560], [540 + Math.cos(turn) * 1100, 560 + Math.sin(turn) * 1100], [540 + Math.cos(turn + 0.11) * 1100, 560 + Math.sin(turn + 0.11) * 1100]], "rgba(255, 255, 255, 0.16)"); }
  // Bokeh.
  for (let i = 0; i < 26; i++) { const r = random.between(14, 60); disc(random() * W, random() * H, r, `rgba(255, 255, 255, ${random.between(0.06, 0.2)})`); }
  // Garlands of flags.
  const garland = (x0, y0, x1, y1, sag, colours) => {
    const point = (t) => [x0 + (x1 - x0) * t, y0 + (y1 - y0) * t + sag * 4 * t * (1 - t)];
    stroke("#b0607c", 4, (c) => { for (let t = 0; t <= 1.001; t += 0.02) t ? c.lineTo(...point(t)) : c.moveTo(...point(t)); });
    for (let i = 0; i < 11; i++) {
      const [a, b] = [point(i / 11 + 0.01), point((i + 1) / 11 - 0.01)];
      const colour = colours[i % colours.length];
      poly([a, b, [(a[0] + b[0]) / 2 - (b[1] - a[1]) * 0.8, (a[1] + b[1]) / 2 + 62]], colour);
      poly([a, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], [(a[0] + b[0]) / 2 - (b[1] - a[1]) * 0.8, (a[1] + b[1]) / 2 + 62]], "rgba(255, 255, 255, 0.2)");
    }
  };
  const colours = ["#f0587a", "#ffb238", "#3fb8b0", "#7a6cf0", "#ff8a5c"];
  garland(-20, 20, 560, 6, 90, colours);
  garland(520, 6, 1100, 20, 90, colours.slice().reverse());
  const balloon = (x, y, r, [light, middle, dark], lean = 0) => {
    stroke("rgba(120, 60, 90, 0.55)", 3, (c) => { c.moveTo(x, y + r * 1.24); c.bezierCurveTo(x + 30 + lean, y + r * 2, x - 30 + lean, y + r * 2.8, x + lean, y + r * 4); });
    layer({ shadow: [6, 14, 30, "rgba(150, 50, 90, 0.3)"] }, () => {
      shape(radial(x - r * 0.35, y - r * 0.4, r * 1.9, light, middle, dark), (c) => { c.moveTo(x, y - r * 1.12); c.bezierCurveTo(x + r * 1.2, y - r * 1.12, x + r * 1.15, y + r * 0.55, x, y + r * 1.16); c.bezierCurveTo(x - r * 1.15, y + r * 0.55, x - r * 1.2, y - r * 1.12, x, y - r * 1.12); });
      poly([[x, y + r * 1.12], [x - r * 0.13, y + r * 1.28], [x + r * 0.13, y + r * 1.28]], dark);
    });
    oval(x - r * 0.4, y - r * 0.5, r * 0.15, r * 0.28, "rgba(255, 255, 255, 0.7)", 0.5);
  };
  const red = ["#ffb0b8", "#f0587a", "#b02a58"];
  const gold = ["#fff0bc", "#ffb93f", "#e07c1c"];
  const teal = ["#b9f2ea", "#3fb8b0", "#1c7a82"];
  const violet = ["#d9d2ff", "#8474f2", "#4c3cb8"];
  const coral = ["#ffd8c4", "#ff8a62", "#d4503c"];
  for (const [x, y, r, colour] of [[52, 450, 84, violet], [138, 320, 78, gold], [40, 690, 92, teal], [132, 560, 70, red], [110, 850, 80, coral],
    [1030, 460, 86, teal], [938, 320, 74, coral], [1042, 700, 94, red], [952, 570, 68, gold], [972, 860, 82, violet]]) balloon(x, y, r, colour, x < 540 ? 24 : -24);
  // Confetti.
  for (let i = 0; i < 170; i++) {
    const x = random() * W;
    const y = random() * H;
    if (Math.hypot(x - 540, (y - 560) * 0.9) < 360) continue;
    at(x, y, () => (i % 3 ? rect(-8, -4, 16, 8, random.pick(colours)) : disc(0, 0, 6, random.pick(colours))), random.between(0.6, 1.4), random() * 6.3);
  }
  // Presents.
  const present = (x, y, w, h, colour, ribbon) => {
    layer({ shadow: [0, 10, 24, "rgba(150, 50, 90, 0.35)"] }, () => rounded(x, y, w, h, 8, colour));
    rounded(x - 8, y - 20, w + 16, 40, 8, colour);
    rect(x - 8, y + 18, w + 16, 5, "rgba(90, 20, 60, 0.18)");
    rect(x + w / 2 - 14, y - 20, 28, h + 20, ribbon);
    for (const side of [-1, 1]) stroke(ribbon, 14, (c) => c.ellipse(x + w / 2 + side * 32, y - 40, 30, 18, side * 0.5, 0, 7));
  };
  present(40, 960, 190, 140, "#7a6cf0", "#ffd76a");
  present(250, 1000, 130, 100, "#ff8a5c", "#fff6ea");
  present(860, 950, 200, 150, "#f0587a", "#fff6ea");
  present(710, 1006, 130, 100, "#3fb8b0", "#ffd76a");
});
