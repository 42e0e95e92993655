//! Giving tasks to nodes.

use std::{collections::BTreeMap, ops::Range, time::Duration};

use super::{
    BEGINNING, Sizing, Timing, keys,
    pairing::{Offer, takers},
};
use crate::{
    Result,
    clock::Timestamp,
    ids::JobId,
    state::{JobState, Lane, TaskKind},
    store::{Candidate, Fence, Looker, NewLease, Standing, Store, Stretch, Tx},
};

/// Among so many of the next tasks, one whose media the node holds goes first.
const NEAR: usize = 12;
/// How many of the next tasks are looked at. Further ones only if all of these are locked, or none is for these nodes.
const WINDOWS: [usize; 4] = [NEAR, 96, 1024, 1 << 20];

/// A lease, with everything that the node needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) lease: Fence,
    pub(crate) job: JobId,
    pub(crate) lane: Lane,
    /// Its place in the lane.
    pub(crate) turn: i64,
    /// The name of its media; empty for none.
    pub(crate) media: String,
    /// Files under this address are our own; empty when nobody said where it is.
    pub(crate) public_url: String,
    /// Each side of the picture is divided by this.
    pub(crate) reduce: u32,
    pub(crate) until: Timestamp,
    pub(crate) composition_json: String,
    pub(crate) output_key: String,
    /// What chunks are encoded with; what the node likes best where it is not said.
    pub(crate) encoder: Option<String>,
    pub(crate) work: Work,
    /// How long the task had been ready.
    pub(crate) waited: Duration,
    /// The span that the job began in.
    pub(crate) trace_parent: Option<String>,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Draw and encode these frames.
    Render(Range<u32>),
    /// Join these chunks.
    Assemble(Vec<String>),
    /// Draw each of these frames as a picture.
    Stills(Vec<u32>),
}

/// What came of a look at the queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Looked {
    /// This lease.
    Leased(Box<Claim>),
    /// There is no task that the node may take.
    Nothing,
    /// The node has no room, is about to go, or is not known.
    NoRoom,
    /// The node has failed too often and gets no leases for a while.
    SetAside,
}

impl Work {
    /// The kind of task that it is.
    pub(crate) fn kind(&self) -> TaskKind {
        match self {
            Self::Render(_) => TaskKind::Render,
            Self::Assemble(_) => TaskKind::Assemble,
            Self::Stills(_) => TaskKind::Stills,
        }
    }
}

/// Leases the next task of their lane to each of some nodes that has a free slot for it, as far as there are tasks. The
/// nodes are different ones, and all look for the same lane and encode with the same.
pub(crate) async fn claim_for_all(
    store: &Store,
    lookers: &[Looker<'_>],
    timing: &Timing,
    sizing: Sizing,
    now: Timestamp,
) -> Result<Vec<Looked>> {
    let mut answers: Vec<Option<Looked>> = lookers.iter().map(|_| None).collect();
    loop {
        let waiting: Vec<usize> = (0..answers.len())
            .filter(|index| answers[*index].is_none())
            .collect();
        let Some(first) = waiting.first() else {
            return Ok(answers.into_iter().flatten().collect());
        };
        let mut round = Round {
            tx: store.begin_relaxed().await?,
            lane: lookers[*first].lane,
            encoders: lookers[*first].encoders,
            seen_after: now.minus(timing.lease),
            until: now.plus(timing.lease),
            now,
            sizing,
            begun: Vec::new(),
        };
        let party: Vec<Looker<'_>> = waiting.iter().map(|index| lookers[*index]).collect();
        for (index, looked) in waiting.into_iter().zip(round.look(&party).await?) {
            answers[index] = looked;
        }
        let Round { tx, begun, .. } = round;
        tx.commit().await?;
        for job in &begun {
            note_encoder(store, &lookers[0], job, now.minus(timing.lease)).await;
        }
    }
}

async fn note_encoder(store: &Store, looker: &Looker<'_>, job: &JobId, seen_after: Timestamp) {
    if let Some(favourite) = looker.encoders.first()
        && let Err(error) = store
            .note_encoder(job, favourite, looker.encoders, seen_after)
            .await
    {
        tracing::debug!(%error, "claims will pass by tasks of the job that they could have left out");
    }
}

/// A transaction that nodes look at the queue in.
struct Round<'a> {
    tx: Tx,
    lane: Lane,
    encoders: &'a [String],
    /// Other nodes count if they were seen after this.
    seen_after: Timestamp,
    until: Timestamp,
    now: Timestamp,
    sizing: Sizing,
    /// Jobs that begin with it. Others who want them wait for it to end.
    begun: Vec<JobId>,
}

