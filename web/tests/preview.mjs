// Looks at a preview page in its three modes: node preview.mjs PREVIEW_URL FRAME [SCREENSHOT_FOLDER]

import { inBrowser } from "./browser.mjs";

const [url, frame, screenshots] = process.argv.slice(2);
const READY = '[data-preview-ready="true"]';
const TIMEOUT = 120_000;

await inBrowser(async (page, stayAt) => {
  stayAt(url);
  const shoot = async (name) => {
    if (screenshots) await page.screenshot({ path: `${screenshots}/${name}.png` });
  };

  const answer = await page.goto(url);
  const readyAtOnce = (await page.$(READY)) !== null;
  await page.waitForSelector(READY, { state: "attached", timeout: TIMEOUT });
  const video = await page.evaluate(async () => {
    const video = document.querySelector("video");
    const before = { width: video.videoWidth, height: video.videoHeight, duration: video.duration };
    video.muted = true;
    await video.play();
    const started = performance.now();
    while (video.currentTime < 0.2 && performance.now() - started < 10_000)
      await new Promise((done) => setTimeout(done, 50));
    video.pause();
    return { ...before, played: video.currentTime };
  });
  await shoot("player");

  await page.goto(`${url}?mode=grid`);
  await page.waitForSelector(READY, { state: "attached", timeout: TIMEOUT });
  const cells = await page.evaluate(() =>
    [...document.querySelectorAll("figure")].map((figure) => {
      const picture = figure.querySelector("img");
      return { width: picture.naturalWidth, height: picture.naturalHeight, label: figure.innerText.trim() };
    }),
  );
  await shoot("grid");

  await page.goto(`${url}?frame=${frame}`);
  await page.waitForSelector(READY, { state: "attached", timeout: TIMEOUT });
  const still = await page.evaluate(() => {
    const picture = document.querySelector("img");
    const canvas = document.createElement("canvas");
    canvas.width = picture.naturalWidth;
    canvas.height = picture.naturalHeight;
    const paper = canvas.getContext("2d");
    paper.drawImage(picture, 0, 0);
    const at = (x, y) => [...paper.getImageData(x, y, 1, 1).data].slice(0, 3);
    return {
      width: picture.naturalWidth,
      height: picture.naturalHeight,
      middle: at(canvas.width >> 1, canvas.height >> 1),
      corner: at(2, 2),
      text: document.body.innerText,
    };
  });
  await shoot("frame");

  return { status: answer.status(), readyAtOnce, title: await page.title(), video, cells, still };
});
