// A ringed giant with its moons, close up; tall.
picture(900, 1080, "jpeg", () => {
  const random = chance(70);
  backdrop(linear(0, 0, W, H, "#0c1140", "#2a1660", "#0a1238"));
  glow(180, 180, 620, "255, 120, 170", 0.35);
  glow(760, 940, 620, "50, 150, 255", 0.4);
  stars(9, 340, H * 1.7, 1.1);
  for (let i = 0; i < 12; i++) glow(random() * W, random() * H, random.between(12, 30), "210, 230, 255", 0.85);
  const [x, y, r] = [460, 520, 250];
  const rings = (from, to) => at(x, y, () => {
    ctx.scale(1, 0.3);
    for (const [reach, width, colour] of [[330, 26, "rgba(255, 226, 180, 0.55)"], [368, 40, "rgba(240, 200, 150, 0.9)"], [410, 30, "rgba(255, 238, 206, 0.85)"], [446, 16, "rgba(214, 170, 130, 0.7)"]]) stroke(colour, width, (c) => c.arc(0, 0, reach, from, to), "butt");
  }, 1, -0.36);
  rings(Math.PI, 2 * Math.PI);
  glow(x, y, r * 1.6, "255, 200, 140", 0.35);
  layer({ clip: (c) => c.arc(x, y, r, 0, 7) }, () => {
    backdrop("#e6b877");
    at(x, y, () => {
      for (const [dy, h, colour] of [[-250, 70, "#f7dca4"], [-190, 46, "#d99f60"], [-146, 60, "#f5d296"], [-88, 34, "#c98a50"], [-56, 64, "#fbe3b4"], [6, 40, "#dba566"], [44, 58, "#f3cd92"], [100, 38, "#c08048"], [136, 60, "#eec084"], [194, 80, "#b87a48"]]) shape(colour, (c) => { c.moveTo(-300, dy); c.quadraticCurveTo(0, dy + 44, 300, dy); c.lineTo(300, dy + h); c.quadraticCurveTo(0, dy + h + 44, -300, dy + h); });
    }, 1, -0.36);
    disc(x, y, r + 2, radial(x - r * 0.5, y - r * 0.35, r * 1.7, [0.3, "rgba(20, 8, 40, 0)"], [0.75, "rgba(20, 8, 40, 0.55)"], [1, "rgba(10, 4, 30, 0.92)"]));
    disc(x, y, r, radial(x - r * 0.5, y - r * 0.5, r * 0.9, "rgba(255, 252, 236, 0.5)", "rgba(255, 252, 236, 0)"));
  });
  rings(0, Math.PI);
  const moon = (mx, my, mr, a, b, c) => disc(mx, my, mr, radial(mx - mr * 0.4, my - mr * 0.4, mr * 1.8, a, b, c));
  moon(170, 850, 52, "#e6f4ff", "#8fb4d8", "#23365e");
  moon(740, 190, 36, "#fff0dc", "#d8a888", "#54303c");
  moon(800, 800, 22, "#f4f4f8", "#a8acc4", "#363a58");
  moon(120, 330, 16, "#ffe6f0", "#d890b0", "#4a2440");
  vignette(0.3);
});
