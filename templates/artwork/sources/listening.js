// A man with headphones and closed eyes, music around him; wide.
picture(1300, 720, "jpeg", () => {
  backdrop(linear(0, 0, W, H, "#ffd0bc", "#f59bb0", "#9a63d8"));
  glow(350, 160, 560, "255, 240, 220", 0.6);
  for (let i = 0; i < 5; i++) stroke(`rgba(255, 255, 255, ${0.32 - i * 0.055})`, 5, (c) => c.arc(650, 350, 300 + i * 74, 0, 7));
  // Bars of sound on both sides.
  const random = chance(33);
  for (const side of [-1, 1]) for (let i = 0; i < 11; i++) {
    const tall = 60 + 190 * Math.abs(Math.sin(i * 0.9 + side)) * random.between(0.6, 1);
    rounded(650 + side * (330 + i * 30) - 8, 360 - tall / 2, 16, tall, 8, `rgba(255, 255, 255, ${0.75 - i * 0.055})`);
  }
  at(330, 90, () => {
    const [light, middle, dark] = ["#e9b48c", "#d3936a", "#a96a44"];
    shoulders(linear(60, 460, 580, 660, "#4a3aa0", "#2a1f6a"));
    stroke("#6f5fd0", 22, (c) => { c.moveTo(256, 470); c.quadraticCurveTo(320, 548, 384, 470); });
    shape(down(400, 520, dark, middle), (c) => { c.moveTo(272, 380); c.lineTo(272, 466); c.quadraticCurveTo(320, 526, 368, 466); c.lineTo(368, 380); });
    shape(linear(220, 180, 430, 430, light, middle), (c) => { c.moveTo(216, 270); c.bezierCurveTo(212, 130, 428, 130, 424, 270); c.bezierCurveTo(424, 380, 380, 434, 320, 434); c.bezierCurveTo(260, 434, 216, 380, 216, 270); });
    for (const x of [254, 386]) oval(x, 346, 24, 14, "rgba(240, 90, 90, 0.28)");
    for (const x of [272, 368]) {
      stroke("#33202a", 7, (c) => { c.moveTo(x - 19, 300); c.quadraticCurveTo(x, 314, x + 19, 300); });
      stroke("#33202a", 7, (c) => { c.moveTo(x - 21, 266); c.quadraticCurveTo(x, 254, x + 21, 264); });
    }
    stroke(dark, 5, (c) => { c.moveTo(322, 304); c.quadraticCurveTo(334, 338, 314, 342); });
    stroke("#94383f", 7, (c) => { c.moveTo(284, 376); c.quadraticCurveTo(320, 402, 356, 374); });
    shape(linear(200, 110, 440, 290, "#4a2a36", "#22121c"), (c) => { c.moveTo(208, 280); c.bezierCurveTo(180, 90, 300, 60, 380, 96); c.bezierCurveTo(450, 110, 448, 210, 432, 284); c.bezierCurveTo(424, 230, 400, 200, 360, 190); c.bezierCurveTo(320, 210, 250, 180, 236, 216); c.bezierCurveTo(222, 236, 214, 250, 208, 280); });
    // The headphones of the other picture, from the front.
    stroke(across(190, 450, "#3a3560", "#7a73b4", "#1c1938"), 34, (c) => c.ellipse(320, 280, 134, 206, 0, Math.PI * 1.03, Math.PI * 1.97));
    stroke("rgba(255, 255, 255, 0.5)", 5, (c) => c.ellipse(320, 280, 143, 215, 0, Math.PI * 1.15, Math.PI * 1.5));
    for (const side of [-1, 1]) {
      oval(320 + side * 112, 306, 28, 66, linear(180, 240, 460, 380, "#ff9d8c", "#d45f80"));
      oval(320 + side * 138, 306, 32, 72, linear(160, 230, 480, 390, "#7a73b4", "#3a3566", "#191634"));
      oval(320 + side * 146, 306, 17, 40, linear(160, 260, 480, 350, "#ffd6c2", "#f28c92"));
    }
  });
  for (const [x, y, s, t] of [[190, 150, 1, -0.2], [1090, 130, 1.15, 0.2], [250, 590, 0.8, 0.15], [1060, 600, 0.9, -0.15]]) at(x, y, () => {
    oval(-14, 30, 22, 16, "#ffffff", -0.4);
    stroke("#ffffff", 8, (c) => { c.moveTo(6, 26); c.lineTo(6, -50); c.quadraticCurveTo(18, -24, 40, -16); });
  }, s, t);
});
