//! Video and sound that claim too much, or point elsewhere.

use super::bits::Bits;
use super::{Fate, Suspect, suspect};

/// The place after the first occurrence of a box's name.
fn after(bytes: &[u8], name: &[u8]) -> usize {
    let at = bytes.windows(name.len()).position(|found| found == name);
    at.expect("a box") + name.len()
}

fn patched(good: &[u8], name: &[u8], skip: usize, with: &[u8]) -> Vec<u8> {
    let mut out = good.to_vec();
    let at = after(good, name) + skip;
    out[at..at + with.len()].copy_from_slice(with);
    out
}

/// The size field of a box.
fn resized(good: &[u8], name: &[u8], size: u32) -> Vec<u8> {
    let mut out = good.to_vec();
    let at = after(good, name) - 8;
    out[at..at + 4].copy_from_slice(&size.to_be_bytes());
    out
}

/// H.264 that claims pictures of so many blocks of sixteen pixels in each direction.
fn huge_h264(blocks: u32) -> Vec<u8> {
    let mut sps = Bits::default();
    sps.number(66, 8);
    sps.number(0, 8);
    sps.number(62, 8);
    // Its id, frame numbers, order of pictures by itself, sixteen references, no gaps.
    for value in [0, 0, 2, 16] {
        sps.golomb(value);
    }
    sps.bit(false);
    sps.golomb(blocks - 1);
    sps.golomb(blocks - 1);
    // Whole frames, direct inference, no crop, nothing about use.
    for bit in [true, true, false, false] {
        sps.bit(bit);
    }
    let mut slice = Bits::default();
    slice.golomb(0);
    slice.golomb(7);
    for value in [0, 0, 0, 0, 0] {
        slice.golomb(value);
    }
    let mut pps = Bits::default();
    for value in [0, 0] {
        pps.golomb(value);
    }
    pps.number(0, 2);
    for value in [0, 0, 0] {
        pps.golomb(value);
    }
    pps.number(0, 3);
    for value in [0, 0, 0] {
        pps.golomb(value);
    }
    pps.number(0, 3);
    let unit = |kind: u8, bits: Bits| [&[0, 0, 0, 1, kind], bits.bytes().as_slice()].concat();
    let start = [unit(0x67, sps), unit(0x68, pps)].concat();
    let mut out = start;
    for _ in 0..40 {
        let mut again = Bits::default();
        again.golomb(0);
        again.golomb(7);
        again.number(0xabcd_ef01, 32);
        out.extend(unit(0x65, again));
    }
    out.extend(unit(0x65, slice));
    out
}

fn wav(channels: u16, rate: u32, claimed: u32) -> Vec<u8> {
    let mut out = b"RIFF".to_vec();
    out.extend(claimed.to_le_bytes());
    out.extend(b"WAVEfmt \x10\0\0\0\x01\0");
    out.extend(channels.to_le_bytes());
    out.extend(rate.to_le_bytes());
    out.extend(rate.wrapping_mul(2).to_le_bytes());
    out.extend(channels.wrapping_mul(2).to_le_bytes());
    out.extend(b"\x10\0data");
    out.extend(claimed.to_le_bytes());
    out.extend([1; 40_000]);
    out
}

/// An element of Matroska with a size of eight bytes.
fn element(id: &[u8], size: u64) -> Vec<u8> {
    [id, &(size | 1 << 56).to_be_bytes()].concat()
}

/// Tags inside tags inside tags.
fn nested_matroska(levels: u64) -> Vec<u8> {
    let each = 2 + 8;
    let mut out = b"\x1a\x45\xdf\xa3\x8b\x42\x82\x88matroska".to_vec();
    let tags = levels * each;
    out.extend(element(b"\x18\x53\x80\x67", tags + 24));
    out.extend(element(b"\x12\x54\xc3\x67", tags + 12));
    out.extend(element(b"\x73\x73", tags));
    for level in 1..levels {
        out.extend(element(b"\x67\xc8", (levels - level) * each));
    }
    out
}

fn playlists() -> Vec<Suspect> {
    const HLS: &str =
        "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n";
    const CONCAT: &str = "ffconcat version 1.0\nfile '/etc/passwd'\n";
    const DASH: &str = "<?xml version='1.0'?><MPD xmlns='urn:mpeg:dash:schema:mpd:2011' type='static'>\
        <Period><AdaptationSet><Representation id='1'><BaseURL>file:///etc/passwd</BaseURL>\
        </Representation></AdaptationSet></Period></MPD>";
    const SDP: &str =
        "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n";
    [
        ("list.m3u8", HLS),
        ("list.mp4", HLS),
        ("list.ffconcat", CONCAT),
        ("concat.mp4", CONCAT),
        ("list.mpd", DASH),
        ("list.sdp", SDP),
    ]
    .into_iter()
    .flat_map(|(name, text)| {
        ["video", "sound"].map(|overlay| {
            let name = format!("{overlay}-{name}");
            suspect(&name, overlay, Fate::Refused, text.as_bytes().to_vec())
        })
    })
    .collect()
}

/// All of them; `mp4` and `png` are good files.
pub fn all(mp4: &[u8], png: &[u8]) -> Vec<Suspect> {
    let most = [0xff; 4];
    let video = |name: &str, fate, bytes| suspect(name, "video", fate, bytes);
    let sound = |name: &str, fate, bytes| suspect(name, "sound", fate, bytes);
    let mut all = vec![
        video("wide.h264", Fate::Refused, huge_h264(6_250)),
        video("large.h264", Fate::Refused, huge_h264(400)),
        video("moov.mp4", Fate::Either, resized(mp4, b"moov", 0x7fff_ffff)),
        video("mdat.mp4", Fate::Either, resized(mp4, b"mdat", 0xffff_fff0)),
        video("samples.mp4", Fate::Either, patched(mp4, b"stsz", 8, &most)),
        video("times.mp4", Fate::Either, patched(mp4, b"stts", 4, &most)),
        video("chunks.mp4", Fate::Either, patched(mp4, b"stco", 4, &most)),
        video(
            "duration.mp4",
            Fate::Either,
            patched(mp4, b"mvhd", 16, &most),
        ),
        video(
            "media-duration.mp4",
            Fate::Either,
            patched(mp4, b"mdhd", 16, &most),
        ),
        video("rate.mp4", Fate::Either, patched(mp4, b"mdhd", 12, &most)),
        video(
            "slow.mp4",
            Fate::Either,
            patched(mp4, b"mdhd", 12, &[0, 0, 0, 0]),
        ),
        video("size.mp4", Fate::Either, patched(mp4, b"avc1", 24, &most)),
        video("delta.mp4", Fate::Either, patched(mp4, b"stts", 12, &most)),
        video("nested.mkv", Fate::Refused, nested_matroska(100_000)),
        video("picture.mp4", Fate::Either, png.to_vec()),
        suspect("picture-of.mp4", "image", Fate::Shown, png.to_vec()),
        sound("channels.wav", Fate::Either, wav(1_000, 48_000, 40_000)),
        sound(
            "all-channels.wav",
            Fate::Either,
            wav(65_535, 48_000, 40_000),
        ),
        sound("rate.wav", Fate::Either, wav(2, 4_000_000_000, 40_000)),
        sound("fast.wav", Fate::Refused, wav(2, 2_000_000_000, 40_000)),
        sound("slow.wav", Fate::Refused, wav(2, 1, 40_000)),
        sound("none.wav", Fate::Either, wav(0, 0, 40_000)),
        sound("claimed.wav", Fate::Shown, wav(2, 48_000, 0xffff_fff0)),
    ];
    all.extend(playlists());
    all
}
