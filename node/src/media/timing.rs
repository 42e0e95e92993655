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
