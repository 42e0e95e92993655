//! Traces by OpenTelemetry, where the usual variables say where they go. Without those nothing is opened.

use std::env;
use std::time::Duration;

use anyhow::{Context, bail};
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::tonic_types::transport::ClientTlsConfig;
use opentelemetry_otlp::{SpanExporter, WithTonicConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Metadata;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::{Layer, Registry};

/// How long the collector may take to hear the last spans when the process ends.
const FAREWELL: Duration = Duration::from_secs(2);
/// Spans that are part of traces have targets with this ending; others are for the log alone.
const TRACED: &str = "::traced";

/// Spans on their way to a collector.
pub(crate) struct Traces(SdkTracerProvider);

/// Starts to collect spans for `service`, if a collector is named. Must be called inside a Tokio runtime.
pub(crate) fn start(service: &'static str) -> anyhow::Result<Option<Traces>> {
    let is_off = said("OTEL_SDK_DISABLED").is_some_and(|said| said.eq_ignore_ascii_case("true"))
        || said("OTEL_TRACES_EXPORTER").is_some_and(|said| said == "none");
    let Some(endpoint) = traces_or_all("ENDPOINT").filter(|_| !is_off) else {
        return Ok(None);
    };
    if let Some(protocol) = traces_or_all("PROTOCOL").filter(|protocol| protocol != "grpc") {
        bail!("OTEL_EXPORTER_OTLP_PROTOCOL={protocol} is not known here; use grpc");
    }
    let mut exporter = SpanExporter::builder().with_tonic();
    if endpoint.starts_with("https://") {
        exporter = exporter.with_tls_config(ClientTlsConfig::new().with_native_roots());
    }
    let exporter = exporter
        .build()
        .with_context(|| format!("traces can't be sent to {endpoint}"))?;
    let mut resource = Resource::builder();
    if said("OTEL_SERVICE_NAME").is_none() {
        resource = resource.with_service_name(service);
    }
    // The sampler comes from OTEL_TRACES_SAMPLER.
    let provider = SdkTracerProvider::builder()
        .with_resource(resource.build())
        .with_batch_exporter(exporter)
        .build();
    Ok(Some(Traces(provider)))
}

impl Traces {
    /// Collects spans, and what is logged in them.
    pub(crate) fn layer(&self) -> Box<dyn Layer<Registry> + Send + Sync> {
        tracing_opentelemetry::layer()
            .with_tracer(self.0.tracer("kinora"))
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false)
            .with_filter(filter_fn(is_collected).with_max_level_hint(LevelFilter::INFO))
            .boxed()
    }

    /// Sends what is left.
    pub(crate) fn finish(self) {
        if let Err(error) = self.0.shutdown_with_timeout(FAREWELL) {
            tracing::warn!(%error, "the last traces were not sent");
        }
    }
}

fn is_collected(metadata: &Metadata<'_>) -> bool {
    let target = metadata.target();
    *metadata.level() <= LevelFilter::INFO
        && match metadata.is_span() {
            true => target.ends_with(TRACED),
            false => target.starts_with("kinora"),
        }
}

/// A variable of the exporter: that of traces, or that of everything.
fn traces_or_all(name: &str) -> Option<String> {
    said(&format!("OTEL_EXPORTER_OTLP_TRACES_{name}"))
        .or_else(|| said(&format!("OTEL_EXPORTER_OTLP_{name}")))
}

fn said(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}
