//! What a node's engine tells of itself on the metrics page: its device's memory and losses, its media cache.

use kinora_node::Engine;
use kinora_node::gpu::GpuMemory;
use kinora_node::media::CacheUse;

/// The figures in Prometheus' text format.
pub(crate) fn text(engine: &Engine) -> String {
    page(engine.gpu_memory(), engine.losses(), &engine.cache_use())
}

/// What nobody knows is left out: a zero would be a lie.
fn page(memory: Option<GpuMemory>, losses: u64, cache: &CacheUse) -> String {
    let used = memory.map(|memory| memory.used);
    let total = memory.and_then(|memory| memory.total);
    let CacheUse {
        hits,
        misses,
        revalidated,
        bytes,
    } = *cache;
    let outcomes = [
        ("{outcome=\"hit\"}", hits),
        ("{outcome=\"miss\"}", misses),
        ("{outcome=\"revalidated\"}", revalidated),
    ];
    [
        family(
            "kinora_node_gpu_memory_used_bytes",
            "gauge",
            "Memory of the GPU that is taken.",
            used.map(|used| ("", used)).as_slice(),
        ),
        family(
            "kinora_node_gpu_memory_total_bytes",
            "gauge",
            "Memory of the GPU.",
            total.map(|total| ("", total)).as_slice(),
        ),
        family(
            "kinora_node_gpu_lost_total",
            "counter",
            "How often the graphics device was lost.",
            &[("", losses)],
        ),
        family(
            "kinora_node_cache_requests_total",
            "counter",
            "Media that were asked for, by how they were had.",
            &outcomes,
        ),
        family(
            "kinora_node_cache_bytes",
            "gauge",
            "Size of the media cache.",
            &[("", bytes)],
        ),
    ]
    .concat()
}

fn family(name: &str, kind: &str, help: &str, samples: &[(&str, u64)]) -> String {
    if samples.is_empty() {
        return String::new();
    }
    let samples = samples.iter();
    let lines = samples.map(|(labels, value)| format!("{name}{labels} {value}\n"));
    format!("# HELP {name} {help}\n# TYPE {name} {kind}\n") + &lines.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_told_and_nothing_else() {
        let cache = CacheUse {
            hits: 5,
            misses: 2,
            revalidated: 1,
            bytes: 4096,
        };
        let memory = GpuMemory {
            used: 1000,
            total: None,
        };
        let text = page(Some(memory), 3, &cache);
        for line in [
            "kinora_node_gpu_memory_used_bytes 1000",
            "kinora_node_gpu_lost_total 3",
            "kinora_node_cache_requests_total{outcome=\"hit\"} 5",
            "kinora_node_cache_requests_total{outcome=\"miss\"} 2",
            "kinora_node_cache_requests_total{outcome=\"revalidated\"} 1",
            "kinora_node_cache_bytes 4096",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}: {text}");
        }
        assert!(!text.contains("total_bytes"), "{text}");
        assert!(!page(None, 0, &cache).contains("gpu_memory"));
    }
}
