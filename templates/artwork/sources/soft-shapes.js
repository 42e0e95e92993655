// Large soft waves of colour, tall, for stories.
picture(1080, 1920, "jpeg", () => {
  backdrop(linear(0, 0, W, H, "#f2507f", "#e84aa0", "#a048ea", "#5b4be6"));
  const blob = (x, y, r, colour, blur) => layer({ blur }, () => disc(x, y, r, colour));
  blob(120, 240, 420, "rgba(255, 122, 90, 0.85)", 120);
  blob(1000, 700, 420, "rgba(255, 94, 150, 0.8)", 130);
  blob(180, 1250, 460, "rgba(140, 80, 255, 0.8)", 140);
  blob(960, 1750, 460, "rgba(40, 70, 220, 0.85)", 140);
  const wave = (y, swing, fill) => layer({ shadow: [0, -14, 60, "rgba(60, 10, 110, 0.35)"] }, () => shape(fill, (c) => {
    c.moveTo(0, y);
    c.bezierCurveTo(300, y - swing, 520, y + swing, 780, y);
    c.bezierCurveTo(900, y - swing * 0.5, 1000, y - swing * 0.6, W, y - swing * 0.3);
    c.lineTo(W, H);
    c.lineTo(0, H);
  }));
  wave(1330, 180, linear(0, 1200, W, H, "#e65bb4", "#8a45ea", "#5436d2"));
  wave(1520, -150, linear(0, 1400, W, H, "#b14ee6", "#6a3be0", "#3f2dbd"));
  wave(1700, 120, linear(0, 1560, W, H, "#7b42e4", "#4a30c8", "#2a2298"));
  const ball = (x, y, r, a, b, c) => layer({ shadow: [14, 30, 60, "rgba(60, 10, 90, 0.35)"] }, () => disc(x, y, r, radial(x - r * 0.4, y - r * 0.45, r * 1.7, a, b, c)));
  ball(930, 250, 130, "#fff4dc", "#ffc07a", "#ff6f7c");
  ball(110, 640, 80, "#ffe9f4", "#ff9ac0", "#d44ea8");
  ball(130, 1790, 100, "#d9e6ff", "#7fa2ff", "#3c3fd0");
  ball(720, 130, 34, "#fff8ec", "#ffd2a0", "#ff9a7c");
  stroke("rgba(255, 255, 255, 0.35)", 5, (c) => c.arc(930, 250, 190, 0.4, 3.6));
  stroke("rgba(255, 255, 255, 0.25)", 4, (c) => c.arc(130, 1790, 160, 3.4, 6));
  for (let row = 0; row < 6; row++) for (let column = 0; column < 6; column++) disc(840 + column * 34, 1680 + row * 34, 4, "rgba(255, 255, 255, 0.35)");
});
