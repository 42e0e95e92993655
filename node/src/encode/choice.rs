//! Choosing an encoder: the first that works, or the one that was asked for.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use nvenc_sys::Libraries;

use super::libav::{Kind, LibavEncoder, OPENH264, X264, X265};
use super::nvenc::{self, Device};
use super::{Codec, EncoderSettings, Frame, VideoEncoder};
use crate::{Error, Result};

/// A way to encode.
#[derive(Clone, Copy)]
enum Choice {
    Nvenc,
    Libav(&'static Kind),
}

impl Choice {
    fn name(self) -> &'static str {
        match self {
            Self::Nvenc => nvenc::NAME,
            Self::Libav(kind) => kind.name,
        }
    }
}

/// Ways to encode, best first.
fn choices(codec: Codec) -> &'static [Choice] {
    match codec {
        Codec::H264 => &[
            Choice::Nvenc,
            Choice::Libav(&X264),
            Choice::Libav(&OPENH264),
        ],
        Codec::Hevc => &[Choice::Nvenc, Choice::Libav(&X265)],
    }
}

/// Whether an encoder works on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncoderReport {
    /// The name that [`Encoders::open`] takes.
    pub name: &'static str,
    /// Whether it encoded a test frame.
    pub usable: bool,
    /// Why not, or what was tried.
    pub reason: String,
}

/// The encoders of a machine. What was found out about them is kept.
#[derive(Clone)]
pub struct Encoders(Arc<Inner>);

struct Inner {
    libraries: Libraries,
    /// The GPU that draws.
    preferred: Option<[u8; 16]>,
    /// The GPU that encodes, or why none does; looked for when first needed.
    device: Mutex<Option<Result<Arc<Device>, String>>>,
    reports: OnceLock<Vec<EncoderReport>>,
}

impl Encoders {
    /// The encoders of this machine; on the GPU of the given identity, if that one encodes.
    pub fn new(preferred: Option<[u8; 16]>) -> Self {
        Self::with_libraries(Libraries::default(), preferred)
    }

    /// The same with NVIDIA's libraries in other places.
    pub fn with_libraries(libraries: Libraries, preferred: Option<[u8; 16]>) -> Self {
        Self(Arc::new(Inner {
            libraries,
            preferred,
            device: Mutex::default(),
            reports: OnceLock::new(),
        }))
    }

