//! How a video is cut into render tasks.

use std::ops::Range;

/// Cuts `frames` frames into ranges of about so many that differ by one frame at most, none shorter than
/// a second unless the video is.
pub(crate) fn split(frames: u32, fps: u32, frames_per_task: u32) -> Vec<Range<u32>> {
    if frames == 0 {
        return Vec::new();
    }
    let second = fps.max(1);
    let target = frames_per_task.max(second);
    let most = (frames / second).max(1);
    let tasks = frames.div_ceil(target).min(most);
    let boundary = |index: u32| {
        let exact = u64::from(frames) * u64::from(index) / u64::from(tasks);
        u32::try_from(exact).unwrap_or(frames)
    };
    (0..tasks)
        .map(|index| boundary(index)..boundary(index + 1))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_frame_is_in_exactly_one_range_and_none_is_short() {
        for frames in [1, 29, 30, 31, 59, 299, 300, 301, 599, 1801, 108_000] {
            for fps in [1, 24, 30, 120] {
                for seconds in [1, 2, 10] {
                    let ranges = split(frames, fps, fps * seconds);
                    assert_eq!(ranges.first().map(|range| range.start), Some(0));
                    assert_eq!(ranges.last().map(|range| range.end), Some(frames));
                    assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
                    let shortest = ranges.iter().map(ExactSizeIterator::len).min().unwrap_or(0);
                    let longest = ranges.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
                    assert!(longest - shortest <= 1, "{frames} {fps} {seconds}");
                    let second = fps.min(frames) as usize;
                    assert!(shortest >= second, "{frames} {fps} {seconds}: {shortest}");
                }
            }
        }
    }

    #[test]
    fn ten_seconds_are_one_task_and_a_little_more_is_two_equal_ones() {
        assert_eq!(split(300, 30, 300), vec![0..300; 1]);
        assert_eq!(split(302, 30, 300), [0..151, 151..302]);
        assert_eq!(split(0, 30, 300), []);
    }

    #[test]
    fn a_fraction_of_a_second_is_not_a_task_of_its_own() {
        assert_eq!(split(45, 30, 1), vec![0..45; 1]);
    }
}
