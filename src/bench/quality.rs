//! How good our encoding is for its size, beside x264 as the ffmpeg program runs it.

use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use anyhow::{Context, bail};
use kinora_composition::document::Composition;
use kinora_node::encode::EncoderSettings;
use kinora_node::mux::ChunkEncoder;
use kinora_node::{Engine, RenderOptions};
use serde_json::{Value, json};

use super::likeness::{Likeness, Shape};
use super::yardstick::RawFile;

/// Frames that are encoded, from the beginning.
const FRAMES: u32 = 150;
/// Every so many frames are compared.
const COMPARED: usize = 5;
/// What the peer is run with.
const PEER_CRF: u8 = 23;
/// The settings around it, between which sizes are sought.
const CURVE: [u8; 5] = [17, 19, 21, 23, 25];

/// An encoded video: its size, and how like the frames before encoding it is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Encoded {
    bytes: u64,
    likeness: Likeness,
}

/// What our encoding of a scene came to.
pub(super) struct Quality {
    scene: String,
    ours: Encoded,
    peer: Encoded,
    /// What x264 comes to at our size.
    at_our_size: Likeness,
}

/// Draws the beginning of a scene, encodes it both ways and compares.
pub(super) async fn measure(
    engine: &Engine,
    scene: &str,
    composition: &Arc<Composition>,
    work: &Path,
) -> anyhow::Result<Quality> {
    let raw = work.join("quality.yuv");
    let frames = 0..composition.duration_in_frames.min(FRAMES);
    let sink = Box::new(RawFile::create(&raw)?);
    let options = RenderOptions::default();
    engine
        .draw_frames(composition, frames, &options, sink)
        .await?;
    let settings = EncoderSettings::new(composition.width, composition.height, composition.fps);
    let (scene, work) = (scene.to_owned(), work.to_owned());
    tokio::task::spawn_blocking(move || compare(scene, &settings, &raw, &work)).await?
}

fn compare(
    scene: String,
    settings: &EncoderSettings,
    raw: &Path,
    work: &Path,
) -> anyhow::Result<Quality> {
    let video = work.join("quality.mp4");
    encode(settings, raw, &video)?;
    let ours = examine(settings, raw, &video)?;
    let mut curve = Vec::new();
    for crf in CURVE {
        encode_by_peer(settings, crf, raw, &video)?;
        curve.push(examine(settings, raw, &video)?);
    }
    std::fs::remove_file(raw).context("can't remove the raw frames")?;
    let peer = CURVE.iter().position(|crf| *crf == PEER_CRF);
    Ok(Quality {
        scene,
        ours,
        peer: curve[peer.unwrap_or_default()],
        at_our_size: at_size(&curve, ours.bytes),
    })
}

fn encode(settings: &EncoderSettings, raw: &Path, out: &Path) -> anyhow::Result<()> {
    let mut file = BufReader::new(File::open(raw).context("the raw frames are gone")?);
    let mut frame = vec![0; settings.frame_bytes()];
    let mut encoder = ChunkEncoder::create(out, settings, None)?;
    let mut index = 0;
    while file.read_exact(&mut frame).is_ok() {
        encoder.push(&frame, index)?;
        index += 1;
    }
    encoder.finish()?;
    Ok(())
}

fn ffmpeg() -> Command {
    let mut command = Command::new("ffmpeg");
    command.args(["-nostdin", "-v", "error", "-y"]);
    command
}

fn encode_by_peer(
    settings: &EncoderSettings,
    crf: u8,
    raw: &Path,
    out: &Path,
) -> anyhow::Result<()> {
    let size = format!("{}x{}", settings.width, settings.height);
    let (rate, crf) = (settings.fps.to_string(), crf.to_string());
    let status = ffmpeg()
        .args(["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", &size])
        .args(["-r", &rate, "-i"])
        .arg(raw)
        .args(["-c:v", "libx264", "-preset", "veryfast", "-crf", &crf])
        .arg(out)
        .status()
        .context("can't run ffmpeg")?;
    if !status.success() {
        bail!("ffmpeg can't encode with libx264");
    }
    Ok(())
}

/// Decodes a video and holds it against the frames that it was made of.
fn examine(settings: &EncoderSettings, raw: &Path, video: &Path) -> anyhow::Result<Encoded> {
    let mut decoder = ffmpeg()
        .arg("-i")
        .arg(video)
        .args(["-f", "rawvideo", "-pix_fmt", "yuv420p", "-"])
        .stdout(Stdio::piped())
        .spawn()
        .context("can't run ffmpeg")?;
    let mut decoded = decoder.stdout.take().context("ffmpeg has no output")?;
    let mut original = File::open(raw).context("the raw frames are gone")?;
    let bytes = settings.frame_bytes();
    let shape = Shape {
        width: settings.width as usize,
        height: settings.height as usize,
    };
    let (mut found, mut wanted) = (vec![0; bytes], vec![0; bytes]);
    let mut likenesses = Vec::new();
    let mut index = 0;
    while decoded.read_exact(&mut found).is_ok() {
        if index % COMPARED == 0 {
            original.seek(SeekFrom::Start((index * bytes) as u64))?;
            original
                .read_exact(&mut wanted)
                .context("there are more frames than were encoded")?;
            likenesses.push(Likeness::of(shape, &found, &wanted));
        }
        index += 1;
    }
    if !decoder.wait()?.success() || likenesses.is_empty() {
        bail!("ffmpeg can't decode what was encoded");
    }
    Ok(Encoded {
        bytes: packet_bytes(video)?,
        likeness: Likeness::mean(&likenesses),
    })
}

