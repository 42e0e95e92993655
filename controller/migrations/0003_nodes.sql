-- Nodes that have been seen. A node is connected while seen_at is fresh.

CREATE TABLE nodes (
    id                   TEXT   PRIMARY KEY,
    name                 TEXT   NOT NULL,
    slots                BIGINT NOT NULL,
    adapter              TEXT   NOT NULL,
    encoders             TEXT   NOT NULL,
    version              TEXT   NOT NULL,
    draining             BIGINT NOT NULL,
    seen_at              BIGINT NOT NULL,
    consecutive_failures BIGINT NOT NULL,
    set_aside_until      BIGINT NOT NULL
);
