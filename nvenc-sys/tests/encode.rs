//! Encoding by the interface's rules, on a library that stands in for the driver.

mod standin;

use std::io::Write;
use std::sync::Arc;

use nvenc_sys::{
    Codec, Context, Cuda, Encoder, Error, ImportedMemory, Library, Packet, Settings, Surface,
};
use standin::Standin;

const WIDTH: u32 = 160;
const HEIGHT: u32 = 96;

fn settings(codec: Codec) -> Settings {
    Settings {
        codec,
        width: WIDTH,
        height: HEIGHT,
        fps: 10,
        quality: 20,
        keyframe_interval: 20,
    }
}

fn context(standin: &Standin) -> Result<Arc<Context>, Error> {
    let cuda = Cuda::load(&standin.libraries()).expect("the stand-in loads");
    Context::open(&cuda, None)
}

fn open(standin: &Standin, codec: Codec) -> Result<Encoder, Error> {
    let library = Library::load(&standin.libraries()).expect("the stand-in loads");
    Encoder::open(&Arc::new(library), &context(standin)?, settings(codec))
}

fn frame(shade: u64) -> Vec<u8> {
    vec![16 + shade as u8 * 3; (WIDTH * HEIGHT * 3 / 2) as usize]
}

/// Encodes frames from the host and checks what must be true of every stream.
fn encode(encoder: &mut Encoder, frames: u64) -> Vec<Packet> {
    let mut packets = Vec::new();
    for at in 0..frames {
        encoder
            .encode_planar(&frame(at), at, &mut packets)
            .expect("a frame");
    }
    encoder.finish(&mut packets).expect("an end");
    let times: Vec<_> = packets.iter().map(|packet| packet.timestamp).collect();
    assert_eq!(times, (0..frames).collect::<Vec<_>>());
    for packet in &packets {
        assert_eq!(
            packet.is_key,
            packet.timestamp % 20 == 0,
            "{}",
            packet.timestamp
        );
        assert!(packet.data.starts_with(&[0, 0, 0, 1]) || packet.data.starts_with(&[0, 0, 1]));
    }
    packets
}

#[test]
fn both_codecs_give_a_packet_for_each_frame_with_its_time() {
    for codec in [Codec::H264, Codec::Hevc] {
        let standin = Standin::new(&[]);
        let mut encoder = open(&standin, codec).expect("an encoder");
        encode(&mut encoder, 45);
        drop(encoder);
        standin.assert_tidy();
        assert_eq!(standin.count("session closed after 45 frames"), 1);
    }
}

#[test]
fn equal_settings_give_equal_headers() {
    let standin = Standin::new(&[]);
    let first = open(&standin, Codec::H264).expect("an encoder");
    let second = open(&standin, Codec::H264).expect("an encoder");
    assert_eq!(first.headers(), second.headers());
    // A sequence and a picture parameter set.
    let units = first.headers().windows(5);
    let kinds: Vec<_> = units
        .filter(|unit| unit.starts_with(&[0, 0, 0, 1]))
        .map(|unit| unit[4] & 31)
        .collect();
    assert_eq!(kinds, [7, 8]);
    drop((first, second));
    standin.assert_tidy();
}

#[test]
fn a_gpu_without_an_encoder_says_unsupported_device() {
    let standin = Standin::new(&[("open_status", "2")]);
    let error = open(&standin, Codec::H264).err().expect("no encoder");
    assert_eq!(
        error.to_string(),
        "Standin GPU 0 has no usable encoder (unsupported device)"
    );
    standin.assert_tidy();
}

#[test]
fn a_machine_without_a_gpu_and_an_old_driver_are_said() {
    let error = context(&Standin::new(&[("no_gpu", "1")])).err();
    assert_eq!(
        error.expect("no GPU").to_string(),
        "cuInit failed (no CUDA-capable device is detected)"
    );
    let old = Standin::new(&[("driver", "177")]);
    let error = Library::load(&old.libraries()).err().expect("too old");
    assert_eq!(
        error.to_string(),
        "the driver speaks NVENC 11.1, 12.0 is needed"
    );
}

#[test]
fn a_codec_that_the_gpu_lacks_is_named() {
    let standin = Standin::new(&[("no_hevc", "1")]);
    let error = open(&standin, Codec::Hevc).err().expect("no HEVC");
    assert_eq!(error.to_string(), "Standin GPU 0 does not encode HEVC");
    assert!(open(&standin, Codec::H264).is_ok());
    standin.assert_tidy();
}

#[test]
fn too_many_sessions_are_refused_until_one_ends() {
    let standin = Standin::new(&[("sessions", "1")]);
    let first = open(&standin, Codec::H264).expect("an encoder");
    let error = open(&standin, Codec::H264).err().expect("no second one");
    assert!(error.to_string().ends_with("(out of memory)"), "{error}");
    drop(first);
    encode(&mut open(&standin, Codec::H264).expect("another one"), 3);
    standin.assert_tidy();
}

#[test]
fn frames_that_are_held_back_come_in_the_end() {
    for held in ["1", "3", "7"] {
        let standin = Standin::new(&[("hold", held)]);
        encode(&mut open(&standin, Codec::H264).expect("an encoder"), 25);
        encode(&mut open(&standin, Codec::H264).expect("an encoder"), 2);
        standin.assert_tidy();
    }
}

