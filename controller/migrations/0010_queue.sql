-- The queue at scale: what a claim walks through, and what makes it prefer a node.

-- What a task is encoded with, as far as known; empty before its job has begun and where it does not matter. It spares a
-- claim the walk over what its node can't encode; what counts is jobs.encoder.
ALTER TABLE tasks ADD COLUMN encoder TEXT NOT NULL DEFAULT '';
-- Jobs with the same media have the same name here; empty for none.
ALTER TABLE jobs ADD COLUMN media TEXT NOT NULL DEFAULT '';

-- Each index holds only the rows that are looked for, so that neither renewing a lease nor tasks that are done long ago cost any of them.
DROP INDEX tasks_in_queue;
DROP INDEX tasks_by_turn;
DROP INDEX tasks_by_node;
DROP INDEX tasks_by_job;
CREATE INDEX tasks_ready ON tasks (lane, encoder, turn, queued_at, id) WHERE state = 'ready';
CREATE INDEX tasks_waiting ON tasks (lane, turn) WHERE state = 'ready' AND kind <> 'assemble';
CREATE INDEX tasks_leased ON tasks (node_id, lane) WHERE state = 'leased';
CREATE INDEX tasks_by_job ON tasks (job_id, state);
CREATE INDEX turns_by_lane ON turns (lane, next_turn);
