// A man with glasses and a jumper, for a teacher.
picture(640, 640, "jpeg", () => {
  backdrop(linear(0, 0, W, H, "#c9f0ea", "#7fcfd0", "#3f93b4"));
  disc(170, 170, 240, "rgba(255, 255, 255, 0.3)");
  bust({
    skin: ["#b9794f", "#9c5f3a", "#784322"],
    body: () => {
      shoulders(linear(60, 460, 580, 660, "#f6b73c", "#df8424"));
      shape("#fffaf2", (c) => trace(c, [[258, 464], [320, 540], [382, 464], [352, 448], [320, 492], [288, 448]]));
      stroke("rgba(150, 80, 10, 0.3)", 6, (c) => { c.moveTo(150, 640); c.quadraticCurveTo(146, 590, 160, 560); c.moveTo(490, 640); c.quadraticCurveTo(494, 590, 480, 560); });
    },
    hairInFront: () => {
      const random = chance(5);
      for (let i = 0; i < 90; i++) {
        const turn = Math.PI * random.between(1.02, 1.98);
        disc(320 + Math.cos(turn) * random.between(70, 104), 240 + Math.sin(turn) * random.between(74, 112), random.between(15, 25), random.pick(["#221a22", "#2c2129", "#181218"]));
      }
      stroke("#2a1f22", 26, (c) => { c.moveTo(238, 372); c.bezierCurveTo(256, 440, 384, 440, 402, 372); });
      stroke("#2a1f22", 9, (c) => { c.moveTo(280, 362); c.quadraticCurveTo(320, 350, 360, 362); });
    },
    extras: () => {
      for (const x of [272, 368]) {
        disc(x, 300, 37, "rgba(220, 244, 255, 0.2)");
        stroke("#2b3350", 7, (c) => c.arc(x, 300, 37, 0, 7));
        stroke("rgba(255, 255, 255, 0.6)", 4, (c) => c.arc(x, 300, 29, 3.5, 4.5));
      }
      stroke("#2b3350", 7, (c) => { c.moveTo(309, 296); c.quadraticCurveTo(320, 288, 331, 296); c.moveTo(235, 294); c.lineTo(212, 288); c.moveTo(405, 294); c.lineTo(428, 288); });
    },
  });
});
