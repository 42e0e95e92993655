-- Compositions to render again and again: templates for everybody, projects of an account. What lists
-- show is kept beside the composition, so that a list never reads whole documents.

CREATE TABLE templates (
    id                 TEXT   PRIMARY KEY,
    name               TEXT   NOT NULL,
    description        TEXT   NOT NULL,
    category           TEXT   NOT NULL,
    thumbnail_url      TEXT,
    preview_video_url  TEXT,
    credits_per_minute BIGINT NOT NULL,
    -- Pictures of our own are written asset:<file>; they become URLs when read.
    composition_json   TEXT   NOT NULL,
    variables_json     TEXT   NOT NULL,
    is_public          BIGINT NOT NULL,
    -- SHA-256 of the file that a built-in template came from; null when an operator imported it.
    source_hash        TEXT,
    created_at         BIGINT NOT NULL,
    updated_at         BIGINT NOT NULL
);

CREATE TABLE projects (
    id                 TEXT   PRIMARY KEY,
    account_id         TEXT   NOT NULL REFERENCES accounts (id),
    name               TEXT   NOT NULL,
    description        TEXT,
    template_id        TEXT   REFERENCES templates (id),
    -- As in templates, pictures of our own are written asset:<file>.
    composition_json   TEXT   NOT NULL,
    -- Where the service was reached when the project was made.
    public_url         TEXT   NOT NULL,
    variables_json     TEXT   NOT NULL,
    is_dynamic         BIGINT NOT NULL,
    width              BIGINT NOT NULL,
    height             BIGINT NOT NULL,
    fps                BIGINT NOT NULL,
    duration_in_frames BIGINT NOT NULL,
    created_at         BIGINT NOT NULL,
    updated_at         BIGINT NOT NULL
);
CREATE INDEX projects_by_account ON projects (account_id, created_at);

ALTER TABLE jobs ADD COLUMN project_id TEXT REFERENCES projects (id);
-- Where clients reached the gateway when they asked for the job.
ALTER TABLE jobs ADD COLUMN public_url TEXT NOT NULL DEFAULT '';
-- 'render' or 'preview'; previews are shown in no list and cost nothing.
ALTER TABLE jobs ADD COLUMN lane TEXT NOT NULL DEFAULT 'render';
ALTER TABLE jobs ADD COLUMN preview_id TEXT;
ALTER TABLE tasks ADD COLUMN lane TEXT NOT NULL DEFAULT 'render';
