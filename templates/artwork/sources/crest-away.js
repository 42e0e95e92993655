// The crest of another made-up club: a round badge with a wave and an anchor, on nothing.
picture(640, 720, "png", () => {
  disc(320, 360, 306, linear(80, 100, 560, 640, "#f4fbff", "#9cc4e8", "#4a7ab0"));
  disc(320, 360, 288, "#06224a");
  disc(320, 360, 272, linear(80, 100, 560, 640, "#2f8fe8", "#1257b4", "#0a2f74"));
  stroke("rgba(255, 255, 255, 0.9)", 7, (c) => c.arc(320, 360, 212, 0, 7));
  layer({ clip: (c) => c.arc(320, 360, 208, 0, 7) }, () => {
    backdrop(down(150, 570, "#eaf6ff", "#b9def8"));
    for (const [y, colour] of [[420, "#49b4ec"], [462, "#1f7fd0"], [508, "#0d4d9c"]]) shape(colour, (c) => {
      c.moveTo(60, y);
      for (let i = 0; i < 6; i++) c.quadraticCurveTo(60 + i * 96 + 48, y - 44, 60 + (i + 1) * 96, y);
      c.lineTo(640, 640);
      c.lineTo(60, 640);
    });
  });
  // Anchor.
  stroke("#0a2a5c", 26, (c) => { c.moveTo(320, 250); c.lineTo(320, 500); c.moveTo(262, 296); c.lineTo(378, 296); }, "round");
  stroke("#0a2a5c", 20, (c) => c.arc(320, 222, 28, 0, 7));
  stroke("#0a2a5c", 26, (c) => c.arc(320, 392, 112, 0.25, Math.PI - 0.25));
  for (const side of [-1, 1]) poly([[320 + side * 78, 428], [320 + side * 142, 424], [320 + side * 116, 372]], "#0a2a5c");
  for (let i = 0; i < 16; i++) { const turn = (i / 16) * 6.2832; disc(320 + Math.cos(turn) * 242, 360 + Math.sin(turn) * 242, i % 4 ? 6 : 12, "#ffffff"); }
}, 0.6);
