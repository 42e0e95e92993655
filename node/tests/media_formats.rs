//! What videos look like: alpha, turned and stretched pictures, ranges, matrices, high dynamic range.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use std::path::Path;

use common::ffmpeg;
use common::studio::{HEIGHT, Studio, WIDTH, overlay, shape};
use image::RgbaImage;
use kinora_node::media::VideoReader;
use serde_json::{Value, json};

/// The colour behind everything in a studio.
const GROUND: [u8; 3] = [0x20, 0x40, 0x60];

/// A short video of what a filter draws.
fn video(folder: &Path, name: &str, drawn: &str, encoding: &str) {
    let path = folder.join(name);
    let mut arguments = vec!["-f", "lavfi", "-i", drawn, "-frames:v", "3"];
    arguments.extend(encoding.split_whitespace());
    arguments.push(path.to_str().unwrap());
    ffmpeg(&arguments);
}

#[track_caller]
fn assert_near(picture: &RgbaImage, (x, y): (u32, u32), wanted: [u8; 3], tolerance: u8, of: &str) {
    let found = picture.get_pixel(x, y).0;
    let is_near = (0..3).all(|channel| found[channel].abs_diff(wanted[channel]) <= tolerance);
    assert!(is_near, "{of}: {found:?} at {x}, {y} is not {wanted:?}");
}

fn over_ground(color: [u8; 3], share: f32) -> [u8; 3] {
    std::array::from_fn(|channel| {
        let mixed = f32::from(color[channel]) * share + f32::from(GROUND[channel]) * (1.0 - share);
        mixed.round() as u8
    })
}

fn clip(name: &str, rect: [i32; 4], extra: &Value) -> Value {
    let mut clip = overlay("video", rect, extra);
    clip["src"] = name.into();
    clip
}

const TINT: [u8; 3] = [200, 40, 90];

/// A clip of the canvas's size, half see-through on the left.
fn half_seen() -> String {
    format!(
        "color=black:s={WIDTH}x{HEIGHT}:r=30,format=rgba,\
         geq=r=200:g=40:b=90:a='if(lt(X,{}),128,255)'",
        WIDTH / 2
    )
}

#[tokio::test]
async fn what_lies_behind_a_video_with_alpha_shines_through() {
    let studio = Studio::open().await;
    let folder = studio.folder.path();
    for (name, encoding) in [
        (
            "vp8.webm",
            "-c:v libvpx -pix_fmt yuva420p -auto-alt-ref 0 -crf 4 -b:v 4M",
        ),
        (
            "vp9.webm",
            "-c:v libvpx-vp9 -pix_fmt yuva420p -crf 4 -b:v 0 -cpu-used 8",
        ),
        (
            "vp9.mkv",
            "-c:v libvpx-vp9 -pix_fmt yuva420p -crf 4 -b:v 0 -cpu-used 8",
        ),
        (
            "prores.mov",
            "-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le",
        ),
        ("animation.mov", "-c:v qtrle -pix_fmt argb"),
        ("png.mov", "-c:v png -pix_fmt rgba"),
    ] {
        video(folder, name, &half_seen(), encoding);
        assert!(
            VideoReader::open(&folder.join(name))
                .unwrap()
                .info()
                .has_alpha,
            "{name}"
        );
        let whole = [0, 0, WIDTH as i32, HEIGHT as i32];
        let picture = studio.still(json!([clip(name, whole, &json!({}))])).await;
        assert_near(
            &picture,
            (20, 36),
            over_ground(TINT, 128.0 / 255.0),
            6,
            name,
        );
        assert_near(&picture, (110, 36), TINT, 6, name);
    }
}

