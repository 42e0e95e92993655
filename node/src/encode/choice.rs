//! Choosing an encoder: the first that works, or the one that was asked for.

use super::libav::{Kind, LibavEncoder, OPENH264, X264};
use super::{EncoderSettings, VideoEncoder, nvenc};
use crate::{Error, Result};

/// Encoders that frames can be handed to, best first.
const KINDS: [&Kind; 2] = [&X264, &OPENH264];

/// Whether an encoder works on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncoderReport {
    /// The name that [`open_best`] takes.
    pub name: &'static str,
    /// Whether it encoded a test frame.
    pub usable: bool,
    /// Why not, or what was tried.
    pub reason: String,
}

/// Tries every encoder, in order of preference, by opening it and encoding a frame.
pub fn probe() -> Vec<EncoderReport> {
    let nvenc = EncoderReport {
        name: nvenc::NAME,
        usable: false,
        reason: nvenc::why_not(),
    };
    let others = KINDS.iter().map(|kind| match encode_test_frame(kind) {
        Ok(()) => EncoderReport {
            name: kind.name,
            usable: true,
            reason: "encoded a test frame".to_owned(),
        },
        Err(error) => EncoderReport {
            name: kind.name,
            usable: false,
            reason: reason_of(&error),
        },
    });
    std::iter::once(nvenc).chain(others).collect()
}

/// Opens the encoder of the given name, or the best one that works here.
pub fn open_best(
    settings: &EncoderSettings,
    wanted: Option<&str>,
) -> Result<Box<dyn VideoEncoder>> {
    settings.check()?;
    if wanted == Some(nvenc::NAME) {
        return Err(Error::internal("opening nvenc", nvenc::why_not()));
    }
    let mut reasons = Vec::new();
    for kind in KINDS
        .iter()
        .filter(|kind| wanted.is_none_or(|name| name == kind.name))
    {
        match LibavEncoder::open(kind, settings) {
            Ok(encoder) => return Ok(Box::new(encoder)),
            Err(error) => reasons.push(format!("{}: {}", kind.name, reason_of(&error))),
        }
    }
    if let (Some(name), true) = (wanted, reasons.is_empty()) {
        reasons.push(format!("there is none called {name}"));
    }
    Err(Error::internal("choosing an encoder", reasons.join("; ")))
}

fn encode_test_frame(kind: &Kind) -> Result<()> {
    let settings = EncoderSettings {
        threads: 1,
        ..EncoderSettings::new(256, 144, 30)
    };
    let mut encoder = LibavEncoder::open(kind, &settings)?;
    let mut packets = Vec::new();
    encoder.push(&vec![128; settings.frame_bytes()], 0, &mut packets)?;
    encoder.finish(&mut packets)?;
    match packets.len() {
        1 => Ok(()),
        count => Err(Error::internal(
            "encoding",
            format!("one frame gave {count} packets"),
        )),
    }
}

fn reason_of(error: &Error) -> String {
    match error {
        Error::Internal { source, .. } => source.to_string(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

    use super::*;

    #[test]
    fn probing_finds_x264_and_says_why_not_of_the_others() {
        let reports = probe();
        let names: Vec<_> = reports.iter().map(|report| report.name).collect();
        assert_eq!(names, ["nvenc", "x264", "openh264"]);
        assert!(reports[1].usable, "{:?}", reports[1]);
        assert!(!reports[0].usable && !reports[0].reason.is_empty());
        assert!(reports[2].usable || reports[2].reason.contains("libopenh264"));
    }

    #[test]
    fn an_unknown_name_is_said_to_be_unknown() {
        let error = open_best(&EncoderSettings::new(64, 64, 30), Some("av1"))
            .err()
            .unwrap();
        assert_eq!(
            error.to_string(),
            "choosing an encoder: there is none called av1"
        );
    }

    #[test]
    fn odd_sizes_and_short_frames_are_refused() {
        assert!(open_best(&EncoderSettings::new(65, 64, 30), None).is_err());
        let mut encoder = open_best(&EncoderSettings::new(64, 64, 30), Some("x264")).unwrap();
        assert!(encoder.push(&[0; 100], 0, &mut Vec::new()).is_err());
    }
}
