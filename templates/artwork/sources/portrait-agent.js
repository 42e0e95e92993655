// A woman in a blazer, for an estate agent.
picture(640, 640, "jpeg", () => {
  backdrop(linear(0, 0, W, H, "#ffe3c4", "#f7b58f", "#d97f72"));
  disc(470, 170, 260, "rgba(255, 246, 226, 0.4)");
  bust({
    skin: ["#f7cda8", "#e9ac84", "#c98258"],
    hairBehind: () => shape(linear(180, 120, 470, 520, "#6b3b2a", "#3f2019"), (c) => { c.moveTo(188, 300); c.bezierCurveTo(150, 70, 490, 70, 452, 300); c.bezierCurveTo(466, 400, 480, 470, 440, 520); c.lineTo(200, 520); c.bezierCurveTo(160, 470, 174, 400, 188, 300); }),
    body: () => {
      shoulders(linear(60, 460, 580, 660, "#2f5d73", "#1c3d52"));
      poly([[262, 462], [320, 600], [378, 462], [350, 660], [290, 660]], "#fff8f0");
      poly([[246, 470], [196, 520], [250, 560], [214, 590], [300, 660], [318, 610]], "#24495e");
      poly([[394, 470], [444, 520], [390, 560], [426, 590], [340, 660], [322, 610]], "#24495e");
    },
    hairInFront: () => {
      shape(linear(200, 120, 440, 300, "#7d4730", "#4a271c"), (c) => { c.moveTo(204, 300); c.bezierCurveTo(180, 110, 330, 90, 360, 136); c.bezierCurveTo(440, 120, 452, 220, 440, 310); c.bezierCurveTo(424, 250, 400, 210, 352, 186); c.bezierCurveTo(320, 230, 250, 240, 204, 300); });
      stroke("rgba(255, 200, 150, 0.3)", 6, (c) => { c.moveTo(240, 190); c.quadraticCurveTo(290, 140, 350, 150); });
    },
    extras: () => { for (const x of [212, 428]) disc(x, 344, 8, "#ffe08a"); },
  });
});
