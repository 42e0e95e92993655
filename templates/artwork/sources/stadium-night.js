// A football stadium under floodlights, seen from the touchline.
picture(1920, 1080, "jpeg", () => {
  const random = chance(66);
  backdrop(down(0, 620, "#040a1c", "#0a1c40", "#1b3f7a", "#3f78b8"));
  stars(4, 120, 240, 1);
  glow(960, 560, 1100, "90, 160, 255", 0.5, 0.5);

  // Stands: two decks, full of people.
  const deck = (top, bottom, dip, colours, dot) => {
    const edge = (y, x) => y + dip * Math.cos(((x - 960) / 960) * 1.35) - dip;
    const area = (c) => {
      c.moveTo(0, edge(top, 0));
      for (let x = 0; x <= W; x += 40) c.lineTo(x, edge(top, x));
      for (let x = W; x >= 0; x -= 40) c.lineTo(x, edge(bottom, x));
      c.closePath();
    };
    shape(down(top - dip, bottom, "#0b1a38", "#14294f"), area);
    layer({ clip: area, blur: 1.1 }, () => {
      for (let y = top - dip * 1.2; y < bottom; y += dot * 2.05) {
        for (let x = random() * dot; x < W; x += dot * 2.15) {
          if (random() < 0.12) continue;
          disc(x + random.between(-1.4, 1.4), edge(y, x) + random.between(-1, 1), dot * random.between(0.62, 0.95), random.pick(colours));
        }
      }
      for (let i = 0; i < 15; i++) poly([[i * 137 + 40, top - dip - 40], [i * 137 + 52, top - dip - 40], [i * 137 + 58 + (i - 7) * 8, bottom], [i * 137 + 40 + (i - 7) * 8, bottom]], "rgba(4, 10, 28, 0.6)");
    });
  };
  const crowd = ["#27488a", "#1b3568", "#3f6bb5", "#5e8bd0", "#16305f", "#8fb0e6", "#1a356c", "#203f7c", "#7b9ad4", "#c2566a", "#27488a", "#31589c"];
  deck(330, 455, 60, crowd, 4.2);
  shape("#081430", (c) => { c.moveTo(0, 415); for (let x = 0; x <= W; x += 40) c.lineTo(x, 455 + 60 * Math.cos(((x - 960) / 960) * 1.35) - 60); for (let x = W; x >= 0; x -= 40) c.lineTo(x, 478 + 60 * Math.cos(((x - 960) / 960) * 1.35) - 60); });
  deck(480, 640, 46, crowd, 5.4);

  // The roof and its lights.
  shape(down(180, 340, "#0c1f45", "#173869"), (c) => {
    c.moveTo(0, 150);
    c.quadraticCurveTo(960, 330, W, 150);
    c.lineTo(W, 214);
    c.quadraticCurveTo(960, 372, 0, 214);
  });
  for (let i = 0; i <= 34; i++) {
    const t = i / 34;
    const x = t * W;
    const y = 214 * (1 - t) * (1 - t) + 2 * (1 - t) * t * 372 + 214 * t * t;
    stroke("rgba(120, 170, 240, 0.28)", 2, (c) => { c.moveTo(x, y); c.lineTo(x + (960 - x) * 0.05, y - 60); });
    if (i % 2) continue;
    rounded(x - 20, y - 6, 40, 11, 3, "#f4fbff");
    glow(x, y, 110, "190, 225, 255", 0.75);
  }
  // Beams.
  layer({ blend: "screen", blur: 16, alpha: 0.5 }, () => {
    for (const [x, y, to, wide] of [[150, 150, 620, 170], [460, 210, 800, 150], [1460, 210, 1120, 150], [1770, 150, 1300, 170], [960, 260, 960, 200]]) {
      poly([[x - 10, y], [x + 10, y], [to + wide, 880], [to - wide, 880]], down(y, 880, "rgba(190, 225, 255, 0.55)", "rgba(150, 200, 255, 0)"));
    }
  });
  for (const x of [150, 1770]) {
    stroke("#0c1c3c", 14, (c) => { c.moveTo(x, 400); c.lineTo(x, 120); });
    rounded(x - 96, 54, 192, 92, 8, "#0d1d3e");
    for (let row = 0; row < 3; row++) for (let column = 0; column < 6; column++) {
      disc(x - 76 + column * 30, 76 + row * 24, 9, "#ffffff");
    }
    glow(x, 100, 330, "210, 235, 255", 0.95);
  }

  // Boards and pitch.
  rect(0, 632, W, 44, across(0, W, "#1b52c4", "#2f7bff", "#e8394a", "#2f7bff", "#1b52c4"));
  for (let x = 20; x < W; x += 160) rounded(x, 646, 90, 14, 7, "rgba(255, 255, 255, 0.28)");
  rect(0, 632, W, 4, "rgba(255, 255, 255, 0.5)");
  rect(0, 676, W, H - 676, down(676, H, "#2f9a4f", "#1f7d41", "#0f4f2c"));
  for (let i = -9; i < 19; i += 2) {
    const at0 = (n) => 960 + (n * 150 - 750) * 0.72;
    const at1 = (n) => 960 + (n * 150 - 750) * 2.1;
    poly([[at0(i), 676], [at0(i + 1), 676], [at1(i + 1), H], [at1(i), H]], "rgba(150, 230, 130, 0.14)");
  }
  const white = "rgba(240, 255, 244, 0.85)";
  stroke(white, 4, (c) => { c.moveTo(0, 706); c.lineTo(W, 706); });
  stroke(white, 6, (c) => { c.moveTo(960, 706); c.lineTo(960, H); });
  stroke(white, 6, (c) => c.ellipse(960, 868, 330, 84, 0, 0, 7));
  oval(960, 868, 10, 4, white);
  glow(960, 860, 900, "210, 255, 220", 0.35, 0.3);
  for (let i = 0; i < 700; i++) {
    const y = 900 + random() * 180;
    const x = random() * W;
    stroke(random.pick(["rgba(170, 240, 150, 0.2)", "rgba(8, 50, 26, 0.3)"]), 2, (c) => { c.moveTo(x, y); c.lineTo(x + random.between(-3, 3), y - (y - 860) * 0.07); });
  }
  // The ball.
  layer({ blur: 8 }, () => oval(1030, 1012, 74, 13, "rgba(2, 30, 14, 0.7)"));
  disc(1020, 950, 62, radial(1000, 922, 100, "#ffffff", "#e8f0fa", "#9fb2cc"));
  layer({ clip: (c) => c.arc(1020, 950, 62, 0, 7) }, () => {
    const patch = (x, y, r, turn) => poly([0, 1, 2, 3, 4].map((i) => [x + Math.cos(turn + i * 1.2566) * r, y + Math.sin(turn + i * 1.2566) * r]), "#17233f");
    patch(1018, 948, 22, -1.57);
    for (let i = 0; i < 5; i++) {
      const turn = -1.57 + i * 1.2566;
      patch(1018 + Math.cos(turn) * 60, 948 + Math.sin(turn) * 60, 20, turn + Math.PI);
      stroke("#4a5a7a", 3, (c) => { c.moveTo(1018 + Math.cos(turn) * 22, 948 + Math.sin(turn) * 22); c.lineTo(1018 + Math.cos(turn) * 44, 948 + Math.sin(turn) * 44); });
    }
    disc(1040, 985, 70, radial(1000, 922, 110, [0.6, "rgba(20, 40, 80, 0)"], [1, "rgba(10, 24, 60, 0.5)"]));
  });
  // Camera flashes in the crowd.
  for (let i = 0; i < 16; i++) glow(random() * W, random.between(340, 610), random.between(14, 34), "255, 255, 255", 0.9);
  vignette(0.5);
});