#[tokio::test]
async fn a_video_with_alpha_is_fitted_filtered_keyed_and_faded_like_any_other() {
    let studio = Studio::open().await;
    video(
        studio.folder.path(),
        "a.mov",
        &half_seen(),
        "-c:v png -pix_fmt rgba",
    );
    let still = async |extra: Value| {
        let behind = shape([0, 0, 128, 72], "#ffffff", &json!({ "row": 8 }));
        let clip = clip("a.mov", [32, 18, 64, 36], &extra);
        studio.still(json!([behind, clip])).await
    };
    let over_white = |color: [u8; 3], share: f32| {
        color.map(|value| (f32::from(value) * share + 255.0 * (1.0 - share)).round() as u8)
    };
    let half = 128.0 / 255.0;
    let plain = still(json!({})).await;
    assert_near(&plain, (40, 36), over_white(TINT, half), 2, "fitted");
    assert_near(&plain, (90, 36), TINT, 2, "fitted");
    assert_near(&plain, (10, 36), [255; 3], 0, "beside");
    let filtered = still(json!({ "styles": { "filter": "invert(1)" } })).await;
    let inverted = TINT.map(|value| 255 - value);
    assert_near(
        &filtered,
        (40, 36),
        over_white(inverted, half),
        3,
        "filtered",
    );
    assert_near(&filtered, (90, 36), inverted, 3, "filtered");
    let faded = still(json!({ "styles": { "opacity": 0.5 } })).await;
    assert_near(&faded, (40, 36), over_white(TINT, half / 2.0), 3, "faded");
    let key = json!({ "red": 200, "green": 40, "blue": 90 });
    let keyed = still(json!({ "greenscreen": { "enabled": true, "threshold": key } })).await;
    assert_near(&keyed, (40, 36), [255; 3], 2, "keyed");
    assert_near(&keyed, (90, 36), [255; 3], 2, "keyed");
}

const RED: [u8; 3] = [255, 0, 0];
const LIME: [u8; 3] = [0, 255, 0];
const BLUE: [u8; 3] = [0, 0, 255];
const WHITE: [u8; 3] = [255, 255, 255];

/// Quarters of a picture of 64 × 32: red, lime, blue, white from the top left clockwise.
fn quarters() -> String {
    let red = "255*lt(X,32)";
    let green = "255*(gte(X,32)*lt(Y,16)+lt(X,32)*gte(Y,16))";
    let blue = "255*gte(Y,16)";
    format!("color=black:s=64x32:r=30,format=rgb24,geq=r='{red}':g='{green}':b='{blue}'")
}

