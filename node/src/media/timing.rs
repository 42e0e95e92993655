//! How long the frames of animated pictures last, read from their files without decoding them.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::Path;

use kinora_composition::timeline::FrameTimes;

use crate::{Context, Result};

/// Frames beyond this many are not shown.
const MOST_FRAMES: usize = 10_000;

const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// When the frames of a picture are shown; `None` for one that does not move.
pub fn frame_times(path: &Path) -> Result<Option<FrameTimes>> {
    let file = File::open(path).context("opening a fetched image")?;
    let mut source = BufReader::new(file);
    let mut start = [0; 12];
    let known = source
        .read_exact(&mut start)
        .and_then(|()| source.rewind())
        .is_ok();
    let mut found = Found::default();
    // A file that breaks off has the frames before that.
    let _ = match &start {
        [b'G', b'I', b'F', b'8', ..] if known => read_gif(&mut source, &mut found),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P'] => {
            read_webp(&mut source, &mut found)
        }
        start if start.starts_with(PNG_SIGNATURE) => read_png(&mut source, &mut found),
        _ => return Ok(None),
    };
    Ok(FrameTimes::new(found.delays, found.plays))
}

/// What a file says of its frames.
#[derive(Default)]
struct Found {
    delays: Vec<f64>,
    plays: Option<u32>,
}

impl Found {
    /// Takes note of a frame; fails when there are enough.
    fn push(&mut self, seconds: f64) -> io::Result<()> {
        if self.delays.len() >= MOST_FRAMES {
            return Err(io::ErrorKind::InvalidData.into());
        }
        self.delays.push(seconds);
        Ok(())
    }
}

