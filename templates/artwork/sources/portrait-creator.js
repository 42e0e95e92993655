// A young woman with a bun, for a creator.
picture(640, 640, "jpeg", () => {
  backdrop(linear(0, 0, W, H, "#ffd1f0", "#b59bff", "#6f7dff"));
  disc(500, 480, 270, "rgba(255, 255, 255, 0.25)");
  bust({
    skin: ["#ffdcc2", "#f5bd9c", "#d99274"],
    hairBehind: () => { disc(320, 92, 66, radial(300, 70, 90, "#5a4a86", "#2c2350")); oval(320, 250, 130, 146, "#2c2350"); },
    body: () => {
      shoulders(linear(60, 460, 580, 660, "#ff7a6b", "#e0456f"));
      stroke("#ffb3a4", 20, (c) => { c.moveTo(262, 468); c.quadraticCurveTo(320, 540, 378, 468); });
      for (let i = 0; i < 4; i++) stroke("rgba(255, 255, 255, 0.28)", 10, (c) => { c.moveTo(110 - i * 12, 560 + i * 34); c.quadraticCurveTo(320, 620 + i * 34, 530 + i * 12, 560 + i * 34); });
    },
    hairInFront: () => {
      shape(linear(200, 110, 440, 300, "#5a4a86", "#2c2350"), (c) => { c.moveTo(206, 296); c.bezierCurveTo(176, 100, 464, 100, 434, 296); c.bezierCurveTo(424, 236, 392, 196, 320, 194); c.bezierCurveTo(248, 196, 216, 236, 206, 296); });
      stroke("rgba(200, 180, 255, 0.4)", 6, (c) => { c.moveTo(248, 170); c.quadraticCurveTo(300, 138, 360, 150); });
    },
    extras: () => { for (const x of [211, 429]) stroke("#ffd76a", 6, (c) => c.arc(x, 352, 14, 0, 7)); },
  });
});
