//! NVENC through the whole node, on a library of ours that stands in for NVIDIA's.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;
#[path = "../../nvenc-sys/tests/standin/mod.rs"]
mod standin;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::studio::{composition, shape};
use common::{HEIGHT, WIDTH, ffprobe, number_of, numbered_frame};
use kinora_composition::document::Composition;
use kinora_node::encode::{Codec, EncoderSettings, Encoders};
use kinora_node::gpu::{Gpu, check_sharing};
use kinora_node::media::VideoReader;
use kinora_node::mux::{ChunkEncoder, assemble};
use kinora_node::{Engine, EngineConfig, Error, RenderOptions};
use serde_json::json;
use standin::Standin;
use tokio_util::sync::CancellationToken;

/// Bytes before the memory in a file that Mesa's software adapter exports.
const MESA_OFFSET: &str = "4096";

fn settings(codec: Codec) -> EncoderSettings {
    EncoderSettings {
        codec,
        crf: 12,
        threads: 1,
        ..EncoderSettings::new(WIDTH as u32, HEIGHT as u32, 10)
    }
}

/// Encodes numbered frames into a chunk; answers it and the encoder that was used in the end.
fn chunk(
    encoders: &Encoders,
    folder: &Path,
    codec: Codec,
    frames: Range<usize>,
) -> Result<(PathBuf, &'static str), Error> {
    let path = folder.join(format!("{codec:?}-{}.chunk", frames.start));
    let mut chunk = ChunkEncoder::create_with(encoders, &path, &settings(codec), None)?;
    for frame in frames {
        chunk.push(&numbered_frame(frame), frame as u64)?;
    }
    let name = chunk.encoder_name();
    chunk.finish()?;
    Ok((path, name))
}

fn numbers(path: &Path, frames: usize) -> Vec<usize> {
    let mut reader = VideoReader::open(path).unwrap();
    let middles = (0..frames).map(|frame| (frame as f64 + 0.5) / 10.0);
    middles
        .map(|at| number_of(&reader.frame_at(at).unwrap()))
        .collect()
}

#[test]
fn chunks_of_both_codecs_are_joined_and_show_every_frame_at_its_time() {
    for (codec, tag) in [(Codec::H264, "avc1"), (Codec::Hevc, "hvc1")] {
        let standin = Standin::new(&[]);
        let folder = tempfile::tempdir().unwrap();
        let encoders = Encoders::with_libraries(standin.libraries(), None);
        let chunks: Vec<_> = [0..33, 33..50]
            .map(|frames| chunk(&encoders, folder.path(), codec, frames).unwrap())
            .into_iter()
            .map(|(path, name)| {
                assert_eq!(name, "nvenc");
                path
            })
            .collect();
        let out = folder.path().join("joined.mp4");
        let done = assemble(&chunks, None, 10, &out, &CancellationToken::new()).unwrap();
        assert_eq!(done.frames, 50);
        assert_eq!(numbers(&out, 50), (0..50).collect::<Vec<_>>());
        let fields = "stream=codec_tag_string,profile,color_range,color_space,sample_aspect_ratio";
        let about = ffprobe(&out, &["-select_streams", "v", "-show_entries", fields]);
        assert!(about.contains(tag), "{about}");
        assert!(
            about.contains("1:1") && about.contains("tv,bt709"),
            "{about}"
        );
        let times = ffprobe(
            &out,
            &["-select_streams", "v", "-show_entries", "packet=pts,dts"],
        );
        let times: Vec<_> = times.lines().collect();
        assert_eq!(times.len(), 50, "{times:?}");
        let first: i64 = times[0].split(',').next().unwrap().parse().unwrap();
        let second: i64 = times[1].split(',').next().unwrap().parse().unwrap();
        for (at, line) in (0..).zip(&times) {
            let due = first + at * (second - first);
            assert!(line.starts_with(&format!("{due},{due}")), "{line}");
        }
        drop(encoders);
        standin.assert_tidy();
        assert_eq!(standin.count("session opened"), 3);
    }
}

#[test]
fn probing_names_the_gpu_or_the_reason_once() {
    let standin = Standin::new(&[]);
    let encoders = Encoders::with_libraries(standin.libraries(), None);
    let report = &encoders.probe()[0];
    assert!(report.usable);
    assert_eq!(report.reason, "encoded a test frame on Standin GPU 0");
    encoders.probe();
    assert_eq!(standin.count("session opened"), 1);

    let without = Standin::new(&[("open_status", "2")]);
    let encoders = Encoders::with_libraries(without.libraries(), None);
    let report = &encoders.probe()[0];
    assert!(!report.usable);
    assert_eq!(
        report.reason,
        "Standin GPU 0 has no usable encoder (unsupported device)"
    );
    let folder = tempfile::tempdir().unwrap();
    let (_, name) = chunk(&encoders, folder.path(), Codec::H264, 0..3).unwrap();
    assert_eq!(name, "x264");
    let wanted = encoders.open(&settings(Codec::H264), Some("nvenc")).err();
    assert_eq!(
        wanted.unwrap().to_string(),
        "choosing an encoder: nvenc: Standin GPU 0 has no usable encoder (unsupported device)"
    );
}

