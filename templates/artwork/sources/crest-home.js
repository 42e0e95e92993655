// The crest of a made-up club: a shield with a lion's crown and stripes, on nothing.
picture(640, 720, "png", () => {
  const shield = (inset) => (c) => {
    c.moveTo(320, 30 + inset);
    c.bezierCurveTo(400, 78 + inset, 510, 92 + inset, 590 - inset, 92 + inset);
    c.bezierCurveTo(604 - inset, 400, 520 - inset * 0.6, 600 - inset, 320, 694 - inset * 1.3);
    c.bezierCurveTo(120 + inset * 0.6, 600 - inset, 36 + inset, 400, 50 + inset, 92 + inset);
    c.bezierCurveTo(130, 92 + inset, 240, 78 + inset, 320, 30 + inset);
  };
  shape(linear(0, 0, 640, 720, "#fff3cf", "#e9b64c", "#a8741c"), shield(0));
  shape("#3d0a14", shield(16));
  layer({ clip: (c) => { shield(24)(c); } }, () => {
    backdrop(linear(0, 0, 640, 720, "#ff4b57", "#c3172f", "#7a0a22"));
    for (let i = 0; i < 3; i++) rect(140 + i * 144, 0, 72, 720, "rgba(255, 255, 255, 0.12)");
    poly([[0, 0], [320, 0], [320, 720], [0, 720]], "rgba(255, 255, 255, 0.07)");
    rect(0, 470, 640, 92, "#fff6e4");
    rect(0, 470, 640, 7, "#e9b64c");
    rect(0, 555, 640, 7, "#e9b64c");
    for (const x of [200, 320, 440]) at(x, 516, () => poly(Array.from({ length: 10 }, (_, i) => [Math.sin(i * 0.6283) * (i % 2 ? 13 : 30), -Math.cos(i * 0.6283) * (i % 2 ? 13 : 30)]), "#c3172f"));
  });
  // Crown.
  shape(linear(180, 180, 460, 420, "#fff3cf", "#f0c050", "#b9821f"), (c) => trace(c, [[186, 232], [252, 300], [320, 180], [388, 300], [454, 232], [430, 400], [210, 400]]));
  for (const [x, y] of [[186, 222], [320, 168], [454, 222]]) disc(x, y, 19, "#fff3cf");
  rounded(206, 372, 228, 36, 8, "#fff3cf");
  for (const x of [250, 320, 390]) disc(x, 390, 10, "#c3172f");
}, 0.6);
