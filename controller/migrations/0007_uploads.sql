-- Files that clients bring, and the URLs that they may be sent to.

CREATE TABLE uploads (
    id            TEXT   PRIMARY KEY,
    account_id    TEXT   NOT NULL REFERENCES accounts (id),
    object_key    TEXT   NOT NULL,
    content_type  TEXT   NOT NULL,
    max_bytes     BIGINT NOT NULL,
    -- The length that the caller announced; null when there was none.
    exact_bytes   BIGINT,
    created_at    BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL,
    -- How large the file is; null until it is known to be there.
    size          BIGINT
);
CREATE INDEX uploads_not_seen ON uploads (expires_at) WHERE size IS NULL;
