-- Whose turn it is, how fast nodes and jobs are, and what the chunks of a job have in common.

-- Tasks of a lane are leased in the order of their turns. Work that an account asks for moves its own next turn
-- on and nobody else's, so that a long job of one does not hold up a short job of another. Counted in pixels drawn.
ALTER TABLE tasks ADD COLUMN turn BIGINT NOT NULL DEFAULT 0;
DROP INDEX tasks_in_queue;
CREATE INDEX tasks_in_queue ON tasks (state, lane, turn, queued_at);
CREATE INDEX tasks_by_turn ON tasks (lane, turn);
CREATE TABLE turns (
    account_id TEXT   NOT NULL REFERENCES accounts (id),
    lane       TEXT   NOT NULL,
    next_turn  BIGINT NOT NULL,
    PRIMARY KEY (account_id, lane)
);

-- Pixels a second that one slot of a node draws and encodes, averaged over its tasks; null before the first.
ALTER TABLE nodes ADD COLUMN speed BIGINT;
-- How a job's pixels compare to others on the same node, in thousandths: less is harder to draw.
ALTER TABLE jobs ADD COLUMN ease BIGINT NOT NULL DEFAULT 1000;
-- How long it was said to take when it was accepted.
ALTER TABLE jobs ADD COLUMN estimated_minutes BIGINT NOT NULL DEFAULT 1;
-- What encodes all its chunks, which could not be joined otherwise; null before the first lease.
ALTER TABLE jobs ADD COLUMN encoder TEXT;
