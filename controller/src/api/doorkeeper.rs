//! Lets calls with a token of the farm in, where there are tokens, and nobody else.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use kinora_proto::access::{TOKEN_REFUSED, Tokens};
use tonic::{Request, Status, service::Interceptor};

/// Strangers who knock often are not logged each time.
const SAY_AGAIN_AFTER: Duration = Duration::from_secs(10);

/// Stands before every service.
#[derive(Clone, Debug)]
pub(crate) struct Doorkeeper {
    tokens: Option<Tokens>,
    said: Arc<Mutex<Option<Instant>>>,
}

impl Doorkeeper {
    pub(crate) fn new(tokens: Option<Tokens>) -> Self {
        Self {
            tokens,
            said: Arc::default(),
        }
    }

    fn say(&self, request: &Request<()>) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.is_none_or(|at| at.elapsed() >= SAY_AGAIN_AFTER) {
            *said = Some(Instant::now());
            let caller = request.remote_addr().map(|address| address.to_string());
            tracing::warn!(caller, "a call without a token of this farm was refused");
        }
    }
}

impl Interceptor for Doorkeeper {
    fn call(&mut self, request: Request<()>) -> Result<Request<()>, Status> {
        let Some(tokens) = &self.tokens else {
            return Ok(request);
        };
        let offered = request.metadata().get("authorization");
        let offered = offered.and_then(|value| value.to_str().ok());
        let offered = offered.and_then(|value| value.strip_prefix("Bearer "));
        if offered.is_some_and(|offered| tokens.accepts(offered)) {
            return Ok(request);
        }
        self.say(&request);
        Err(Status::unauthenticated(TOKEN_REFUSED))
    }
}

#[cfg(test)]
mod tests {
    use tonic::Code;

    use super::*;

    const OLD: &str = "0123456789abcdef";
    const NEW: &str = "fedcba9876543210";

    fn call(tokens: Option<&str>, header: Option<&str>) -> Result<(), Status> {
        let tokens = tokens.map(|text| Tokens::from_text(text).expect("tokens"));
        let mut request = Request::new(());
        if let Some(header) = header {
            let value = header.parse().expect("a header");
            request.metadata_mut().insert("authorization", value);
        }
        Doorkeeper::new(tokens).call(request).map(|_| ())
    }

    #[test]
    fn each_token_of_the_farm_lets_a_call_in() {
        let both = format!("{NEW},{OLD}");
        for token in [OLD, NEW] {
            let header = format!("Bearer {token}");
            assert!(call(Some(&both), Some(&header)).is_ok());
        }
        assert!(call(None, None).is_ok(), "without tokens the door is open");
    }

    #[test]
    fn anything_else_is_unauthenticated_and_told_what_to_set() {
        let wrong = [
            None,
            Some(""),
            Some("Bearer "),
            Some("Bearer fedcba9876543210"),
            Some("bearer 0123456789abcdef"),
            Some("0123456789abcdef"),
            Some("Bearer 0123456789abcdef0"),
            Some("Bearer 0123456789abcde"),
        ];
        for header in wrong {
            let refused = call(Some(OLD), header).expect_err("refused");
            assert_eq!(refused.code(), Code::Unauthenticated, "{header:?}");
            assert!(refused.message().contains("KINORA_FARM_TOKEN"));
            assert!(!refused.message().contains(OLD));
        }
    }
}