    /// Those that this process uses where nothing draws beside.
    pub fn of_this_process() -> &'static Self {
        static ENCODERS: OnceLock<Encoders> = OnceLock::new();
        ENCODERS.get_or_init(|| Self::new(None))
    }

    /// Tries every encoder of H.264, in order of preference, by opening it and encoding a frame. Done
    /// once, and told in the log.
    pub fn probe(&self) -> &[EncoderReport] {
        self.0.reports.get_or_init(|| {
            let reports: Vec<_> = choices(Codec::H264)
                .iter()
                .map(|choice| self.try_out(*choice))
                .collect();
            for EncoderReport {
                name,
                usable,
                reason,
            } in &reports
            {
                tracing::info!(encoder = name, usable, reason, "encoder tried");
            }
            reports
        })
    }

    fn try_out(&self, choice: Choice) -> EncoderReport {
        let tried = self.encode_test_frame(choice);
        let usable = tried.is_ok();
        let reason = tried.unwrap_or_else(|error| reason_of(&error));
        if let (Choice::Nvenc, false) = (choice, usable) {
            // A GPU that does not encode is let go of: an open one takes memory.
            *self.known_device() = Some(Err(reason.clone()));
        }
        EncoderReport {
            name: choice.name(),
            usable,
            reason,
        }
    }

    /// Opens the encoder of the given name, or the best one that works here.
    pub fn open(
        &self,
        settings: &EncoderSettings,
        wanted: Option<&str>,
    ) -> Result<Box<dyn VideoEncoder>> {
        let named = choices(settings.codec)
            .iter()
            .filter(|choice| wanted.is_none_or(|name| name == choice.name()));
        self.open_first(settings, named.copied(), wanted)
    }

    /// Opens the best encoder after one that failed.
    pub(crate) fn open_after(
        &self,
        settings: &EncoderSettings,
        failed: &str,
    ) -> Result<Box<dyn VideoEncoder>> {
        let rest = choices(settings.codec)
            .iter()
            .skip_while(|choice| choice.name() != failed)
            .skip(1);
        self.open_first(settings, rest.copied(), None)
    }

    fn open_first(
        &self,
        settings: &EncoderSettings,
        choices: impl Iterator<Item = Choice>,
        wanted: Option<&str>,
    ) -> Result<Box<dyn VideoEncoder>> {
        settings.check()?;
        let mut reasons = Vec::new();
        for choice in choices {
            // What does not work at all is not tried for every chunk.
            if let (Choice::Nvenc, None, Some(known)) = (choice, wanted, self.known(choice))
                && !known.usable
            {
                reasons.push(format!("{}: {}", known.name, known.reason));
                continue;
            }
            match self.open_one(choice, settings) {
                Ok(encoder) => return Ok(encoder),
                Err(error) => {
                    let (encoder, reason) = (choice.name(), reason_of(&error));
                    if wanted.is_none() {
                        tracing::warn!(
                            encoder,
                            reason,
                            "encoder not opened; the next one is taken"
                        );
                    }
                    reasons.push(format!("{encoder}: {reason}"));
                }
            }
        }
        if let (Some(name), true) = (wanted, reasons.is_empty()) {
            reasons.push(format!("there is none called {name}"));
        }
        Err(Error::internal("choosing an encoder", reasons.join("; ")))
    }

    fn known(&self, choice: Choice) -> Option<&EncoderReport> {
        let mut reports = self.probe().iter();
        reports.find(|report| report.name == choice.name())
    }

    fn open_one(
        &self,
        choice: Choice,
        settings: &EncoderSettings,
    ) -> Result<Box<dyn VideoEncoder>> {
        match choice {
            Choice::Nvenc => Ok(Box::new(self.device()?.open(settings)?)),
            Choice::Libav(kind) => Ok(Box::new(LibavEncoder::open(kind, settings)?)),
        }
    }

    fn known_device(&self) -> MutexGuard<'_, Option<Result<Arc<Device>, String>>> {
        self.0.device.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn device(&self) -> Result<Arc<Device>> {
        let mut known = self.known_device();
        let find = || Device::find(&self.0.libraries, self.0.preferred).map(Arc::new);
        known
            .get_or_insert_with(find)
            .clone()
            .map_err(|reason| Error::internal("opening nvenc", reason))
    }

    /// Encodes one frame; says what was done.
    fn encode_test_frame(&self, choice: Choice) -> Result<String> {
        let settings = EncoderSettings {
            threads: 1,
            ..EncoderSettings::new(256, 144, 30)
        };
        let mut encoder = self.open_one(choice, &settings)?;
        let mut packets = Vec::new();
        let planes = vec![128; settings.frame_bytes()];
        encoder.push(Frame::Planes(&planes), 0, &mut packets)?;
        encoder.finish(&mut packets)?;
        match (packets.len(), choice) {
            (1, Choice::Nvenc) => Ok(format!("encoded a test frame on {}", self.device()?.gpu())),
            (1, _) => Ok("encoded a test frame".to_owned()),
            (count, _) => Err(Error::internal(
                "encoding",
                format!("one frame gave {count} packets"),
            )),
        }
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
        let reports = Encoders::of_this_process().probe();
        let names: Vec<_> = reports.iter().map(|report| report.name).collect();
        assert_eq!(names, ["nvenc", "x264", "openh264"]);
        assert!(reports[1].usable, "{:?}", reports[1]);
        assert!(!reports[0].reason.is_empty());
        assert!(reports[2].usable || reports[2].reason.contains("libopenh264"));
    }

    #[test]
    fn an_unknown_name_is_said_to_be_unknown() {
        let settings = EncoderSettings::new(64, 64, 30);
        let error = Encoders::of_this_process()
            .open(&settings, Some("av1"))
            .err()
            .unwrap();
        assert_eq!(
            error.to_string(),
            "choosing an encoder: there is none called av1"
        );
    }

    #[test]
    fn odd_sizes_and_short_frames_are_refused() {
        let encoders = Encoders::of_this_process();
        assert!(
            encoders
                .open(&EncoderSettings::new(65, 64, 30), None)
                .is_err()
        );
        let settings = EncoderSettings::new(64, 64, 30);
        let mut encoder = encoders.open(&settings, Some("x264")).unwrap();
        let short = Frame::Planes(&[0; 100]);
        assert!(encoder.push(short, 0, &mut Vec::new()).is_err());
    }
}