/// Writes another display matrix into the only track of an MP4 file.
fn turn(path: &Path, [xx, xy, yx, yy]: [i32; 4]) {
    let mut bytes = std::fs::read(path).unwrap();
    let header = bytes.windows(4).position(|name| name == b"tkhd").unwrap();
    let matrix = [xx, xy, 0, yx, yy, 0, 0, 0, 16384].map(|number| number * 65536);
    let at = header + 4 + 40;
    for (index, number) in matrix.iter().enumerate() {
        bytes[at + 4 * index..][..4].copy_from_slice(&number.to_be_bytes());
    }
    std::fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn a_video_is_turned_and_flipped_as_its_container_says() {
    let studio = Studio::open().await;
    let folder = studio.folder.path();
    // What is seen from the top left clockwise.
    let turns = [
        ([1, 0, 0, 1], [RED, LIME, BLUE, WHITE]),
        ([0, 1, -1, 0], [WHITE, RED, LIME, BLUE]),
        ([-1, 0, 0, -1], [BLUE, WHITE, RED, LIME]),
        ([0, -1, 1, 0], [LIME, BLUE, WHITE, RED]),
        ([-1, 0, 0, 1], [LIME, RED, WHITE, BLUE]),
        ([1, 0, 0, -1], [WHITE, BLUE, LIME, RED]),
        ([0, 1, 1, 0], [RED, WHITE, BLUE, LIME]),
        ([0, -1, -1, 0], [BLUE, LIME, RED, WHITE]),
    ];
    for (index, (matrix, seen)) in turns.into_iter().enumerate() {
        let name = format!("{index}.mp4");
        let encoding = "-c:v libx264 -pix_fmt yuv420p -crf 2 -vf scale=out_color_matrix=bt601";
        video(folder, &name, &quarters(), encoding);
        turn(&folder.join(&name), matrix);
        let info = VideoReader::open(&folder.join(&name)).unwrap().info();
        let is_upright = matrix[0] == 0;
        let (width, height) = if is_upright { (32, 64) } else { (64, 32) };
        assert_eq!((info.width, info.height), (width, height), "{matrix:?}");
        let rect = [8, 4, width as i32, height as i32];
        let picture = studio.still(json!([clip(&name, rect, &json!({}))])).await;
        let (left, right) = (8 + width / 4, 8 + width * 3 / 4);
        let (top, bottom) = (4 + height / 4, 4 + height * 3 / 4);
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        for (corner, wanted) in corners.into_iter().zip(seen) {
            assert_near(&picture, corner, wanted, 6, &format!("{matrix:?}"));
        }
        assert_near(&picture, (8 + width, 4), GROUND, 0, "beside");
        assert_near(&picture, (8, 4 + height), GROUND, 0, "below");
    }
}

#[tokio::test]
async fn pixels_that_are_not_square_make_a_picture_wider_or_higher() {
    let studio = Studio::open().await;
    for (name, ratio, size) in [
        ("wide.mp4", "2/1", (128, 32)),
        ("high.mkv", "1/2", (64, 64)),
    ] {
        let encoding = format!(
            "-c:v libx264 -pix_fmt yuv420p -crf 2 -vf scale=out_color_matrix=bt601,setsar={ratio}"
        );
        video(studio.folder.path(), name, &quarters(), &encoding);
        let info = VideoReader::open(&studio.folder.path().join(name))
            .unwrap()
            .info();
        assert_eq!((info.width, info.height), size, "{name}");
        let fit = json!({ "styles": { "objectFit": "contain" } });
        let picture = studio
            .still(json!([clip(name, [0, 4, 128, 64], &fit)]))
            .await;
        let (width, height) = size;
        let (left, top) = ((128 - width) / 2, 4 + (64 - height) / 2);
        assert_near(&picture, (left + 4, top + 4), RED, 6, name);
        assert_near(&picture, (left + width - 5, top + 4), LIME, 6, name);
        assert_near(
            &picture,
            (left + width - 5, top + height - 5),
            BLUE,
            6,
            name,
        );
        assert_near(&picture, (64, top - 3), GROUND, 0, name);
    }
}

#[tokio::test]
async fn known_colours_survive_every_matrix_range_and_subsampling() {
    const COLORS: [[u8; 3]; 4] = [[200, 40, 90], [20, 180, 60], [30, 60, 220], [128, 128, 128]];
    let studio = Studio::open().await;
    let folder = studio.folder.path();
    let mut count = 0;
    for (matrix, tag) in [
        ("bt601", "smpte170m"),
        ("bt709", "bt709"),
        ("bt2020", "bt2020nc"),
    ] {
        for (range, range_tag) in [("limited", "tv"), ("full", "pc")] {
            for pixels in [
                "yuv420p",
                "yuv422p",
                "yuv444p",
                "yuv420p10le",
                "yuv422p10le",
            ] {
                let color = COLORS[count % COLORS.len()];
                let name = format!("{count}.mp4");
                let [red, green, blue] = color;
                let drawn =
                    format!("color=black:s=64x32:r=30,format=gbrp,geq=r={red}:g={green}:b={blue}");
                let encoding = format!(
                    "-vf scale=out_color_matrix={matrix}:out_range={range}:flags=accurate_rnd+full_chroma_int \
                     -pix_fmt {pixels} -c:v libx264 -qp 0 -colorspace {tag} -color_range {range_tag}"
                );
                video(folder, &name, &drawn, &encoding);
                // Texel for pixel, and resampled.
                for rect in [[32, 16, 64, 32], [3, 5, 101, 47]] {
                    let picture = studio.still(json!([clip(&name, rect, &json!({}))])).await;
                    let of = format!("{matrix} {range} {pixels}");
                    assert_near(&picture, (50, 30), color, 2, &of);
                }
                count += 1;
            }
        }
    }
}

#[tokio::test]
async fn colours_without_a_tag_are_those_of_their_size() {
    let studio = Studio::open().await;
    for (name, size, matrix) in [
        ("sd.mp4", "640x360", "bt601"),
        ("hd.mp4", "1280x720", "bt709"),
    ] {
        let drawn = format!("color=black:s={size}:r=30,format=gbrp,geq=r=200:g=40:b=90");
        let encoding = format!(
            "-vf scale=out_color_matrix={matrix}:out_range=limited -pix_fmt yuv420p -c:v libx264 \
             -qp 0 -bsf:v h264_metadata=matrix_coefficients=2:video_full_range_flag=0"
        );
        video(studio.folder.path(), name, &drawn, &encoding);
        let picture = studio
            .still(json!([clip(name, [0, 0, 128, 72], &json!({}))]))
            .await;
        assert_near(&picture, (64, 36), TINT, 2, name);
    }
}

#[tokio::test]
async fn high_dynamic_range_becomes_what_a_plain_screen_shows() {
    let studio = Studio::open().await;
    let hdr = "-c:v libx264 -qp 0 -colorspace bt2020nc -color_primaries bt2020 -color_range tv";
    let grey = async |name: &str, transfer: &str, pixels: &str, luma: u32| {
        let drawn =
            format!("color=black:s=64x32:r=30,format={pixels},geq=lum={luma}:cb=512:cr=512");
        let encoding = format!("-pix_fmt {pixels} {hdr} -color_trc {transfer}");
        video(studio.folder.path(), name, &drawn, &encoding);
        let picture = studio
            .still(json!([clip(name, [32, 16, 64, 32], &json!({}))]))
            .await;
        let [red, green, blue, _] = picture.get_pixel(60, 30).0;
        assert!(
            red.abs_diff(green) <= 1 && green.abs_diff(blue) <= 1,
            "{name} has a tint"
        );
        green
    };
    // White at 203 candela, in both ways to say it and another subsampling; then more and less.
    for (name, transfer, pixels, luma) in [
        ("pq.mp4", "smpte2084", "yuv420p10le", 573),
        ("hlg.mp4", "arib-std-b67", "yuv420p10le", 721),
        ("pq422.mp4", "smpte2084", "yuv422p10le", 573),
    ] {
        let white = grey(name, transfer, pixels, luma).await;
        assert!((220..240).contains(&white), "{name}: {white}");
    }
    assert_eq!(grey("black.mp4", "smpte2084", "yuv420p10le", 64).await, 0);
    assert!(grey("bright.mp4", "smpte2084", "yuv420p10le", 723).await >= 253);
    // 26 candela are a middle grey of plain pictures.
    let middle = grey("middle.mp4", "smpte2084", "yuv420p10le", 64 + 333).await;
    assert!((97..104).contains(&middle), "{middle}");
    // Plain pictures in wide colours keep their greys.
    let plain = grey("plain.mp4", "bt2020-10", "yuv420p10le", 502).await;
    assert!(plain.abs_diff(128) <= 1, "{plain}");
}

#[test]
fn levels_of_ten_bits_are_rounded_to_the_nearest_of_eight() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = "color=black:s=1024x16:r=30,format=yuv420p10le,geq=lum=X:cb=512:cr=512";
    let encoding = "-pix_fmt yuv420p10le -c:v ffv1 -color_range tv";
    video(folder.path(), "a.mkv", drawn, encoding);
    let mut reader = VideoReader::open(&folder.path().join("a.mkv")).unwrap();
    let shown = reader.frame_at(0.0).unwrap();
    for (sample, byte) in shown.y().data[..1024].iter().enumerate() {
        assert_eq!(usize::from(*byte), ((sample + 2) / 4).min(255), "{sample}");
    }
}