/// Bytes of the pictures, without the file around them.
fn packet_bytes(video: &Path) -> anyhow::Result<u64> {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-select_streams", "v"])
        .args(["-show_entries", "packet=size", "-of", "csv=p=0"])
        .arg(video)
        .output()
        .context("can't run ffprobe")?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.split(|c: char| c == ',' || c.is_whitespace())
        .filter(|size| !size.is_empty())
        .map(|size| size.parse::<u64>().context("ffprobe says something else"))
        .sum()
}

/// What the encoder of a curve would come to at a size: between its settings, and beyond them as
/// between the nearest two. Quality goes with the logarithm of size.
fn at_size(curve: &[Encoded], bytes: u64) -> Likeness {
    let place = |encoded: &Encoded| (encoded.bytes.max(1) as f64).ln();
    let mut curve = curve.to_vec();
    curve.sort_by_key(|encoded| encoded.bytes);
    let wanted = (bytes.max(1) as f64).ln();
    let above = curve
        .iter()
        .position(|encoded| encoded.bytes >= bytes)
        .unwrap_or(curve.len() - 1)
        .clamp(1, curve.len() - 1);
    let (low, high) = (&curve[above - 1], &curve[above]);
    let span = place(high) - place(low);
    let share = if span > 1e-9 {
        (wanted - place(low)) / span
    } else {
        0.0
    };
    low.likeness.towards(&high.likeness, share)
}

impl Quality {
    fn gain(&self) -> Likeness {
        self.ours.likeness.less(&self.at_our_size)
    }

    pub(super) fn to_json(&self) -> Value {
        let encoded = |encoded: &Encoded| {
            let mut value = encoded.likeness.to_json();
            value["bytes"] = json!(encoded.bytes);
            value
        };
        json!({
            "scene": self.scene,
            "ours": encoded(&self.ours),
            "x264VeryfastCrf23": encoded(&self.peer),
            "sizeRatio": self.ours.bytes as f64 / self.peer.bytes.max(1) as f64,
            "gainAtEqualSize": self.gain().to_json(),
        })
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  {}:", self.scene)?;
        for (name, encoded) in [("ours", self.ours), ("x264 veryfast", self.peer)] {
            let Likeness { luma, all, ssim } = encoded.likeness;
            writeln!(
                f,
                "    {name:<14} {:8.1} KiB, PSNR {luma:.2} dB of Y, {all:.2} dB of all, SSIM {ssim:.5}",
                encoded.bytes as f64 / 1024.0
            )?;
        }
        let Likeness { luma, all, ssim } = self.gain();
        write!(
            f,
            "    {:.3} times the size; at equal size {luma:+.2} dB of Y, {all:+.2} dB of all, SSIM {ssim:+.5}",
            self.ours.bytes as f64 / self.peer.bytes.max(1) as f64
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(bytes: u64, luma: f64) -> Encoded {
        Encoded {
            bytes,
            likeness: Likeness {
                luma,
                all: luma + 1.0,
                ssim: luma / 100.0,
            },
        }
    }

    #[test]
    fn quality_at_a_size_lies_on_the_curve() {
        let curve = [
            encoded(4000, 44.0),
            encoded(2000, 42.0),
            encoded(1000, 40.0),
        ];
        let luma = |bytes| at_size(&curve, bytes).luma;
        for (bytes, expected) in [
            (1000, 40.0),
            (2000, 42.0),
            (4000, 44.0),
            (500, 38.0),
            (8000, 46.0),
        ] {
            assert!((luma(bytes) - expected).abs() < 1e-9, "{bytes}");
        }
        // Half-way between two sizes is their geometric mean.
        assert!((luma(1414) - 41.0).abs() < 1e-2);
        let same = [encoded(1000, 40.0), encoded(1000, 40.0)];
        assert!((at_size(&same, 2000).luma - 40.0).abs() < 1e-9);
    }

    #[test]
    fn a_better_picture_of_the_same_size_is_a_gain() {
        let quality = Quality {
            scene: "a".into(),
            ours: encoded(2000, 42.5),
            peer: encoded(2000, 42.0),
            at_our_size: encoded(2000, 42.0).likeness,
        };
        assert!((quality.gain().luma - 0.5).abs() < 1e-9);
        assert!(quality.to_string().contains("at equal size +0.50 dB of Y"));
        assert_eq!(quality.to_json()["sizeRatio"], 1.0);
    }
}
