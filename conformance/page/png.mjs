// Writes a screenshot as a PNG without alpha, as small as zlib makes it.

import { execFileSync } from "node:child_process";

export function written(picture, file) {
  execFileSync("ffmpeg", ["-v", "error", "-y", "-f", "png_pipe", "-i", "-", "-pix_fmt", "rgb24", "-pred", "mixed", "-compression_level", "9", "-update", "1", file], { input: picture });
}
