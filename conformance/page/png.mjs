// Screenshots: written as PNG without alpha, as small as zlib makes it, and compared.

import { execFileSync } from "node:child_process";

export function written(picture, file) {
  execFileSync("ffmpeg", ["-v", "error", "-y", "-f", "png_pipe", "-i", "-", "-pix_fmt", "rgb24", "-pred", "mixed", "-compression_level", "9", "-update", "1", file], { input: picture });
}

// The mean difference of the channels of two screenshots of one size.
export function meanDifference(one, other) {
  const [a, b] = [one, other].map((input) =>
    execFileSync("ffmpeg", ["-v", "error", "-f", "png_pipe", "-i", "-", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"], {
      input,
      maxBuffer: 1 << 28,
    }),
  );
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += Math.abs(a[index] - b[index]);
  return sum / a.length;
}