fn bytes<const N: usize>(source: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    source.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn skip(source: &mut BufReader<File>, count: u64) -> io::Result<()> {
    source.seek_relative(i64::try_from(count).map_err(|_| io::ErrorKind::InvalidData)?)
}

fn read_gif(source: &mut BufReader<File>, found: &mut Found) -> io::Result<()> {
    const IMAGE: u8 = 0x2c;
    const EXTENSION: u8 = 0x21;
    const CONTROL: u8 = 0xf9;
    const APPLICATION: u8 = 0xff;
    let color_table = |flags: u8| match flags & 0x80 {
        0 => 0,
        _ => 3 << ((flags & 7) + 1),
    };
    // Without a word about repeating, frames are shown once.
    found.plays = Some(1);
    let header: [u8; 13] = bytes(source)?;
    skip(source, color_table(header[10]))?;
    let mut delay = 0.0;
    loop {
        match bytes::<1>(source)?[0] {
            IMAGE => {
                let descriptor: [u8; 9] = bytes(source)?;
                // The colours, then how wide codes are at first.
                skip(source, color_table(descriptor[8]) + 1)?;
                while sub_block(source, &mut [])? > 0 {}
                found.push(std::mem::take(&mut delay))?;
            }
            EXTENSION => {
                let label = bytes::<1>(source)?[0];
                let mut block = [0; 11];
                let mut length = sub_block(source, &mut block)?;
                if label == CONTROL && length >= 4 {
                    let hundredths = u16::from_le_bytes([block[1], block[2]]);
                    delay = f64::from(hundredths) / 100.0;
                }
                let repeats =
                    label == APPLICATION && matches!(&block, b"NETSCAPE2.0" | b"ANIMEXTS1.0");
                while length > 0 {
                    length = sub_block(source, &mut block)?;
                    if repeats && length >= 3 && block[0] == 1 {
                        let again = u32::from(u16::from_le_bytes([block[1], block[2]]));
                        found.plays = (again > 0).then_some(again + 1);
                    }
                }
            }
            _ => return Ok(()),
        }
    }
}

/// Reads a block of a GIF, of which `start` takes what it can hold; how long it is.
fn sub_block(source: &mut BufReader<File>, start: &mut [u8]) -> io::Result<usize> {
    let length = usize::from(bytes::<1>(source)?[0]);
    let taken = length.min(start.len());
    source.read_exact(&mut start[..taken])?;
    skip(source, (length - taken) as u64)?;
    Ok(length)
}

fn read_webp(source: &mut BufReader<File>, found: &mut Found) -> io::Result<()> {
    skip(source, 12)?;
    loop {
        let name: [u8; 4] = bytes(source)?;
        let length = u64::from(u32::from_le_bytes(bytes(source)?));
        let padded = length.next_multiple_of(2);
        let read = match &name {
            b"ANIM" if length >= 6 => {
                let [.., low, high] = bytes::<6>(source)?;
                let plays = u32::from(u16::from_le_bytes([low, high]));
                found.plays = (plays > 0).then_some(plays);
                6
            }
            b"ANMF" if length >= 16 => {
                let frame: [u8; 16] = bytes(source)?;
                let milliseconds = u32::from_le_bytes([frame[12], frame[13], frame[14], 0]);
                found.push(f64::from(milliseconds) / 1000.0)?;
                16
            }
            _ => 0,
        };
        skip(source, padded - read)?;
    }
}

fn read_png(source: &mut BufReader<File>, found: &mut Found) -> io::Result<()> {
    skip(source, PNG_SIGNATURE.len() as u64)?;
    let mut is_animated = false;
    loop {
        let length = u64::from(u32::from_be_bytes(bytes(source)?));
        let read = match &bytes::<4>(source)? {
            b"acTL" if length >= 8 => {
                let [_, _, _, _, plays @ ..] = bytes::<8>(source)?;
                let plays = u32::from_be_bytes(plays);
                found.plays = (plays > 0).then_some(plays);
                is_animated = true;
                8
            }
            // An announcement of frames must come before the pixels.
            b"IDAT" if !is_animated => return Ok(()),
            b"fcTL" if length >= 24 => {
                let control: [u8; 24] = bytes(source)?;
                let [over, under] = [20, 22]
                    .map(|at| f64::from(u16::from_be_bytes([control[at], control[at + 1]])));
                found.push(over / if under == 0.0 { 100.0 } else { under })?;
                24
            }
            b"IEND" => return Ok(()),
            _ => 0,
        };
        // The sum that ends every chunk comes on top.
        skip(source, length - read + 4)?;
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

    use super::*;

    fn times_of(bytes: &[u8]) -> Option<FrameTimes> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, bytes).unwrap();
        frame_times(&path).unwrap()
    }

    fn gif(delays: &[u16], again: Option<u16>) -> Vec<u8> {
        let mut out = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff".to_vec();
        if let Some(again) = again {
            out.extend(b"\x21\xff\x0bNETSCAPE2.0\x03\x01");
            out.extend(again.to_le_bytes());
            out.push(0);
        }
        for delay in delays {
            out.extend(b"\x21\xf9\x04\0");
            out.extend(delay.to_le_bytes());
            out.extend(b"\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0");
        }
        out.push(0x3b);
        out
    }

    fn png_chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
        let length = u32::try_from(data.len()).unwrap().to_be_bytes();
        [&length, name.as_slice(), data, b"sum."].concat()
    }

    fn png(plays: u32, delays: &[(u16, u16)]) -> Vec<u8> {
        let mut out = PNG_SIGNATURE.to_vec();
        out.extend(png_chunk(b"IHDR", &[0; 13]));
        let count = u32::try_from(delays.len()).unwrap();
        out.extend(png_chunk(
            b"acTL",
            &[count.to_be_bytes(), plays.to_be_bytes()].concat(),
        ));
        for (over, under) in delays {
            let times = [over.to_be_bytes(), under.to_be_bytes()].concat();
            out.extend(png_chunk(
                b"fcTL",
                &[[0; 20].as_slice(), &times, &[0; 2]].concat(),
            ));
            out.extend(png_chunk(b"IDAT", &[1, 2, 3]));
        }
        out.extend(png_chunk(b"IEND", &[]));
        out
    }

    fn webp(plays: u16, milliseconds: &[u8]) -> Vec<u8> {
        let mut out = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\0\0\0\0\0\0".to_vec();
        out.extend(b"ANIM\x06\0\0\0\0\0\0\0");
        out.extend(plays.to_le_bytes());
        for delay in milliseconds {
            // A frame of an odd length is padded.
            out.extend(b"ANMF\x13\0\0\0");
            out.extend([0; 12]);
            out.extend([*delay, 0, 0, 0]);
            out.extend([7; 4]);
        }
        out
    }

    #[test]
    fn frames_of_all_kinds_of_files_are_found() {
        assert_eq!(
            times_of(&gif(&[10, 5, 0], Some(0))),
            FrameTimes::new([0.1, 0.05, 0.0], None)
        );
        assert_eq!(
            times_of(&png(0, &[(1, 10), (5, 0), (30, 1000)])),
            FrameTimes::new([0.1, 0.05, 0.03], None)
        );
        assert_eq!(
            times_of(&webp(0, &[100, 40])),
            FrameTimes::new([0.1, 0.04], None)
        );
    }

    #[test]
    fn plays_are_counted_as_each_kind_means_them() {
        let twice = |plays| FrameTimes::new([0.1, 0.1], plays);
        assert_eq!(times_of(&gif(&[10, 10], None)), twice(Some(1)));
        assert_eq!(
            times_of(&gif(&[10, 10], Some(2))),
            twice(Some(3)),
            "two more"
        );
        assert_eq!(times_of(&png(2, &[(1, 10), (1, 10)])), twice(Some(2)));
        assert_eq!(times_of(&webp(2, &[100, 100])), twice(Some(2)));
    }

    #[test]
    fn a_file_without_movement_or_sense_has_no_times() {
        assert_eq!(times_of(&gif(&[10], Some(0))), None);
        assert_eq!(times_of(b""), None);
        assert_eq!(times_of(b"GIF89a"), None);
        assert_eq!(times_of(&[0xff; 4096]), None);
        let mut huge = b"RIFF\0\0\0\0WEBPANMF".to_vec();
        huge.extend([0xff; 64]);
        assert_eq!(times_of(&huge), None);
        let whole = gif(&[10, 10, 10], Some(0));
        assert_eq!(
            times_of(&whole[..whole.len() - 8]),
            FrameTimes::new([0.1, 0.1], None),
            "what is there is shown"
        );
    }
}
