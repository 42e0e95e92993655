//! How many nodes a database carries: simulated ones, on real controllers.

use std::fmt;
use std::time::Duration;

use anyhow::{Context, bail};
use kinora_controller::simulation::{Findings, Load, simulate};
use serde_json::json;

use crate::terminal;

#[derive(clap::Args)]
pub(crate) struct SimulationArgs {
    /// farm: an empty database to fill
    #[arg(long)]
    database_url: Option<String>,
    /// farm: nodes of one slot each
    #[arg(long, default_value_t = 1000)]
    nodes: usize,
    /// farm: tasks in the queue
    #[arg(long, default_value_t = 20_000)]
    tasks: usize,
    /// farm: accounts that they belong to
    #[arg(long, default_value_t = 20)]
    accounts: usize,
    /// farm: controllers that share the nodes
    #[arg(long, default_value_t = 1)]
    controllers: usize,
    /// farm: seconds that a task takes
    #[arg(long, default_value_t = 10)]
    task_seconds: u64,
    /// farm: seconds to measure
    #[arg(long, default_value_t = 30)]
    seconds: u64,
}

pub(super) async fn run(args: &SimulationArgs, as_json: bool) -> anyhow::Result<()> {
    let database_url = args
        .database_url
        .clone()
        .context("bench farm needs an empty database: --database-url postgres://…")?;
    let load = Load {
        database_url,
        controllers: args.controllers,
        nodes: args.nodes,
        tasks: args.tasks,
        accounts: args.accounts,
        task: Duration::from_secs(args.task_seconds),
        length: Duration::from_secs(args.seconds),
    };
    let findings = simulate(&load).await?;
    let report = Report {
        nodes: args.nodes,
        findings: &findings,
    };
    if as_json {
        terminal::line(report.json());
    } else {
        terminal::line(&report);
    }
    if !findings.problems.is_empty() {
        bail!(
            "the queue broke its rules: {}",
            findings.problems.join("; ")
        );
    }
    Ok(())
}

struct Report<'a> {
    nodes: usize,
    findings: &'a Findings,
}

impl Report<'_> {
    #[expect(clippy::cast_precision_loss, reason = "a rate")]
    fn each_second(&self, count: u64) -> f64 {
        count as f64 / self.findings.length.as_secs_f64().max(0.001)
    }

    fn json(&self) -> serde_json::Value {
        let found = self.findings;
        let millis = |time: Duration| time.as_secs_f64() * 1000.0;
        let [median, p99, longest] = found.turnaround.map(millis);
        json!({
            "nodes": self.nodes,
            "seconds": found.length.as_secs_f64(),
            "claimsPerSecond": self.each_second(found.claims),
            "heartbeatsPerSecond": self.each_second(found.heartbeats),
            "claimMs": { "p50": found.claim_median.map(millis), "p99": found.claim_p99.map(millis) },
            "turnaroundMs": { "p50": median, "p99": p99, "max": longest },
            "jobsCompleted": found.jobs.0,
            "jobs": found.jobs.1,
            "mediaAtHand": found.at_hand,
            "problems": found.problems,
        })
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.findings;
        let within = |time: Option<Duration>| match time {
            Some(time) => format!("within {} ms", time.as_millis()),
            None => "longer than all that is measured".to_owned(),
        };
        let [median, p99, longest] = found.turnaround;
        writeln!(
            out,
            "{} nodes: {:.0} claims and {:.0} heartbeats a second",
            self.nodes,
            self.each_second(found.claims),
            self.each_second(found.heartbeats),
        )?;
        writeln!(
            out,
            "a claim takes the database: half {}, 99 of 100 {}",
            within(found.claim_median),
            within(found.claim_p99),
        )?;
        writeln!(
            out,
            "from done to the next lease: median {:.1} ms, 99 of 100 {:.1} ms, longest {:.1} ms",
            median.as_secs_f64() * 1000.0,
            p99.as_secs_f64() * 1000.0,
            longest.as_secs_f64() * 1000.0,
        )?;
        write!(
            out,
            "{} of {} jobs completed; {:.0} of 100 tasks found media at hand",
            found.jobs.0,
            found.jobs.1,
            found.at_hand * 100.0,
        )
    }
}
