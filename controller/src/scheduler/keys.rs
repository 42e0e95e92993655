//! Names of objects. Each names its attempt and is like no other, so two attempts never write the same object, even if the
//! database has forgotten one of them.

use crate::{
    ids::{JobId, TaskId, random_base62},
    state::{Lane, TaskKind},
};

/// Characters that make the address of a finished file unguessable.
const RANDOM_LENGTH: usize = 24;
/// Characters that make the name of a chunk its own.
const CHUNK_RANDOM_LENGTH: usize = 8;

/// The folder of a job's intermediate objects.
pub(crate) fn working_folder(job: &JobId) -> String {
    format!("jobs/{job}")
}

/// The folder of a job's finished files.
pub(crate) fn final_folder(lane: Lane, job: &JobId) -> String {
    match lane {
        Lane::Render => format!("renders/{job}"),
        Lane::Preview => format!("previews/{job}"),
    }
}

/// The picture of one frame among those that a stills task wrote.
pub(crate) fn still_key(output_key: &str, frame: u32) -> String {
    format!("{output_key}/{frame}.png")
}

/// The object that one attempt at a task writes; for stills, the folder.
pub(crate) fn output_key(
    kind: TaskKind,
    lane: Lane,
    job: &JobId,
    task: &TaskId,
    attempt: u32,
) -> String {
    let stem = attempt_stem(kind, lane, job, task, attempt);
    match kind {
        TaskKind::Render => format!("{stem}{}.mp4", random_base62(CHUNK_RANDOM_LENGTH)),
        TaskKind::Assemble => format!("{stem}{}/video.mp4", random_base62(RANDOM_LENGTH)),
        TaskKind::Stills => format!("{stem}{}", random_base62(RANDOM_LENGTH)),
    }
}

/// Whether a key can only have been given out for this attempt.
pub(crate) fn is_of_attempt(
    key: &str,
    kind: TaskKind,
    lane: Lane,
    job: &JobId,
    task: &TaskId,
    attempt: u32,
) -> bool {
    let is_one_name = |rest: &str| !rest.is_empty() && !rest.contains('/');
    let Some(rest) = key.strip_prefix(&attempt_stem(kind, lane, job, task, attempt)) else {
        return false;
    };
    match kind {
        TaskKind::Render => rest.strip_suffix(".mp4").is_some_and(is_one_name),
        TaskKind::Assemble => rest.strip_suffix("/video.mp4").is_some_and(is_one_name),
        TaskKind::Stills => is_one_name(rest),
    }
}

fn attempt_stem(kind: TaskKind, lane: Lane, job: &JobId, task: &TaskId, attempt: u32) -> String {
    match kind {
        TaskKind::Render => format!("{}/chunks/{task}-{attempt}-", working_folder(job)),
        TaskKind::Assemble | TaskKind::Stills => format!("{}/{attempt}-", final_folder(lane, job)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_belongs_to_its_attempt_alone() {
        let (job, task) = (JobId::random(), TaskId::random());
        for &lane in Lane::ALL {
            for &kind in TaskKind::ALL {
                let key = output_key(kind, lane, &job, &task, 1);
                assert!(is_of_attempt(&key, kind, lane, &job, &task, 1));
                assert!(!is_of_attempt(&key, kind, lane, &job, &task, 2));
                assert!(!is_of_attempt(&key, kind, lane, &job, &task, 11));
                assert!(!is_of_attempt(&key, kind, lane, &JobId::random(), &task, 1));
                assert_ne!(
                    key,
                    output_key(kind, lane, &job, &task, 1),
                    "it can't be worked out"
                );
            }
        }
    }

    #[test]
    fn what_a_preview_shows_lies_apart_from_renders() {
        let (job, task) = (JobId::random(), TaskId::random());
        for kind in [TaskKind::Assemble, TaskKind::Stills] {
            let key = output_key(kind, Lane::Preview, &job, &task, 1);
            assert!(key.starts_with(&format!("previews/{job}/1-")), "{key}");
            assert!(!is_of_attempt(&key, kind, Lane::Render, &job, &task, 1));
        }
    }
}
