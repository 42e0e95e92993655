//! How a trace passes from role to role: as W3C's `traceparent`, in the metadata of calls and in leases.
//!
//! A role whose traces go nowhere passes nothing on, and none of this costs anything then.

use std::collections::HashMap;

use opentelemetry::Context;
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::TraceContextExt;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tonic::metadata::MetadataValue;
use tonic::{Request, Status};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// The header, and the key of the metadata, that names the span to hang one's own below.
pub const HEADER: &str = "traceparent";

/// Names the current span for those who work for it elsewhere; `None` where nothing is traced.
pub fn current() -> Option<String> {
    named(&Context::current())
}

/// Hangs a span that nobody has entered yet below the one that a caller named. A name that can't be read
/// leaves it where it is.
pub fn hang_below(span: &Span, trace_parent: &str) {
    let context = read(trace_parent);
    if context.has_active_span() {
        // It fails where nothing is traced, and then there is nothing to hang.
        let _ = span.set_parent(context);
    }
}

/// An interceptor for clients: calls name the span that they are made in.
///
/// # Errors
/// None; interceptors have to be able to.
pub fn carry(mut request: Request<()>) -> Result<Request<()>, Status> {
    if let Some(name) = current().and_then(|name| MetadataValue::try_from(name).ok()) {
        request.metadata_mut().insert(HEADER, name);
    }
    Ok(request)
}

fn named(context: &Context) -> Option<String> {
    let mut carrier = HashMap::new();
    TraceContextPropagator::new().inject_context(context, &mut carrier);
    carrier.remove(HEADER)
}

fn read(trace_parent: &str) -> Context {
    let carrier = HashMap::from([(HEADER.to_owned(), trace_parent.to_owned())]);
    TraceContextPropagator::new().extract_with_context(&Context::new(), &carrier)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn a_span_is_named_as_it_was_read() {
        assert_eq!(named(&read(NAME)).as_deref(), Some(NAME));
    }

    #[test]
    fn what_names_no_span_is_passed_over() {
        for name in ["", "00", "00-0-0-01", &"x".repeat(10_000), "ff-\u{e9}"] {
            assert!(!read(name).has_active_span(), "{name}");
        }
        assert_eq!(current(), None);
        hang_below(&Span::none(), NAME);
        let request = carry(Request::new(())).expect("passed on");
        assert!(request.metadata().is_empty());
    }
}
