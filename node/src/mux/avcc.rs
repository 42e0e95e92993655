//! Reads the codec's headers of an MP4 file, to know whether files can be joined.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// A movie header larger than this is not one of ours.
const MOST_MOOV_BYTES: u64 = 64 << 20;
/// Bytes of a visual sample entry before the boxes inside it.
const SAMPLE_ENTRY_BYTES: usize = 78;
/// Version, flags and entry count of the sample description.
const DESCRIPTION_BYTES: usize = 8;

/// The decoder configuration (`avcC` or `hvcC`: the parameter sets) of the first video track.
pub(super) fn read_avcc(path: &Path) -> io::Result<Vec<u8>> {
    let moov = read_moov(&mut File::open(path)?)?;
    let entries: [(&[u8; 4], &[u8; 4]); 2] = [(b"avc1", b"avcC"), (b"hvc1", b"hvcC")];
    entries
        .iter()
        .find_map(|(entry, headers)| {
            let steps = [
                (b"trak", 0),
                (b"mdia", 0),
                (b"minf", 0),
                (b"stbl", 0),
                (b"stsd", DESCRIPTION_BYTES),
                (entry, SAMPLE_ENTRY_BYTES),
                (headers, 0),
            ];
            steps
                .iter()
                .try_fold(moov.as_slice(), |inside, (kind, skip)| {
                    find(inside, kind)?.get(*skip..)
                })
        })
        .map(<[u8]>::to_vec)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "no H.264 or HEVC headers"))
}

fn read_moov(file: &mut File) -> io::Result<Vec<u8>> {
    loop {
        let mut header = [0; 8];
        file.read_exact(&mut header)?;
        let [s0, s1, s2, s3, kind @ ..] = header;
        let (size, header_bytes) = match u32::from_be_bytes([s0, s1, s2, s3]) {
            1 => {
                let mut long = [0; 8];
                file.read_exact(&mut long)?;
                (u64::from_be_bytes(long), 16)
            }
            size => (u64::from(size), 8),
        };
        let Some(content) = size.checked_sub(header_bytes) else {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "not an MP4 file",
            ));
        };
        if &kind != b"moov" {
            let content = i64::try_from(content).map_err(io::Error::other)?;
            file.seek(SeekFrom::Current(content))?;
        } else if content > MOST_MOOV_BYTES {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "an oversized movie header",
            ));
        } else {
            let mut moov = Vec::new();
            file.take(content).read_to_end(&mut moov)?;
            return Ok(moov);
        }
    }
}

/// The content of the first box of a kind.
fn find<'a>(mut boxes: &'a [u8], kind: &[u8; 4]) -> Option<&'a [u8]> {
    loop {
        let (size, rest) = boxes.split_first_chunk::<4>()?;
        let size = u32::from_be_bytes(*size) as usize;
        let (found, _) = rest.split_first_chunk::<4>()?;
        let content = boxes.get(8..size)?;
        if found == kind {
            return Some(content);
        }
        boxes = &boxes[size..];
    }
}