#[tokio::test]
async fn an_edge_between_colours_stays_within_half_a_pixel_of_its_place() {
    let studio = Studio::open().await;
    let drawn = "color=black:s=64x32:r=30,format=gbrp,geq=r='if(lt(X,32),200,60)':g=60:b='if(lt(X,32),60,200)'";
    for (name, pixels) in [
        ("420.mp4", "yuv420p"),
        ("444.mp4", "yuv444p"),
        ("422.mp4", "yuv422p10le"),
    ] {
        let encoding = format!(
            "-vf scale=out_color_matrix=bt601:flags=accurate_rnd+full_chroma_int -pix_fmt {pixels} \
             -c:v libx264 -qp 0"
        );
        video(studio.folder.path(), name, drawn, &encoding);
        let picture = studio
            .still(json!([clip(name, [0, 4, 128, 64], &json!({}))]))
            .await;
        // Twice the size: where red becomes less than blue, counted in the source's pixels.
        let edge = (0..128)
            .find(|x| {
                let [red, _, blue, _] = picture.get_pixel(*x, 36).0;
                red <= blue
            })
            .unwrap();
        let place = f64::from(edge) / 2.0;
        assert!((place - 32.0).abs() <= 0.5, "{name}: {place}");
        assert_near(&picture, (57, 36), [200, 60, 60], 4, name);
        assert_near(&picture, (71, 36), [60, 60, 200], 4, name);
    }
}
