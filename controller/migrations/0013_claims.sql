-- What makes a claim cheap: all that it chooses by is in the rows that it walks through.

-- Tasks with the same media have the same name here; empty for none. jobs.media stays behind for controllers that are
-- not replaced yet.
ALTER TABLE tasks ADD COLUMN media TEXT NOT NULL DEFAULT '';
UPDATE tasks SET media = (SELECT j.media FROM jobs j WHERE j.id = tasks.job_id) WHERE state NOT IN ('done', 'cancelled');

-- Whether all nodes encode with the same is asked whenever a job begins.
CREATE INDEX nodes_by_encoders ON nodes (encoders);
