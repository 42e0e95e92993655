//! Which part of a target each of many small things touches: bins in device memory.

use kinora_shaders::{MARK_PIXELS, MARKS_IN_BIN, Params, Pass};

use super::Gpu;
use super::areas::Area;

/// Bins in device memory, empty before and after each use.
pub(super) struct BinBuffer {
    buffer: wgpu::Buffer,
    /// For how many bins it has room before their lists. What was a list is never taken for a number of marks.
    most_bins: u32,
}

/// Bins over an area; `bins.wgsl` says how they lie.
#[derive(Debug, PartialEq)]
pub(super) struct Bins {
    /// Where the first one begins.
    pub(super) corner: [i32; 2],
    across: u32,
    down: u32,
    /// Marks that each has room for.
    room: u32,
    marks: u32,
    /// Vectors of a mark on the shelf of a bin; none where bins have lists.
    shelved: u32,
}

impl Bins {
    /// With as much room as memory allows; `None` where nothing is to be seen.
    pub(super) fn over([left, top, right, bottom]: Area, marks: u32, pass: Pass) -> Option<Self> {
        const MOST_LISTED: u32 = 16 << 20;
        const MOST_SHELVED: u32 = 4 << 20;
        if left >= right || top >= bottom || marks == 0 {
            return None;
        }
        let left = left / MARK_PIXELS as i32 * MARK_PIXELS as i32;
        let (width, height) = pass.tile();
        let across = ((right - left) as u32).div_ceil(width);
        let down = ((bottom - top) as u32).div_ceil(height);
        let (shelved, most) = match pass.has_specks() {
            true => (pass.mark_vectors(), MOST_SHELVED / pass.mark_vectors()),
            false => (0, MOST_LISTED),
        };
        Some(Self {
            corner: [left, top],
            across,
            down,
            room: (most / (across * down)).min(MARKS_IN_BIN).min(marks),
            marks,
            shelved,
        })
    }

    /// How many vectors lie before shelves.
    fn first_shelf(&self) -> u32 {
        self.marks * self.shelved
    }

    /// Bytes up to the end of shelves.
    pub(super) fn shelves_end(&self) -> u64 {
        let marks = u64::from(self.across * self.down) * u64::from(self.room);
        in_bytes(u64::from(self.first_shelf()) + marks * u64::from(self.shelved))
    }

    /// A buffer with room for them, the one at hand where it is large enough; and where in it lists begin.
    pub(super) fn in_memory(&self, gpu: &Gpu, slot: &mut Option<BinBuffer>) -> (wgpu::Buffer, u32) {
        let bins = self.across * self.down;
        let listed = match self.shelved {
            0 => u64::from(bins) * u64::from(self.room),
            _ => 0,
        };
        let bytes = |most_bins: u32| (u64::from(most_bins) + listed) * size_of::<u32>() as u64;
        slot.take_if(|at_hand| {
            at_hand.most_bins < bins || at_hand.buffer.size() < bytes(at_hand.most_bins)
        });
        let at_hand = slot.get_or_insert_with(|| {
            let most_bins = bins.next_power_of_two();
            BinBuffer {
                buffer: room(gpu, &mut None, bytes(most_bins)),
                most_bins,
            }
        });
        (at_hand.buffer.clone(), at_hand.most_bins)
    }

    /// Parameters that tell a pass about them.
    pub(super) fn described_in(&self, params: Params, first_list: u32) -> Params {
        let [left, top] = self.corner;
        let first = match self.shelved {
            0 => first_list,
            _ => self.first_shelf(),
        };
        Params {
            planes: [self.across, self.down, self.room, self.marks],
            luma: [left, top, first as i32, 0],
            ..params
        }
    }
}

/// Bytes of so many vectors.
pub(super) fn in_bytes(vectors: u64) -> u64 {
    vectors * size_of::<[f32; 4]>() as u64
}

/// A buffer with room for so many bytes: the one at hand, where it is large enough.
pub(super) fn room(gpu: &Gpu, slot: &mut Option<wgpu::Buffer>, bytes: u64) -> wgpu::Buffer {
    // A little more, so that what grows does not need another each time.
    let size = bytes.next_multiple_of((bytes.next_power_of_two() / 8).max(256));
    slot.take_if(|buffer| buffer.size() < bytes);
    let buffer = slot.get_or_insert_with(|| {
        gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("marks"),
            size,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    });
    buffer.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_cover_the_whole_area_and_have_less_room_where_memory_is_short() {
        for (pass, (across, down)) in [
            (Pass::Papers, (120, 68)),
            (Pass::Flakes, (120, 68)),
            (Pass::Streaks, (240, 34)),
        ] {
            let (width, height) = pass.tile();
            let over = |area, marks| Bins::over(area, marks, pass);
            let bins = over([8, 2, 1928, 1082], 10_000).expect("something");
            assert_eq!(
                (bins.across, bins.down, bins.room),
                (across, down, MARKS_IN_BIN)
            );
            let bins = over([0, 0, 7680, 4320], 40_000).expect("something");
            assert!(bins.across * width >= 7680 && bins.down * height >= 4320);
            assert!((8..=MARKS_IN_BIN).contains(&bins.room), "{}", bins.room);
            let largest = over([0, 0, 32_768, 32_768], 40_000).expect("something");
            assert!(largest.across * largest.down * largest.room <= 16 << 20);
            assert!(largest.shelves_end() <= 128 << 20);
            assert_eq!(over([0, 0, 64, 64], 0), None);
            assert_eq!(over([9, 9, 9, 9], 5), None);
        }
    }
}
