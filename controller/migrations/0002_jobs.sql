-- Render jobs, what they cost, and the tasks they are split into.

CREATE TABLE jobs (
    id                 TEXT   PRIMARY KEY,
    account_id         TEXT   NOT NULL REFERENCES accounts (id),
    state              TEXT   NOT NULL,
    mode               TEXT   NOT NULL,
    composition_json   TEXT   NOT NULL,
    width              BIGINT NOT NULL,
    height             BIGINT NOT NULL,
    fps                BIGINT NOT NULL,
    duration_in_frames BIGINT NOT NULL,
    price_hundredths   BIGINT NOT NULL,
    webhook_url        TEXT,
    output_key         TEXT,
    output_size        BIGINT,
    error_message      TEXT,
    created_at         BIGINT NOT NULL,
    updated_at         BIGINT NOT NULL,
    started_at         BIGINT,
    completed_at       BIGINT,
    -- When to delete what the job left in the object store; null when there is nothing to delete.
    clean_at           BIGINT
);
CREATE INDEX jobs_by_account ON jobs (account_id, created_at);
CREATE INDEX jobs_to_clean ON jobs (clean_at);

CREATE TABLE idempotency_keys (
    account_id TEXT   NOT NULL REFERENCES accounts (id),
    key        TEXT   NOT NULL,
    body_hash  TEXT   NOT NULL,
    job_id     TEXT   NOT NULL REFERENCES jobs (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, key)
);

-- A balance is the sum of its rows; rows are only ever added.
CREATE TABLE ledger (
    id                TEXT   PRIMARY KEY,
    account_id        TEXT   NOT NULL REFERENCES accounts (id),
    kind              TEXT   NOT NULL,
    amount_hundredths BIGINT NOT NULL,
    job_id            TEXT   REFERENCES jobs (id),
    created_at        BIGINT NOT NULL,
    -- No job is charged twice or refunded twice, whatever the code does.
    UNIQUE (job_id, kind)
);
CREATE INDEX ledger_by_account ON ledger (account_id, amount_hundredths);

CREATE TABLE tasks (
    id          TEXT   PRIMARY KEY,
    job_id      TEXT   NOT NULL REFERENCES jobs (id),
    kind        TEXT   NOT NULL,
    position    BIGINT NOT NULL,
    first_frame BIGINT NOT NULL,
    end_frame   BIGINT NOT NULL,
    state       TEXT   NOT NULL,
    -- Counts leases: the fence that keeps out reports of earlier ones.
    attempt     BIGINT NOT NULL,
    node_id     TEXT,
    lease_until BIGINT,
    frames_done BIGINT NOT NULL,
    output_key  TEXT,
    queued_at   BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);
CREATE INDEX tasks_by_job ON tasks (job_id, position);
CREATE INDEX tasks_in_queue ON tasks (state, queued_at, position);
CREATE INDEX tasks_by_node ON tasks (node_id, state);

-- Attempts that failed by themselves; lost and handed back leases are not here.
CREATE TABLE task_failures (
    task_id    TEXT   NOT NULL REFERENCES tasks (id),
    attempt    BIGINT NOT NULL,
    node_id    TEXT   NOT NULL,
    message    TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (task_id, attempt)
);
