//! Frames in, packets out, with several frames under way.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crate::cuda::{Context, ImportedMemory};
use crate::error::Error;
use crate::library::Library;
use crate::registry::Registry;
use crate::session::{Answer, Handle, Picture, Session};
use crate::settings::Settings;

/// Frames that may be under way at once.
const FRAMES_IN_FLIGHT: usize = 8;
/// How long to leave a busy encoder alone, and how often.
const BUSY_PAUSE: Duration = Duration::from_millis(2);
const MOST_PAUSES: u32 = 2_500;

/// A picture in device memory: NV12, the chroma rows directly after the luma rows.
pub struct Surface {
    /// The memory.
    pub memory: Arc<ImportedMemory>,
    /// Bytes from row to row, a multiple of four.
    pub pitch: u32,
    /// Let go when the picture is encoded and its memory may be written again.
    pub hold: Arc<dyn Any + Send + Sync>,
}

/// An encoded frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Its units, each after a start code.
    pub data: Vec<u8>,
    /// What the frame was given with.
    pub timestamp: u64,
    /// Whether decoding may begin here.
    pub is_key: bool,
}

/// A place for a frame under way.
struct Slot {
    bitstream: Handle,
    /// Made when a frame first comes from the host.
    host_input: Option<Handle>,
    /// Device memory in use.
    surface: Option<Surface>,
}

/// An encoder of a GPU. Frames come out in the order they went in.
pub struct Encoder {
    settings: Settings,
    headers: Vec<u8>,
    slots: Vec<Slot>,
    registry: Registry,
    /// Slots under way, oldest first; the first `ready` of them have a packet to wait for.
    pending: VecDeque<usize>,
    ready: usize,
    idle: Vec<usize>,
    /// Whether frames were accepted and their end was not said yet.
    is_open_ended: bool,
    session: Session,
}

// SAFETY: the handles inside belong to the session, which may be used by one thread at a time, and
// an encoder is never shared.
unsafe impl Send for Encoder {}

impl Encoder {
    /// Asks a GPU for an encoder.
    pub fn open(
        library: &Arc<Library>,
        context: &Arc<Context>,
        settings: Settings,
    ) -> Result<Self, Error> {
        let even = |side: u32| side > 0 && side.is_multiple_of(2);
        if !even(settings.width) || !even(settings.height) || settings.fps == 0 {
            return Err(Error::Misused("frames must have even sides and a rate"));
        }
        let session = Session::open(library, context, &settings)?;
        let _current = context.enter()?;
        let headers = session.headers()?;
        let mut encoder = Self {
            settings,
            headers,
            slots: Vec::with_capacity(FRAMES_IN_FLIGHT),
            registry: Registry::default(),
            pending: VecDeque::new(),
            ready: 0,
            idle: Vec::new(),
            is_open_ended: false,
            session,
        };
        for index in 0..FRAMES_IN_FLIGHT {
            let bitstream = encoder.session.create_bitstream()?;
            encoder.slots.push(Slot {
                bitstream,
                host_input: None,
                surface: None,
            });
            encoder.idle.push(index);
        }
        Ok(encoder)
    }

    /// Parameter sets of the stream, each after a start code. Equal for equal settings.
    pub fn headers(&self) -> &[u8] {
        &self.headers
    }

    /// The GPU's context.
    pub fn context(&self) -> &Arc<Context> {
        &self.session.context
    }

    /// Encodes a frame from the host: Y, U and V planes without padding. Timestamps must grow.
    pub fn encode_planar(
        &mut self,
        i420: &[u8],
        timestamp: u64,
        out: &mut Vec<Packet>,
    ) -> Result<(), Error> {
        if i420.len() != self.settings.frame_bytes() {
            return Err(Error::Misused("a frame of another size"));
        }
        let context = Arc::clone(self.context());
        let _current = context.enter()?;
        let slot = self.free_slot(out)?;
        let input = match self.slots[slot].host_input {
            Some(input) => input,
            None => {
                let input = self.session.create_input(&self.settings)?;
                *self.slots[slot].host_input.insert(input)
            }
        };
        let Settings { width, height, .. } = self.settings;
        let pitch = self
            .session
            .fill_input(input, height / 2 * 3, |rows, pitch| {
                interleave(i420, width as usize, height as usize, rows, pitch);
            })?;
        self.submit(slot, input, pitch, timestamp)
    }

    /// Encodes a frame where it lies on the device. What writes it elsewhere must be done.
    pub fn encode_surface(
        &mut self,
        surface: Surface,
        timestamp: u64,
        out: &mut Vec<Packet>,
    ) -> Result<(), Error> {
        let needed = u64::from(surface.pitch) * u64::from(self.settings.height / 2 * 3);
        if surface.pitch < self.settings.width || surface.memory.bytes() < needed {
            return Err(Error::Misused("device memory too small for a frame"));
        }
        let context = Arc::clone(self.context());
        let _current = context.enter()?;
        let slot = self.free_slot(out)?;
        let (memory, pitch) = (&surface.memory, surface.pitch);
        let input = self
            .registry
            .map(&self.session, memory, pitch, &self.settings)?;
        self.slots[slot].surface = Some(surface);
        self.submit(slot, input, pitch, timestamp)
    }