/// A task with its taker, whom it is leased to.
struct Match {
    /// Whose it is among those who look.
    taker: usize,
    candidate: Candidate,
    lease: NewLease,
    speed: Option<i64>,
}

impl Round<'_> {
    /// Looks at the queue for some nodes. Those that have no answer afterwards have to look again, after it.
    async fn look(&mut self, party: &[Looker<'_>]) -> Result<Vec<Option<Looked>>> {
        let standings = self.tx.lock_lookers(party, self.lane, self.now).await?;
        let mut answers: Vec<Option<Looked>> = standings
            .iter()
            .map(|standing| match standing {
                Standing::Free { .. } => None,
                Standing::NoRoom => Some(Looked::NoRoom),
                Standing::SetAside => Some(Looked::SetAside),
            })
            .collect();
        for (tasks, from_turn) in windows(party) {
            loop {
                let waiting: Vec<usize> = (0..party.len())
                    .filter(|index| answers[*index].is_none())
                    .collect();
                if waiting.is_empty() || !self.begun.is_empty() {
                    return Ok(answers);
                }
                let lookers: Vec<Looker<'_>> = waiting.iter().map(|index| party[*index]).collect();
                let window = Stretch {
                    tasks: tasks + waiting.len() - 1,
                    from_turn,
                };
                // Past the nearest, everything is equally far.
                let media = match tasks {
                    NEAR => media_of_all(&lookers),
                    _ => Vec::new(),
                };
                let found = self.find(&lookers, window, &media).await?;
                let are_all = found.len() == waiting.len();
                let terms: Vec<Standing> = waiting.iter().map(|index| standings[*index]).collect();
                for (taker, looked) in self.lease(&lookers, &terms, found).await? {
                    answers[waiting[taker]] = Some(looked);
                }
                if !are_all {
                    break;
                }
            }
            if from_turn == BEGINNING && !self.tx.has_more_than(tasks, &party[0]).await? {
                break;
            }
        }
        // A job that has just begun may be for those who are left, once the others can see it.
        if self.begun.is_empty() {
            let nothing = |answer: Option<Looked>| answer.or(Some(Looked::Nothing));
            return Ok(answers.into_iter().map(nothing).collect());
        }
        Ok(answers)
    }

    async fn find(
        &mut self,
        lookers: &[Looker<'_>],
        window: Stretch,
        media: &[&String],
    ) -> Result<Vec<Candidate>> {
        let found = (self.tx).find_tasks(lookers, window, media, self.seen_after, self.now);
        found.await
    }

    /// Leases tasks that were found to those who may have them; answers who has what.
    async fn lease(
        &mut self,
        lookers: &[Looker<'_>],
        standings: &[Standing],
        found: Vec<Candidate>,
    ) -> Result<Vec<(usize, Looked)>> {
        let takers = self.takers(lookers, &found).await?;
        let matches: Vec<Match> = takers
            .into_iter()
            .zip(found)
            .filter_map(|(taker, candidate)| {
                let taker = taker?;
                let Standing::Free { slots, speed } = standings[taker] else {
                    return None;
                };
                let lease = self.new_lease(lookers[taker], slots, &candidate);
                Some(Match {
                    taker,
                    candidate,
                    lease,
                    speed,
                })
            })
            .collect();
        if matches.is_empty() {
            return Ok(Vec::new());
        }
        let leases: Vec<&NewLease> = matches.iter().map(|it| &it.lease).collect();
        let leased = (self.tx).lease_tasks(&leases, self.lane, self.until, self.now);
        let leased = leased.await?;
        let (mut leased, refused): (Vec<Match>, Vec<Match>) = matches
            .into_iter()
            .partition(|it| leased.contains(&it.lease.fence.task));
        let mut answers: Vec<(usize, Looked)> = refused
            .into_iter()
            .map(|it| (it.taker, Looked::NoRoom))
            .collect();
        for it in &mut leased {
            let task = &mut it.candidate.task;
            if let Some(leased) = task.state.lease() {
                task.state = leased;
            }
        }
        let encoders = self.begin_jobs(&leased).await?;
        for mut it in leased {
            let task = &it.candidate.task;
            if let Some(encoder) = encoders.get(it.candidate.job.as_str()) {
                let can_encode = encoder.as_ref().is_none_or(|it| self.encoders.contains(it));
                if task.kind == TaskKind::Render && !can_encode {
                    self.tx
                        .requeue_task(task, &it.lease.fence, self.now)
                        .await?;
                    continue;
                }
                it.candidate.job_encoder.clone_from(encoder);
            }
            answers.push((it.taker, Looked::Leased(Box::new(self.claim(it).await?))));
        }
        Ok(answers)
    }

    /// Who takes each of some tasks.
    async fn takers(
        &mut self,
        lookers: &[Looker<'_>],
        found: &[Candidate],
    ) -> Result<Vec<Option<usize>>> {
        let tried: Vec<_> = found
            .iter()
            .map(|it| &it.task)
            .filter(|it| it.attempt > 0)
            .collect();
        let barred = match tried.is_empty() {
            true => Vec::new(),
            false => {
                let tried: Vec<_> = tried.iter().map(|task| &task.id).collect();
                let barred =
                    (self.tx).barred(&tried, lookers, self.lane, self.seen_after, self.now);
                barred.await?
            }
        };
        let offers: Vec<Offer<'_>> = found
            .iter()
            .map(|candidate| {
                let is_barred = |looker: &Looker<'_>| {
                    (barred.iter())
                        .any(|(task, node)| *task == candidate.task.id && node == looker.node)
                };
                let barred = (0..lookers.len()).filter(|index| is_barred(&lookers[*index]));
                Offer {
                    media: &candidate.media,
                    barred: barred.collect(),
                }
            })
            .collect();
        let media: Vec<&[String]> = lookers.iter().map(|looker| looker.media).collect();
        Ok(takers(&offers, &media))
    }

    fn new_lease(&self, looker: Looker<'_>, slots: i64, candidate: &Candidate) -> NewLease {
        let task = &candidate.task;
        let attempt = task.attempt + 1;
        NewLease {
            fence: Fence {
                task: task.id.clone(),
                attempt,
                node: looker.node.clone(),
            },
            output_key: keys::output_key(task.kind, self.lane, &candidate.job, &task.id, attempt),
            slots,
        }
    }

    /// Begins the jobs of leased tasks that have not begun, in an order that all controllers keep; answers what these
    /// are encoded with.
    async fn begin_jobs(&mut self, leased: &[Match]) -> Result<BTreeMap<String, Option<String>>> {
        let mut encoders = BTreeMap::new();
        for it in leased {
            if it.candidate.job_state == JobState::Pending {
                encoders.insert(it.candidate.job.to_string(), None);
            }
        }
        let favourite = self.encoders.first();
        for (job, encoder) in &mut encoders {
            let job = JobId::from(job.clone());
            let begun = self.tx.start_job(
                &job,
                JobState::Pending,
                favourite.map(String::as_str),
                self.now,
            );
            if begun.await? {
                encoder.clone_from(&favourite.cloned());
                self.begun.push(job);
            } else {
                // Another controller has begun it just now.
                *encoder = self.tx.encoder_of(&job).await?;
            }
        }
        Ok(encoders)
    }

    /// All that a node needs for a leased task; less of it than it was, where the node is slow.
    async fn claim(
        &mut self,
        Match {
            mut candidate,
            lease,
            speed,
            ..
        }: Match,
    ) -> Result<Claim> {
        let kind = candidate.task.kind;
        if kind == TaskKind::Render && self.lane == Lane::Render {
            let drawing = candidate.drawing();
            if let Some(frames) = self.sizing.cut(drawing, speed, candidate.ease) {
                let task = &mut candidate.task;
                self.tx
                    .cut_task(task, frames, drawing.pixels_of_frame)
                    .await?;
            }
        }
        let work = match kind {
            TaskKind::Render => Work::Render(candidate.task.frames),
            TaskKind::Assemble => Work::Assemble(self.tx.chunk_keys(&candidate.job).await?),
            TaskKind::Stills => Work::Stills(candidate.stills),
        };
        Ok(Claim {
            lease: lease.fence,
            job: candidate.job,
            lane: self.lane,
            turn: candidate.turn,
            media: candidate.media,
            public_url: candidate.public_url,
            reduce: candidate.reduce,
            until: self.until,
            composition_json: candidate.composition_json,
            output_key: lease.output_key,
            encoder: candidate.job_encoder,
            work,
            waited: self.now.since(candidate.task.updated_at),
            trace_parent: candidate.trace_parent,
        })
    }
}

/// How many tasks are looked at, and from which turn on, one after the other until all have one.
fn windows(party: &[Looker<'_>]) -> impl Iterator<Item = (usize, i64)> {
    let from_turn = party.iter().map(|looker| looker.from_turn).min();
    let begin_later = from_turn.filter(|turn| *turn > BEGINNING);
    let from_beginning = WINDOWS.map(|window| (window, BEGINNING));
    begin_later
        .map(|turn| (NEAR, turn))
        .into_iter()
        .chain(from_beginning)
}

/// Media that one of some nodes would take a task out of turn for; none where one of them takes what is first.
fn media_of_all<'a>(lookers: &[Looker<'a>]) -> Vec<&'a String> {
    if lookers.iter().any(|looker| looker.media.is_empty()) {
        return Vec::new();
    }
    lookers.iter().flat_map(|looker| looker.media).collect()
}