#[test]
fn what_the_gpu_refuses_is_encoded_by_the_processor() {
    let folder = tempfile::tempdir().unwrap();
    // One session is taken; the next chunk gets none.
    let standin = Standin::new(&[("sessions", "1")]);
    let encoders = Encoders::with_libraries(standin.libraries(), None);
    let taken = encoders.open(&settings(Codec::H264), None).unwrap();
    assert_eq!(taken.name(), "nvenc");
    let (path, name) = chunk(&encoders, folder.path(), Codec::H264, 0..12).unwrap();
    assert_eq!(name, "x264");
    assert_eq!(numbers(&path, 12), (0..12).collect::<Vec<_>>());
    drop(taken);
    let (_, name) = chunk(&encoders, folder.path(), Codec::H264, 0..12).unwrap();
    assert_eq!(name, "nvenc");
    drop(encoders);
    standin.assert_tidy();

    let standin = Standin::new(&[("no_hevc", "1")]);
    let encoders = Encoders::with_libraries(standin.libraries(), None);
    let (path, name) = chunk(&encoders, folder.path(), Codec::Hevc, 0..12).unwrap();
    assert_eq!(name, "x265");
    assert_eq!(numbers(&path, 12), (0..12).collect::<Vec<_>>());
}

#[test]
fn a_failure_at_the_first_frame_begins_again_and_a_later_one_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    // Frames count by session: the one that probes has one frame too.
    let standin = Standin::new(&[("fail_first_of_session", "2")]);
    let encoders = Encoders::with_libraries(standin.libraries(), None);
    let (path, name) = chunk(&encoders, folder.path(), Codec::H264, 4..16).unwrap();
    assert_eq!(name, "x264");
    assert_eq!(numbers(&path, 12), (4..16).collect::<Vec<_>>());
    drop(encoders);
    standin.assert_tidy();

    let standin = Standin::new(&[("fail_at", "5")]);
    let encoders = Encoders::with_libraries(standin.libraries(), None);
    let error = chunk(&encoders, folder.path(), Codec::H264, 0..12).unwrap_err();
    assert!(error.to_string().contains("told to fail"), "{error}");
    drop(encoders);
    standin.assert_tidy();
}

fn config(folder: &Path) -> EngineConfig {
    // Another test of this process may have been first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    EngineConfig {
        fonts: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../fonts")),
        cache_dir: folder.join("cache"),
        cache_bytes: 1 << 30,
        allow_private_urls: false,
        local_media: None,
        encoder: None,
        hardware_decoding: false,
    }
}

/// Something that moves, then rests.
fn scene() -> Arc<Composition> {
    let overlays = json!([shape(
        [20, 10, 60, 40],
        "#e63",
        &json!({ "styles": { "borderRadius": "9px", "animation": { "enter": "slideRight" } } })
    )]);
    composition(&overlays)
}

/// Renders the scene in two chunks, joins them, and answers the file's decoded frames.
async fn rendered(folder: &Path, encoders: Encoders, gpu: Gpu) -> Vec<Vec<u8>> {
    let engine = Engine::start_with(config(folder), gpu, encoders).unwrap();
    let (scene, options) = (scene(), RenderOptions::default());
    let mut chunks = Vec::new();
    for frames in [0..25, 25..60] {
        let path = folder.join(format!("{}.chunk", frames.start));
        engine
            .render_chunk(&scene, frames, &options, &path)
            .await
            .unwrap();
        chunks.push(path);
    }
    let out = folder.join("video.mp4");
    engine
        .assemble(&scene, 0..60, &options, &chunks, &out)
        .await
        .unwrap();
    let raw = folder.join("video.yuv");
    let (out, raw) = (out.to_str().unwrap(), raw.to_str().unwrap());
    common::ffmpeg(&["-i", out, "-f", "rawvideo", raw]);
    let bytes = std::fs::read(raw).unwrap();
    let frame = common::studio::WIDTH * common::studio::HEIGHT * 3 / 2;
    bytes.chunks(frame as usize).map(<[u8]>::to_vec).collect()
}

fn assert_alike(a: &[Vec<u8>], b: &[Vec<u8>]) {
    assert_eq!((a.len(), b.len()), (60, 60));
    for (at, (a, b)) in a.iter().zip(b).enumerate() {
        let difference = a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(*b)));
        let mean = difference.sum::<u64>() as f64 / a.len() as f64;
        assert!(mean < 2.0, "frame {at} differs by {mean}");
    }
}

