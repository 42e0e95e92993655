//! Structured logs on standard error: for people by default, JSON with `KINORA_LOG_FORMAT=json`. Spans go to a
//! collector of traces too, where one is named.

use std::io::IsTerminal;

use anyhow::{Context, bail};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

use crate::traces::{self, Traces};

/// Libraries whose every step is of no interest to an operator.
const QUIET: &str = "wgpu_core=warn,wgpu_hal=error,naga=warn,sqlx=warn,h2=warn,hyper=warn,\
                     tower=warn,cosmic_text=warn,fontdb=error,opentelemetry=warn,\
                     opentelemetry_sdk=warn,opentelemetry_otlp=warn";

/// Starts logging; `RUST_LOG` overrides what is shown. A service has a name in traces. Must be called inside a Tokio
/// runtime.
pub(crate) fn start(service: Option<&'static str>) -> anyhow::Result<Option<Traces>> {
    let level = if service.is_some() { "info" } else { "warn" };
    let filter = match std::env::var("RUST_LOG") {
        Ok(directives) if !directives.is_empty() => EnvFilter::try_new(&directives)
            .with_context(|| format!("RUST_LOG={directives} can't be read"))?,
        _ => EnvFilter::try_new(format!("{level},{QUIET}"))?,
    };
    let lines = fmt::layer().with_writer(std::io::stderr);
    let lines = match std::env::var("KINORA_LOG_FORMAT").as_deref() {
        Ok("json") => lines
            .json()
            .with_current_span(true)
            .with_span_list(true)
            .with_filter(filter)
            .boxed(),
        Ok("text" | "") | Err(_) => lines
            .compact()
            .with_ansi(std::io::stderr().is_terminal())
            .with_filter(filter)
            .boxed(),
        Ok(other) => bail!("KINORA_LOG_FORMAT={other} is not known; use text or json"),
    };
    let traces = service.map(traces::start).transpose()?.flatten();
    let mut layers = vec![lines];
    layers.extend(traces.as_ref().map(Traces::layer));
    tracing_subscriber::registry().with(layers).init();
    Ok(traces)
}
