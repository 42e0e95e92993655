//! Draws some frames of every clip and compares them with kept ones.

use std::path::Path;

use kinora_conformance::Picture;
use kinora_gallery::{Studio, families};

/// What software and hardware devices may round differently: mean difference of a channel, and the share
/// of pixels that may differ by more than [`SEEN`].
const MEAN: f64 = 0.6;
const SHARE: f64 = 0.004;
const SEEN: u8 = 24;

#[tokio::test(flavor = "multi_thread")]
async fn clips_look_as_they_did() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let failures = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gallery");
    let _ = std::fs::remove_dir_all(&failures);
    let is_update = std::env::var_os("KINORA_UPDATE_GOLDEN").is_some();
    let studio = Studio::open(&here.join("../conformance"), Some(here.join("../fonts")))
        .await
        .expect("an engine");
    let mut complaints = Vec::new();
    for family in families() {
        let folder = here.join("golden").join(family.name);
        std::fs::create_dir_all(&folder).expect("a folder");
        for clip in &family.clips {
            let name = format!("{}/{}", family.name, clip.name);
            let strip = studio
                .strip(clip)
                .await
                .unwrap_or_else(|error| panic!("{name}: {error:#}"));
            let file = folder.join(format!("{}.png", clip.name));
            let kept = file.exists().then(|| Picture::open(&file).expect("a PNG"));
            let complaint = kept
                .as_ref()
                .map_or(Some("is not kept".to_owned()), |kept| apart(kept, &strip));
            let Some(complaint) = complaint else { continue };
            if is_update {
                strip.save(&file).expect("writable");
                continue;
            }
            let evidence = failures.join(family.name);
            std::fs::create_dir_all(&evidence).expect("a folder");
            let evidence = evidence.join(format!("{}.png", clip.name));
            strip.save(&evidence).expect("writable");
            complaints.push(format!(
                "{name} {complaint}: look at {}",
                evidence.display()
            ));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// How two pictures differ, where more than rounding explains.
fn apart(kept: &Picture, strip: &Picture) -> Option<String> {
    if kept.size() != strip.size() {
        return Some(format!(
            "is of {:?} instead of {:?}",
            strip.size(),
            kept.size()
        ));
    }
    let (mut sum, mut seen, mut count) = (0.0, 0.0, 0.0);
    for (kept, got) in kept.pixels().zip(strip.pixels()) {
        let differences = [0, 1, 2].map(|channel| kept[channel].abs_diff(got[channel]));
        sum += differences.map(f64::from).iter().sum::<f64>() / 3.0;
        seen += f64::from(u8::from(differences.into_iter().any(|one| one > SEEN)));
        count += 1.0;
    }
    let (mean, share) = (sum / count, seen / count);
    (mean > MEAN || share > SHARE)
        .then(|| format!("differs by {mean:.3} on average, and {share:.4} of it visibly"))
}
