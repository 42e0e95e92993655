//! Names of objects. Each names its attempt, so two attempts never write the same object.

use crate::{
    ids::{JobId, TaskId, random_base62},
    state::TaskKind,
};

/// Characters that make the address of a finished file unguessable.
const RANDOM_LENGTH: usize = 24;

/// The folder of a job's intermediate objects.
pub(crate) fn working_folder(job: &JobId) -> String {
    format!("jobs/{job}")
}

/// The folder of a job's finished file.
pub(crate) fn final_folder(job: &JobId) -> String {
    format!("renders/{job}")
}

/// The object that one attempt at a task writes.
pub(crate) fn output_key(kind: TaskKind, job: &JobId, task: &TaskId, attempt: u32) -> String {
    let stem = attempt_stem(kind, job, task, attempt);
    match kind {
        TaskKind::Render => format!("{stem}.mp4"),
        TaskKind::Assemble => format!("{stem}{}/video.mp4", random_base62(RANDOM_LENGTH)),
    }
}

/// Whether a key can only have been given out for this attempt.
pub(crate) fn is_of_attempt(
    key: &str,
    kind: TaskKind,
    job: &JobId,
    task: &TaskId,
    attempt: u32,
) -> bool {
    let rest = key.strip_prefix(&attempt_stem(kind, job, task, attempt));
    match kind {
        TaskKind::Render => rest == Some(".mp4"),
        TaskKind::Assemble => rest.is_some_and(|rest| {
            rest.strip_suffix("/video.mp4")
                .is_some_and(|random| !random.contains('/'))
        }),
    }
}

fn attempt_stem(kind: TaskKind, job: &JobId, task: &TaskId, attempt: u32) -> String {
    match kind {
        TaskKind::Render => format!("{}/chunks/{task}-{attempt}", working_folder(job)),
        TaskKind::Assemble => format!("{}/{attempt}-", final_folder(job)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_belongs_to_its_attempt_alone() {
        let (job, task) = (JobId::random(), TaskId::random());
        for &kind in TaskKind::ALL {
            let key = output_key(kind, &job, &task, 1);
            assert!(is_of_attempt(&key, kind, &job, &task, 1));
            assert!(!is_of_attempt(&key, kind, &job, &task, 2));
            assert!(!is_of_attempt(&key, kind, &job, &task, 11));
            assert!(!is_of_attempt(&key, kind, &JobId::random(), &task, 1));
        }
        assert_ne!(
            output_key(TaskKind::Assemble, &job, &task, 1),
            output_key(TaskKind::Assemble, &job, &task, 1),
            "the address of a finished file can't be worked out"
        );
    }
}
