// A concert: beams over a stage, a band in silhouette, hands of the crowd. Tall.
picture(1080, 1920, "jpeg", () => {
  const random = chance(19);
  backdrop(down(0, H, "#0b0322", "#2a0a5a", "#6a1280", "#c2206f", "#3a0a3c"));
  glow(540, 1120, 900, "255, 90, 170", 0.85);
  glow(540, 1250, 500, "255, 190, 120", 0.8, 0.7);
  glow(150, 300, 700, "80, 70, 255", 0.5);
  glow(950, 360, 700, "255, 60, 160", 0.4);

  // Truss with lamps, and their beams.
  const beams = (y, list, strength) => layer({ blend: "screen", blur: 10 }, () => {
    for (const [x, to, wide, rgb] of list) {
      const foot = 1500;
      poly([[x - 9, y], [x + 9, y], [to + wide, foot], [to - wide, foot]], down(y, foot, [0, `rgba(${rgb}, ${strength})`], [0.5, `rgba(${rgb}, ${strength * 0.28})`], [1, `rgba(${rgb}, 0)`]));
    }
  });
  const [pink, blue, amber, cyan] = ["255, 90, 190", "110, 110, 255", "255, 200, 120", "90, 220, 255"];
  beams(250, [[110, 560, 110, cyan], [290, 120, 100, pink], [470, 700, 110, blue], [610, 360, 110, amber], [790, 980, 100, pink], [970, 500, 110, cyan]], 0.85);
  beams(250, [[110, -120, 80, blue], [970, 1220, 80, blue], [540, 540, 150, amber]], 0.6);
  const truss = (y) => {
    rect(0, y, W, 8, "#12082c");
    rect(0, y + 54, W, 8, "#12082c");
    for (let x = -30; x < W; x += 60) stroke("#12082c", 6, (c) => { c.moveTo(x, y + 58); c.lineTo(x + 30, y + 4); c.lineTo(x + 60, y + 58); });
  };
  truss(170);
  for (const x of [110, 290, 470, 610, 790, 970]) {
    rounded(x - 26, 222, 52, 44, 10, "#0c0520");
    oval(x, 264, 22, 9, "#ffffff");
    glow(x, 264, 130, "255, 225, 255", 0.9);
  }
  // Haze.
  layer({ blur: 40, blend: "screen", alpha: 0.5 }, () => {
    for (let i = 0; i < 16; i++) oval(random() * W, random.between(800, 1350), random.between(120, 300), random.between(30, 80), random.pick(["rgba(255, 110, 190, 0.4)", "rgba(130, 100, 255, 0.4)", "rgba(255, 190, 140, 0.3)"]));
  });
  // The screen behind the band: rings of light.
  for (let i = 0; i < 7; i++) stroke(`rgba(255, ${190 - i * 16}, ${120 + i * 18}, ${0.62 - i * 0.07})`, 7 - i * 0.6, (c) => c.arc(540, 1130, 110 + i * 52, 0, 7));
  disc(540, 1130, 98, radial(540, 1130, 98, "#fff7e0", "#ffd08a", "rgba(255, 150, 110, 0.85)"));
  glow(540, 1130, 420, "255, 200, 150", 0.6);

  // Stage.
  const night = "#0a0418";
  poly([[0, 1372], [W, 1372], [W, 1440], [0, 1440]], "#1b0a34");
  rect(0, 1366, W, 8, "#ff9ac2");
  glow(540, 1370, 620, "255, 170, 190", 0.5, 0.08);
  for (const x of [30, 900]) for (let i = 0; i < 3; i++) {
    rounded(x, 1130 + i * 80, 150, 74, 8, night);
    disc(x + 44, 1167 + i * 80, 26, "#1d0e34");
    disc(x + 108, 1167 + i * 80, 26, "#1d0e34");
  }
  const limb = (points, width) => stroke(night, width, (c) => points.forEach(([x, y], i) => (i ? c.lineTo(x, y) : c.moveTo(x, y))));
  const person = (x, draw) => at(x, 1370, draw);
  // Singer.
  person(540, () => {
    limb([[-26, 0], [-20, -86], [-6, -168]], 30);
    limb([[34, 0], [24, -86], [8, -168]], 30);
    rounded(-38, -296, 76, 150, 30, night);
    limb([[0, -280], [0, -330]], 22);
    disc(2, -338, 33, night);
    shape(night, (c) => { c.moveTo(-32, -340); c.bezierCurveTo(-44, -392, 44, -398, 38, -336); c.lineTo(44, -288); c.lineTo(-42, -288); });
    limb([[30, -276], [72, -226], [30, -312]], 20);
    limb([[-30, -276], [-92, -330], [-112, -424]], 20);
    limb([[30, -312], [16, -322]], 12);
  });
  stroke(night, 6, (c) => { c.moveTo(566, 1370); c.lineTo(562, 1054); });
  // Guitar on the left, bass on the right.
  for (const [x, flip] of [[270, 1], [812, -1]]) at(x, 1370, () => {
    limb([[-34, 0], [-24, -80], [-6, -150]], 28);
    limb([[40, 0], [26, -80], [8, -150]], 28);
    rounded(-36, -268, 74, 140, 28, night);
    limb([[2, -252], [4, -300]], 22);
    disc(6, -306, 31, night);
    shape(night, (c) => c.ellipse(4, -318, 36, 30, -0.3, 0, 7));
    oval(26, -158, 54, 36, "#1b0a30", -0.5);
    limb([[50, -176], [166, -252]], 11);
    limb([[30, -250], [78, -216], [110, -222]], 18);
    limb([[-30, -250], [-40, -186], [20, -160]], 18);
  }, flip);
  // Drums in the back.
  for (const [x, y, r] of [[430, 1320, 34], [652, 1320, 34]]) oval(x, y, r, r * 0.9, "#170829");
  for (const [x, y] of [[400, 1236], [682, 1236]]) { stroke(night, 4, (c) => { c.moveTo(x, y); c.lineTo(x, 1370); }); oval(x, y, 50, 7, "#ffcf8f"); }

  // The crowd, three rows deep, with raised hands.
  for (const [base, size, colour, count] of [[1470, 30, "#5a1460", 17], [1570, 42, "#360c4a", 13], [1700, 60, "#180628", 10]]) {
    for (let i = 0; i <= count; i++) {
      const x = (i / count) * W + random.between(-18, 18);
      const y = base + random.between(-14, 18);
      disc(x, y, size * 0.72, colour);
      shape(colour, (c) => { c.moveTo(x - size * 1.4, H); c.bezierCurveTo(x - size * 1.5, y + size * 0.7, x - size * 0.5, y + size * 0.7, x, y + size * 0.6); c.bezierCurveTo(x + size * 0.5, y + size * 0.7, x + size * 1.5, y + size * 0.7, x + size * 1.4, H); });
      if (random() < 0.62) {
        const side = random() < 0.5 ? -1 : 1;
        const [hx, hy] = [x + side * size * random.between(0.8, 1.5), y - size * random.between(1.4, 2.6)];
        stroke(colour, size * 0.44, (c) => { c.moveTo(x + side * size * 0.95, y + size * 1.3); c.quadraticCurveTo(x + side * size * 1.7, y, hx, hy); });
        disc(hx, hy - size * 0.1, size * 0.34, colour);
        for (let f = -1; f <= 1; f++) stroke(colour, size * 0.15, (c) => { c.moveTo(hx + f * size * 0.16, hy - size * 0.2); c.lineTo(hx + f * size * 0.3, hy - size * 0.72); });
      }
    }
    rect(0, base + size * 2.4, W, H, colour);
  }
  // Confetti in the light.
  for (let i = 0; i < 120; i++) at(random() * W, random.between(300, 1420), () => rect(-6, -3, 12, 6, random.pick(["#ffd98a", "#ff8ac6", "#8fe6ff", "#fff3dc", "#b79bff"])), random.between(0.5, 1.3), random() * 6.3);
  rect(0, 1500, W, 420, down(1500, H, "rgba(6, 1, 16, 0)", "rgba(6, 1, 16, 0.75)"));
  vignette(0.35);
});
