//! Counts requests and measures how long they take, by route.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use kinora_proto::trace;
use tracing::Instrument;

use crate::server::App;

/// Upper bounds of the latency histogram, in seconds.
const BUCKETS: [f64; 8] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5, 10.0];

/// What was counted since the process started.
#[derive(Default)]
pub(crate) struct Metrics {
    routes: Mutex<BTreeMap<Labels, Tally>>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Labels {
    method: String,
    route: String,
    status: u16,
}

#[derive(Default)]
struct Tally {
    count: u64,
    seconds: f64,
    within: [u64; BUCKETS.len()],
}

impl Metrics {
    fn record(&self, labels: Labels, took: Duration) {
        let seconds = took.as_secs_f64();
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let tally = routes.entry(labels).or_default();
        tally.count += 1;
        tally.seconds += seconds;
        for (count, bound) in tally.within.iter_mut().zip(BUCKETS) {
            *count += u64::from(seconds <= bound);
        }
    }

    /// The counts in Prometheus' text format.
    pub(crate) fn render(&self) -> String {
        let mut text = String::from(
            "# HELP kinora_http_request_seconds Time to answer HTTP requests.\n\
             # TYPE kinora_http_request_seconds histogram\n",
        );
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        for (labels, tally) in &*routes {
            // Writing to a string cannot fail.
            let _ = tally.write(&mut text, labels);
        }
        text
    }
}

impl Tally {
    fn write(&self, text: &mut String, labels: &Labels) -> std::fmt::Result {
        let Labels {
            method,
            route,
            status,
        } = labels;
        let labels = format!("method=\"{method}\",route=\"{route}\",status=\"{status}\"");
        for (count, bound) in self.within.iter().zip(BUCKETS) {
            writeln!(
                text,
                "kinora_http_request_seconds_bucket{{{labels},le=\"{bound}\"}} {count}"
            )?;
        }
        let Self { count, seconds, .. } = self;
        writeln!(
            text,
            "kinora_http_request_seconds_bucket{{{labels},le=\"+Inf\"}} {count}\n\
             kinora_http_request_seconds_sum{{{labels}}} {seconds}\n\
             kinora_http_request_seconds_count{{{labels}}} {count}"
        )
    }
}

/// Middleware: counts the request and gives its handling a span.
pub(crate) async fn observe(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "unmatched".to_owned(), |path| path.as_str().to_owned());
    let method = known_method(request.method());
    let span = tracing::info_span!(
        target: "kinora_gateway::traced",
        "http",
        method,
        path = request.uri().path(),
        status = tracing::field::Empty
    );
    let caller = request.headers().get(trace::HEADER);
    if let Some(caller) = caller.and_then(|name| name.to_str().ok()) {
        trace::hang_below(&span, caller);
    }
    let started = Instant::now();
    let response = next.run(request).instrument(span.clone()).await;
    let took = started.elapsed();
    let status = response.status().as_u16();
    span.record("status", status);
    span.in_scope(|| tracing::debug!(took_ms = took.as_millis() as u64, "answered"));
    app.metrics.record(
        Labels {
            method: method.to_owned(),
            route,
            status,
        },
        took,
    );
    response
}

/// Methods are the caller's text; a label must not take whatever they think of.
fn known_method(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "OTHER",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_counts_every_request_that_a_bound_holds() {
        let metrics = Metrics::default();
        let labels = Labels {
            method: "GET".to_owned(),
            route: "/x".to_owned(),
            status: 200,
        };
        metrics.record(labels.clone(), Duration::from_millis(7));
        metrics.record(labels, Duration::from_secs(60));
        let text = metrics.render();
        for line in [
            r#"kinora_http_request_seconds_bucket{method="GET",route="/x",status="200",le="0.005"} 0"#,
            r#"kinora_http_request_seconds_bucket{method="GET",route="/x",status="200",le="0.01"} 1"#,
            r#"kinora_http_request_seconds_bucket{method="GET",route="/x",status="200",le="10"} 1"#,
            r#"kinora_http_request_seconds_bucket{method="GET",route="/x",status="200",le="+Inf"} 2"#,
            r#"kinora_http_request_seconds_count{method="GET",route="/x",status="200"} 2"#,
        ] {
            assert!(text.contains(line), "{line}\nin\n{text}");
        }
    }
}