    /// Gives the packets still under way. Nothing may be encoded after.
    pub fn finish(&mut self, out: &mut Vec<Packet>) -> Result<(), Error> {
        let context = Arc::clone(self.context());
        let _current = context.enter()?;
        if self.is_open_ended {
            self.hand_over(None)?;
            self.is_open_ended = false;
            self.ready = self.pending.len();
        }
        while !self.pending.is_empty() {
            self.collect(out)?;
        }
        Ok(())
    }

    /// A slot for the next frame; waits for the oldest one where all are in use.
    fn free_slot(&mut self, out: &mut Vec<Packet>) -> Result<usize, Error> {
        if self.idle.is_empty() {
            self.collect(out)?;
        }
        self.idle
            .last()
            .copied()
            .ok_or(Error::Misused("no place for another frame"))
    }

    fn submit(
        &mut self,
        slot: usize,
        input: Handle,
        pitch: u32,
        timestamp: u64,
    ) -> Result<(), Error> {
        let picture = Picture {
            input,
            output: self.slots[slot].bitstream,
            pitch,
            timestamp,
        };
        let answer = match self.hand_over(Some(&picture)) {
            Ok(answer) => answer,
            Err(error) => {
                // The driver did not take it.
                let _ = self.release(slot);
                return Err(error);
            }
        };
        self.idle.pop();
        self.is_open_ended = true;
        self.pending.push_back(slot);
        if answer == Answer::Ready {
            self.ready = self.pending.len();
        }
        Ok(())
    }

    /// Hands over a picture or the end, as often as it takes while the hardware is busy.
    fn hand_over(&self, picture: Option<&Picture>) -> Result<Answer, Error> {
        for _ in 0..MOST_PAUSES {
            match self.session.encode(picture, &self.settings)? {
                Answer::Busy => std::thread::sleep(BUSY_PAUSE),
                answer => return Ok(answer),
            }
        }
        Err(Error::Misused("the encoder stays busy"))
    }

    /// Waits for the oldest frame.
    fn collect(&mut self, out: &mut Vec<Packet>) -> Result<(), Error> {
        if self.ready == 0 {
            return Err(Error::Misused("the encoder holds back too many frames"));
        }
        let Some(slot) = self.pending.pop_front() else {
            return Ok(());
        };
        self.ready -= 1;
        let read = self.session.read(self.slots[slot].bitstream);
        let released = self.release(slot);
        self.idle.push(slot);
        let (data, timestamp, is_key) = read?;
        out.push(Packet {
            data,
            timestamp,
            is_key,
        });
        released
    }

    /// Lets go of the device memory that a slot uses.
    fn release(&mut self, slot: usize) -> Result<(), Error> {
        match self.slots[slot].surface.take() {
            Some(surface) => self.registry.unmap(&self.session, surface.memory.pointer()),
            None => Ok(()),
        }
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        let context = Arc::clone(self.context());
        let _current = context.enter();
        // Frames under way are brought to an end; what they became is not wanted any more.
        let _ = self.finish(&mut Vec::new());
        self.registry.clear(&self.session);
        for slot in &self.slots {
            if let Some(input) = slot.host_input {
                let _ = self.session.destroy_input(input);
            }
            let _ = self.session.destroy_bitstream(slot.bitstream);
        }
    }
}

/// Copies planes into rows of luma, then rows of both chromas in turns.
fn interleave(i420: &[u8], width: usize, height: usize, rows: &mut [u8], pitch: usize) {
    let (luma, chroma) = i420.split_at(width * height);
    let (cb, cr) = chroma.split_at(width * height / 4);
    let (luma_rows, chroma_rows) = rows.split_at_mut(pitch * height);
    for (row, source) in luma_rows
        .chunks_exact_mut(pitch)
        .zip(luma.chunks_exact(width))
    {
        row[..width].copy_from_slice(source);
    }
    let sources = cb.chunks_exact(width / 2).zip(cr.chunks_exact(width / 2));
    for (row, (cb, cr)) in chroma_rows.chunks_exact_mut(pitch).zip(sources) {
        for (pair, (cb, cr)) in row.chunks_exact_mut(2).zip(cb.iter().zip(cr)) {
            pair.copy_from_slice(&[*cb, *cr]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_become_rows_with_padding() {
        let i420: Vec<u8> = (0..12).collect();
        let mut rows = vec![255; 5 * 3];
        interleave(&i420, 4, 2, &mut rows, 5);
        assert_eq!(rows, [0, 1, 2, 3, 255, 4, 5, 6, 7, 255, 8, 10, 9, 11, 255]);
    }
}
