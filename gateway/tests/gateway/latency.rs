//! How much time the gateway adds to a call: the call through it, beside the two that it makes.
//!
//! `cargo test -p kinora-gateway latency -- --nocapture` prints the figures. Other tests run beside
//! it, so only the middle of the times is held to a bound.

use std::time::{Duration, Instant};

use kinora_proto::v1::accounts_client::AccountsClient;
use kinora_proto::v1::renders_client::RendersClient;
use kinora_proto::v1::{AdmitRequest, GetRenderRequest};
use reqwest::Method;
use tonic::transport::Channel;

use crate::support::{Fixture, KEY, running_job};

const CALLS: usize = 1000;

struct Percentiles {
    half: Duration,
    ninety_nine: Duration,
}

fn percentiles(mut took: Vec<Duration>) -> Percentiles {
    took.sort_unstable();
    Percentiles {
        half: took[took.len() / 2],
        ninety_nine: took[took.len() * 99 / 100],
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stdout, reason = "the figures are what it is for")]
async fn the_gateway_adds_less_than_two_milliseconds() {
    let farm = Fixture::start().await;
    farm.script().get_render.answers(Ok(running_job()));
    let channel = Channel::from_shared(farm.controller_url.clone());
    let channel = channel.expect("URL").connect().await.expect("connected");
    let mut accounts = AccountsClient::new(channel.clone());
    let mut renders = RendersClient::new(channel);

    let (mut through, mut direct) = (Vec::new(), Vec::new());
    for _ in 0..CALLS {
        let started = Instant::now();
        let request = farm.api(Method::GET, "/api/v1/renders/job_1");
        let answer = request.send().await.expect("answer");
        assert!(!answer.bytes().await.expect("body").is_empty());
        through.push(started.elapsed());

        let started = Instant::now();
        let credential = KEY.to_owned();
        accounts
            .admit(AdmitRequest { credential })
            .await
            .expect("admitted");
        let asked = GetRenderRequest {
            account_id: "acc_1".to_owned(),
            job_id: "job_1".to_owned(),
        };
        renders.get(asked).await.expect("a job");
        direct.push(started.elapsed());
    }
    let (through, direct) = (percentiles(through), percentiles(direct));
    println!(
        "through the gateway {:?} (99 %: {:?}), its two calls alone {:?} (99 %: {:?})",
        through.half, through.ninety_nine, direct.half, direct.ninety_nine
    );
    let added = through.half.saturating_sub(direct.half);
    assert!(added < Duration::from_millis(2), "{added:?}");
}
