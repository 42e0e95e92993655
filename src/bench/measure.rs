//! Processor time and memory, as the kernel counts them.

use std::fs;

use anyhow::{Context, anyhow};

/// The kernel counts processor time in hundredths of a second.
const TICKS_PER_SECOND: f64 = 100.0;

/// Processor time used up to a moment.
pub(crate) struct Usage {
    user_ticks: u64,
    system_ticks: u64,
    columns: [usize; 2],
}

/// Seconds of processor time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spent {
    pub(crate) user: f64,
    pub(crate) system: f64,
}

impl Usage {
    /// Of this process.
    pub(crate) fn now() -> anyhow::Result<Self> {
        Self::read([13, 14])
    }

    /// Of programs that this process started and that have ended.
    pub(crate) fn of_children() -> anyhow::Result<Self> {
        Self::read([15, 16])
    }

    /// What was used since.
    pub(crate) fn spent(&self) -> anyhow::Result<Spent> {
        let now = Self::read(self.columns)?;
        let seconds = |now: u64, then: u64| (now - then) as f64 / TICKS_PER_SECOND;
        Ok(Spent {
            user: seconds(now.user_ticks, self.user_ticks),
            system: seconds(now.system_ticks, self.system_ticks),
        })
    }

    fn read(columns: [usize; 2]) -> anyhow::Result<Self> {
        let stat = fs::read_to_string("/proc/self/stat").context("can't read processor time")?;
        // The second column is the program's name and may hold spaces; columns after it do not.
        let (_, rest) = stat.rsplit_once(')').context("can't read processor time")?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let ticks = |column: usize| {
            let field = fields
                .get(column - 2)
                .ok_or_else(|| anyhow!("can't read processor time"))?;
            field.parse::<u64>().context("can't read processor time")
        };
        Ok(Self {
            user_ticks: ticks(columns[0])?,
            system_ticks: ticks(columns[1])?,
            columns,
        })
    }
}

/// Starts the count of peak memory again. Where that is not allowed, peaks include what was before.
pub(crate) fn forget_peak_memory() {
    const RESET_PEAK: &str = "5";
    if let Err(error) = fs::write("/proc/self/clear_refs", RESET_PEAK) {
        tracing::debug!(%error, "peak memory can't be reset");
    }
}

/// The most memory that this process held, in bytes.
pub(crate) fn peak_memory() -> anyhow::Result<u64> {
    let status = fs::read_to_string("/proc/self/status").context("can't read peak memory")?;
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| rest.trim().strip_suffix(" kB"))
        .and_then(|kibibytes| kibibytes.trim().parse::<u64>().ok())
        .map(|kibibytes| kibibytes * 1024)
        .context("can't read peak memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_costs_time_and_memory() {
        let usage = Usage::now().expect("readable");
        let started = std::time::Instant::now();
        let mut sum = 0u64;
        while started.elapsed().as_millis() < 200 {
            sum = sum.wrapping_mul(31).wrapping_add(1);
        }
        assert_ne!(sum, 0);
        assert!(usage.spent().expect("readable").user >= 0.05);
        assert!(peak_memory().expect("readable") > 1024 * 1024);
    }
}
