-- Who is told when a render ends, and what is still to be told.

CREATE TABLE webhooks (
    id                TEXT   PRIMARY KEY,
    account_id        TEXT   NOT NULL REFERENCES accounts (id),
    url               TEXT   NOT NULL,
    -- Names of events, with commas between them.
    events            TEXT   NOT NULL,
    -- The signing secret, encrypted with the farm's key.
    sealed_secret     TEXT   NOT NULL,
    is_active         BIGINT NOT NULL,
    -- Deliveries lost since the last that arrived, and when the first of them was.
    failures_in_a_row BIGINT NOT NULL,
    failing_since     BIGINT,
    created_at        BIGINT NOT NULL
);
CREATE INDEX webhooks_by_account ON webhooks (account_id, created_at);

-- The outbox: rows are written in the transaction that ends a job.
CREATE TABLE webhook_deliveries (
    id              TEXT   PRIMARY KEY,
    account_id      TEXT   NOT NULL REFERENCES accounts (id),
    job_id          TEXT   NOT NULL REFERENCES jobs (id),
    event           TEXT   NOT NULL,
    -- The registration, or the URL that the render itself asked to be called. No foreign key: ending
    -- a job must neither wait for nor fail with the deletion of a registration.
    webhook_id      TEXT,
    url             TEXT,
    -- Deliveries of one receiver never take the room of another's.
    receiver        TEXT   NOT NULL,
    -- The very bytes of every attempt.
    payload         TEXT   NOT NULL,
    state           TEXT   NOT NULL,
    attempts        BIGINT NOT NULL,
    -- While a controller sends it, the end of that controller's lease.
    next_attempt_at BIGINT NOT NULL,
    leased_until    BIGINT,
    last_error      TEXT,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    -- A job ends once, whatever the code does.
    UNIQUE (job_id, receiver)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (state, next_attempt_at);
CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, state);
