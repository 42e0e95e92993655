-- Large objects that a node is bringing into the store in parts, so that none stays unfinished when its lease is over.

CREATE TABLE objects_in_parts (
    id         TEXT   PRIMARY KEY,
    -- What the object store calls it; some stores call all of them the same.
    store_id   TEXT   NOT NULL,
    object_key TEXT   NOT NULL,
    -- The attempt that it belongs to. No foreign key: a task that is gone is over.
    task_id    TEXT   NOT NULL,
    attempt    BIGINT NOT NULL,
    -- When to abort it, at the earliest, once the attempt is over.
    abort_at   BIGINT NOT NULL
);
CREATE INDEX objects_in_parts_by_attempt ON objects_in_parts (task_id, attempt);
