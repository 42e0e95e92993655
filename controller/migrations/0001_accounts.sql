-- Who may use the farm, with what, and how often. Timestamps are unix milliseconds.

CREATE TABLE accounts (
    id            TEXT   PRIMARY KEY,
    email         TEXT   NOT NULL UNIQUE,
    name          TEXT   NOT NULL,
    plan          TEXT   NOT NULL,
    password_hash TEXT,
    created_at    BIGINT NOT NULL
);

CREATE TABLE api_keys (
    id           TEXT   PRIMARY KEY,
    account_id   TEXT   NOT NULL REFERENCES accounts (id),
    -- SHA-256 of the whole key, in hexadecimal. The key itself is nowhere.
    hash         TEXT   NOT NULL UNIQUE,
    prefix       TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT,
    revoked_at   BIGINT
);

CREATE TABLE rate_windows (
    account_id TEXT   PRIMARY KEY REFERENCES accounts (id),
    started_at BIGINT NOT NULL,
    used       BIGINT NOT NULL
);
