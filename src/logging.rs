//! Structured logs on standard error: for people by default, JSON with `KINORA_LOG_FORMAT=json`.

use std::io::IsTerminal;

use anyhow::{Context, bail};
use tracing_subscriber::EnvFilter;

/// Libraries whose every step is of no interest to an operator.
const QUIET: &str = "wgpu_core=warn,wgpu_hal=error,naga=warn,sqlx=warn,h2=warn,hyper=warn,\
                     tower=warn,cosmic_text=warn,fontdb=error";

/// Starts logging; `RUST_LOG` overrides what is shown.
pub(crate) fn start(service: bool) -> anyhow::Result<()> {
    let level = if service { "info" } else { "warn" };
    let filter = match std::env::var("RUST_LOG") {
        Ok(directives) if !directives.is_empty() => EnvFilter::try_new(&directives)
            .with_context(|| format!("RUST_LOG={directives} can't be read"))?,
        _ => EnvFilter::try_new(format!("{level},{QUIET}"))?,
    };
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    match std::env::var("KINORA_LOG_FORMAT").as_deref() {
        Ok("json") => subscriber
            .json()
            .with_current_span(true)
            .with_span_list(true)
            .init(),
        Ok("text" | "") | Err(_) => subscriber
            .compact()
            .with_ansi(std::io::stderr().is_terminal())
            .init(),
        Ok(other) => bail!("KINORA_LOG_FORMAT={other} is not known; use text or json"),
    }
    Ok(())
}
