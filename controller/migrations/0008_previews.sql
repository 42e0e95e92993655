-- Payloads resolved without rendering, the jobs that draw them, and the lane that those wait in.

CREATE TABLE previews (
    id               TEXT   PRIMARY KEY,
    account_id       TEXT   NOT NULL REFERENCES accounts (id),
    name             TEXT   NOT NULL,
    composition_json TEXT   NOT NULL,
    width            BIGINT NOT NULL,
    height           BIGINT NOT NULL,
    fps              BIGINT NOT NULL,
    duration_in_frames BIGINT NOT NULL,
    -- Where clients reached the gateway when they asked for the preview.
    public_url       TEXT   NOT NULL,
    created_at       BIGINT NOT NULL,
    expires_at       BIGINT NOT NULL,
    -- When to look at it next after it has expired: first its objects go, later its rows.
    sweep_at         BIGINT NOT NULL,
    is_swept         BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX previews_to_sweep ON previews (sweep_at);

-- What a preview's job shows: video, grid or frame:N. One job for each is enough for everybody who looks.
ALTER TABLE jobs ADD COLUMN wanted TEXT;
-- Each side is divided by this.
ALTER TABLE jobs ADD COLUMN reduce BIGINT NOT NULL DEFAULT 1;
-- A JSON array of frame numbers, for jobs that draw stills.
ALTER TABLE jobs ADD COLUMN stills TEXT;
CREATE UNIQUE INDEX jobs_of_previews ON jobs (preview_id, wanted);

ALTER TABLE nodes ADD COLUMN preview_slots BIGINT NOT NULL DEFAULT 0;

DROP INDEX tasks_in_queue;
CREATE INDEX tasks_in_queue ON tasks (state, lane, queued_at, job_id, position);
