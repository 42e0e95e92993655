-- The span that a job began in, as W3C's traceparent names it: whoever works on the job hangs theirs below. Null where
-- nothing is traced.
ALTER TABLE jobs ADD COLUMN trace_parent TEXT;
