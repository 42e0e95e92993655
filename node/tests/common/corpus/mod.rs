//! Files as an attacker, a bad disk or a broken encoder would make them.

pub mod bits;
pub mod pictures;
pub mod streams;
pub mod vectors;

use std::path::Path;

/// What may come of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is refused.
    Refused,
    /// It is shown or heard.
    Shown,
    /// It is shown as far as it goes, or refused.
    Either,
}

/// One file of the corpus.
pub struct Suspect {
    /// Its name, whose ending says what it claims to be.
    pub name: String,
    pub bytes: Vec<u8>,
    /// The type of overlay that it is put into.
    pub overlay: &'static str,
    pub fate: Fate,
}

pub fn suspect(name: &str, overlay: &'static str, fate: Fate, bytes: Vec<u8>) -> Suspect {
    Suspect {
        name: name.to_owned(),
        bytes,
        overlay,
        fate,
    }
}

/// Good files of every kind, with the overlay that they belong into: made by one run of ffmpeg.
pub fn good(folder: &Path) -> Vec<Suspect> {
    const FILES: [(&str, &str, &str); 15] = [
        (
            "a.mp4",
            "video",
            "-map 0 -map 1 -c:v libx264 -g 4 -bf 2 -c:a aac",
        ),
        ("a.mov", "video", "-map 0 -c:v mpeg4"),
        ("a.webm", "video", "-map 0 -map 1 -c:v libvpx -c:a libopus"),
        ("a.mkv", "video", "-map 0 -map 1 -c:v libx264 -c:a flac"),
        ("a.ts", "video", "-map 0 -map 1 -c:v mpeg2video -c:a mp2"),
        ("a.gif", "image", "-map 0"),
        ("a.jpg", "image", "-map 0 -frames:v 1 -pix_fmt yuvj420p"),
        ("a.png", "image", "-map 0 -frames:v 1"),
        ("a.webp", "image", "-map 0 -frames:v 1 -c:v libwebp"),
        ("b.webp", "image", "-map 0 -c:v libwebp_anim -loop 0"),
        (
            "a.avif",
            "image",
            "-map 0 -frames:v 1 -c:v libaom-av1 -cpu-used 8 -still-picture 1",
        ),
        ("a.wav", "sound", "-map 1"),
        ("a.mp3", "sound", "-map 1"),
        ("a.m4a", "sound", "-map 1 -c:a aac"),
        ("a.flac", "sound", "-map 1"),
    ];
    let text = |name: &str| folder.join(name).to_str().expect("text").to_owned();
    let mut arguments: Vec<String> = "-f lavfi -i testsrc2=s=64x48:r=12:d=0.7,format=yuv420p \
                                      -f lavfi -i sine=d=0.7"
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    for (name, _, how) in FILES {
        arguments.extend(how.split_whitespace().map(str::to_owned));
        arguments.push(text(name));
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    super::ffmpeg(&arguments);
    FILES
        .into_iter()
        .map(|(name, overlay, _)| {
            let bytes = std::fs::read(text(name)).expect("a file");
            suspect(name, overlay, Fate::Shown, bytes)
        })
        .collect()
}

/// The same file cut off at several places and with flipped bits, by seeds.
pub fn damaged(good: &Suspect) -> Vec<Suspect> {
    let length = good.bytes.len();
    let name = |how: &str, at: usize| format!("{how}{at}-{}", good.name);
    let cuts = [1, 30, length / 10, length / 2, length * 9 / 10, length - 3];
    let cut = cuts.into_iter().map(|at| {
        let bytes = good.bytes[..at.min(length)].to_vec();
        suspect(&name("cut", at), good.overlay, Fate::Either, bytes)
    });
    let flipped = (1..=8_u64).map(|seed| {
        let mut bytes = good.bytes.clone();
        let mut random = bits::Random(seed);
        // Few flips far in, many, or many in the headers.
        let (count, reach) = match seed % 3 {
            0 => (4, length),
            1 => (length / 100 + 1, length),
            _ => (12, length.min(400)),
        };
        for _ in 0..count {
            let at = random.below(reach);
            bytes[at] ^= 1 << random.below(8);
        }
        suspect(
            &name("flip", seed as usize),
            good.overlay,
            Fate::Either,
            bytes,
        )
    });
    cut.chain(flipped).collect()
}

/// Things that are not media at all, under names of media.
pub fn impostors() -> Vec<Suspect> {
    let program = std::fs::read("/proc/self/exe").expect("this program");
    let things: [(&str, &[u8]); 7] = [
        ("empty", b""),
        ("page", b"<!DOCTYPE html><html><body>404</body></html>"),
        ("data", b"{\"error\": \"not found\"}"),
        ("text", b"this is not what you are looking for\n"),
        ("program", &program[..4096]),
        ("zeros", &[0; 10_000]),
        ("zip", b"PK\x03\x04\x14\0\0\0\x08\0 not an archive either"),
    ];
    let names = [
        ("mp4", "video"),
        ("gif", "image"),
        ("svg", "image"),
        ("wav", "sound"),
    ];
    things
        .iter()
        .flat_map(|(thing, bytes)| {
            names.map(|(ending, overlay)| {
                let name = format!("{thing}.{ending}");
                suspect(&name, overlay, Fate::Refused, bytes.to_vec())
            })
        })
        .collect()
}