#[test]
fn holding_back_more_than_there_is_room_for_is_an_error() {
    let standin = Standin::new(&[("hold", "20")]);
    let mut encoder = open(&standin, Codec::H264).expect("an encoder");
    let mut packets = Vec::new();
    let failed = (0..12).find_map(|at| encoder.encode_planar(&frame(at), at, &mut packets).err());
    assert!(failed.expect("an error").to_string().contains("holds back"));
    drop(encoder);
    standin.assert_tidy();
}

#[test]
fn a_busy_encoder_is_asked_again() {
    let standin = Standin::new(&[("busy", "3")]);
    encode(&mut open(&standin, Codec::H264).expect("an encoder"), 10);
    standin.assert_tidy();
}

#[test]
fn a_failure_in_the_middle_is_told_and_leaves_nothing_behind() {
    let standin = Standin::new(&[("fail_at", "5")]);
    let mut encoder = open(&standin, Codec::H264).expect("an encoder");
    let mut packets = Vec::new();
    for at in 0..4 {
        encoder
            .encode_planar(&frame(at), at, &mut packets)
            .expect("a frame");
    }
    let error = encoder
        .encode_planar(&frame(4), 4, &mut packets)
        .expect_err("a failure");
    assert_eq!(
        error.to_string(),
        "nvEncEncodePicture failed (generic error: the standin was told to fail)"
    );
    drop(encoder);
    standin.assert_tidy();
}

#[test]
fn an_encoder_that_is_dropped_halfway_says_the_end_first() {
    let standin = Standin::new(&[]);
    let mut encoder = open(&standin, Codec::H264).expect("an encoder");
    encoder
        .encode_planar(&frame(0), 0, &mut Vec::new())
        .expect("a frame");
    drop(encoder);
    standin.assert_tidy();
}

/// Device memory with a frame of one shade.
fn memory(context: &Arc<Context>, pitch: u32, shade: u8) -> Arc<ImportedMemory> {
    let bytes = pitch as usize * HEIGHT as usize * 3 / 2;
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(&vec![shade; bytes]).expect("its bytes");
    let memory = context.import(file.into(), bytes as u64).expect("imported");
    Arc::new(memory)
}

#[test]
fn frames_on_the_device_are_encoded_where_they_lie() {
    const PITCH: u32 = 256;
    let standin = Standin::new(&[]);
    let library = Arc::new(Library::load(&standin.libraries()).expect("loaded"));
    let context = context(&standin).expect("a GPU");
    let memories = [30, 90, 150].map(|shade| memory(&context, PITCH, shade));
    let mut read = vec![0; PITCH as usize];
    memories[1].copy_to_host(&mut read).expect("a copy");
    assert!(read.iter().all(|byte| *byte == 90));

    let mut encoder = Encoder::open(&library, &context, settings(Codec::H264)).expect("an encoder");
    let mut packets = Vec::new();
    let mut holds = Vec::new();
    for at in 0..30_u64 {
        // Some are shown twice in a row, while the first is still under way.
        let memory = Arc::clone(&memories[(at / 2 % 3) as usize]);
        let hold = Arc::new(());
        holds.push(Arc::downgrade(&hold));
        let surface = Surface {
            memory,
            pitch: PITCH,
            hold,
        };
        encoder
            .encode_surface(surface, at, &mut packets)
            .expect("a frame");
        let held = holds.iter().filter(|hold| hold.strong_count() > 0).count();
        assert_eq!(held, at as usize + 1 - packets.len());
        assert!(held <= 8);
    }
    encoder.finish(&mut packets).expect("an end");
    assert_eq!(packets.len(), 30);
    assert!(holds.iter().all(|hold| hold.strong_count() == 0));
    assert_eq!(standin.count("resource registered"), 3);
    drop((encoder, memories, context));
    standin.assert_tidy();
}

#[test]
fn memory_that_is_too_small_is_refused() {
    let standin = Standin::new(&[]);
    let mut encoder = open(&standin, Codec::H264).expect("an encoder");
    let context = Arc::clone(encoder.context());
    let surface = Surface {
        memory: memory(&context, WIDTH, 0),
        pitch: 256,
        hold: Arc::new(()),
    };
    assert!(encoder.encode_surface(surface, 0, &mut Vec::new()).is_err());
    assert!(encoder.encode_planar(&[0; 7], 0, &mut Vec::new()).is_err());
    drop((encoder, context));
    standin.assert_tidy();
}

#[test]
fn the_gpu_of_an_identity_is_found() {
    let standin = Standin::new(&[("uuid", "000102030405060708090a0b0c0d0e0f")]);
    let cuda = Cuda::load(&standin.libraries()).expect("loaded");
    let wanted: [u8; 16] = std::array::from_fn(|at| at as u8);
    let found = Context::open(&cuda, Some(wanted)).expect("a GPU");
    assert_eq!((found.gpu(), found.uuid()), ("Standin GPU 1", wanted));
    let other = Context::open(&cuda, Some([9; 16])).expect("a GPU");
    assert_eq!(other.gpu(), "Standin GPU 0");
}