#[tokio::test]
async fn a_whole_render_by_way_of_the_host_shows_what_the_processor_would_have_encoded() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let standin = Standin::new(&[]);
    let encoders = Encoders::with_libraries(standin.libraries(), None);
    let seen = rendered(folders[0].path(), encoders, Gpu::open().await.unwrap()).await;
    standin.assert_tidy();
    assert_eq!(standin.count("session opened"), 3);
    assert_eq!(standin.count("resource registered"), 0);

    let without = Standin::new(&[("open_status", "2")]);
    let encoders = Encoders::with_libraries(without.libraries(), None);
    let expected = rendered(folders[1].path(), encoders, Gpu::open().await.unwrap()).await;
    assert_alike(&seen, &expected);
}

/// The identity of the adapter, as the stand-in takes it.
fn identity(gpu: &Gpu) -> String {
    let uuid = gpu.uuid().expect("a Vulkan adapter");
    uuid.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test]
async fn a_whole_render_stays_on_the_device_where_its_memory_is_shared() {
    let gpu = Gpu::open().await.unwrap();
    if gpu.is_nvidia() {
        // The stand-in can't open a true GPU's memory; `true_gpus_share_their_memory` does.
        return;
    }
    let uuid = identity(&gpu);
    let standin = Standin::new(&[("uuid", &uuid), ("memory_offset", MESA_OFFSET)]);
    let encoders = Encoders::with_libraries(standin.libraries(), gpu.uuid());
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let seen = rendered(folders[0].path(), encoders, gpu).await;
    standin.assert_tidy();
    assert!(
        standin.count("resource registered") > 3,
        "{}",
        standin.log()
    );

    // The same encoder by way of the host: not a bit of difference.
    let host = Standin::new(&[("uuid", &uuid), ("no_import", "1")]);
    let gpu = Gpu::open().await.unwrap();
    let encoders = Encoders::with_libraries(host.libraries(), gpu.uuid());
    let expected = rendered(folders[1].path(), encoders, gpu).await;
    host.assert_tidy();
    assert_eq!(host.count("resource registered"), 0);
    assert!(seen == expected);
}

#[tokio::test]
async fn frames_that_lie_on_the_device_reach_the_processor_when_the_encoder_fails() {
    let gpu = Gpu::open().await.unwrap();
    if gpu.is_nvidia() {
        return;
    }
    let uuid = identity(&gpu);
    let standin = Standin::new(&[
        ("uuid", &uuid),
        ("memory_offset", MESA_OFFSET),
        ("fail_first_of_session", "2"),
    ]);
    let encoders = Encoders::with_libraries(standin.libraries(), gpu.uuid());
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::start_with(config(folder.path()), gpu, encoders).unwrap();
    let out = folder.path().join("chunk.mp4");
    engine
        .render_chunk(&scene(), 0..30, &RenderOptions::default(), &out)
        .await
        .unwrap();
    let count = ["-count_packets", "-show_entries", "stream=nb_read_packets"];
    assert_eq!(ffprobe(&out, &count), "30");
    drop(engine);
    standin.assert_tidy();
}

#[tokio::test]
async fn the_check_of_shared_memory_compares_every_byte() {
    let gpu = Gpu::open().await.unwrap();
    if gpu.is_nvidia() {
        return;
    }
    let uuid = identity(&gpu);
    let standin = Standin::new(&[("uuid", &uuid), ("memory_offset", MESA_OFFSET)]);
    assert_eq!(
        check_sharing(&gpu, &standin.libraries()).unwrap(),
        "Vulkan memory is seen by CUDA on Standin GPU 1: NV12 1280×720, equal"
    );
    standin.assert_tidy();
    let shifted = Standin::new(&[("uuid", &uuid), ("memory_offset", "4100")]);
    let reason = check_sharing(&gpu, &shifted.libraries()).unwrap_err();
    assert!(
        reason.ends_with("that CUDA sees of a frame are wrong"),
        "{reason}"
    );
    let elsewhere = Standin::new(&[]);
    assert_eq!(
        check_sharing(&gpu, &elsewhere.libraries()).unwrap_err(),
        "Standin GPU 0 is not the GPU that draws"
    );
}

#[tokio::test]
async fn true_gpus_share_their_memory() {
    let gpu = Gpu::open().await.unwrap();
    let checked = check_sharing(&gpu, &kinora_node::encode::NvidiaLibraries::default());
    if gpu.is_nvidia() {
        assert!(checked.unwrap().ends_with("equal"));
    } else {
        // No NVIDIA adapter here: there is nothing to share, and that is said.
        assert!(!checked.unwrap_err().is_empty());
    }
}
