// Defines the SQL functions of a PostgreSQL state for its trail: the lock that all writers take, the chain, and the status of previews.
import { reads, writes } from './language.ts';

/** Answers the statements; `schema` is quoted. */
export const TRAIL = (schema: string): string => String.raw`
CREATE TYPE trail_point AS (seq bigint, sha256 text);
CREATE TYPE seen AS (version integer, seq bigint, sha256 text);
CREATE TYPE named_text AS (sha256 text, bytes bytea);

CREATE FUNCTION hash_of(seq bigint, prev text, record text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT encode(sha256(convert_to(seq::text || E'\n' || prev || E'\n' || record, 'UTF8')), 'hex')
$$;

-- Whether the schema and the trail are those that the caller has seen.
CREATE FUNCTION require_same(known seen) RETURNS void
${reads(schema)} AS $$
BEGIN
  IF (SELECT value FROM identity WHERE name = 'version')::integer IS DISTINCT FROM known.version THEN
    RAISE EXCEPTION 'another version of the schema' USING ERRCODE = 'YA001';
  END IF;
  IF known.seq > 0 AND NOT EXISTS (
    SELECT FROM trail WHERE trail.seq = known.seq AND trail.sha256 = known.sha256
      AND hash_of(trail.seq, trail.prev, trail.record) = known.sha256)
  THEN
    RAISE EXCEPTION 'another trail' USING ERRCODE = 'YA002';
  END IF;
END $$;

-- From here to the commit nobody else writes.
CREATE FUNCTION lock_head(known seen) RETURNS void ${writes(schema)} AS $$
BEGIN
  PERFORM set_config('lock_timeout', '5s', true);
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  PERFORM FROM head FOR UPDATE;
  PERFORM require_same(known);
END $$;

CREATE FUNCTION append_records(records text[]) RETURNS trail_point ${writes(schema)} AS $$
DECLARE
  last trail_point;
  text_of text;
BEGIN
  SELECT seq, sha256 INTO last FROM head;
  FOREACH text_of IN ARRAY records LOOP
    INSERT INTO trail (seq, prev, sha256, record)
    VALUES (last.seq + 1, last.sha256, hash_of(last.seq + 1, last.sha256, text_of), text_of)
    RETURNING seq, sha256 INTO last;
  END LOOP;
  UPDATE head SET seq = last.seq, sha256 = last.sha256;
  RETURN last;
END $$;

-- Where this record stands, which is about a preview or a change: then all that goes with it has been done before.
CREATE FUNCTION point_of(event text) RETURNS trail_point
${reads(schema)} AS $$
DECLARE
  fact jsonb := facts(event);
  found trail_point;
BEGIN
  IF fact ? 'change_id' THEN
    SELECT seq, sha256 INTO found FROM trail
    WHERE change_id = fact ->> 'change_id' AND outcome = fact ->> 'outcome' AND record = event;
  ELSE
    SELECT seq, sha256 INTO found FROM trail
    WHERE preview = fact ->> 'preview' AND action = fact ->> 'action' AND record = event;
  END IF;
  RETURN found;
END $$;

-- Previews, and the changes that apply them or have applied them. Whether a row is there is asked as a value, so that the server
-- looks it up for each row and reads no more of the trail, whatever it guesses about its contents. For the same reason nothing is
-- asked for as the first of an order: a server may then go through all of that order.
CREATE VIEW used_previews AS
  SELECT seq, preview, change_id FROM trail AS begun
  WHERE action = 'commit' AND outcome = 'intent' AND (
    (SELECT seq FROM trail AS ended WHERE ended.change_id = begun.change_id AND ended.outcome = 'rolled_back' LIMIT 1) IS NULL
    -- A later record that it was rolled back takes nothing back.
    OR (SELECT seq FROM trail AS ended WHERE ended.change_id = begun.change_id AND ended.outcome IN ('applied', 'unknown')
      LIMIT 1) IS NOT NULL);

CREATE FUNCTION change_of(preview_id text) RETURNS text
${reads(schema)} AS $$
BEGIN
  RETURN (SELECT (array_agg(change_id ORDER BY seq DESC))[1] FROM used_previews WHERE preview = preview_id);
END $$;

CREATE FUNCTION status_of(preview_id text) RETURNS json
${reads(schema)} AS $$
BEGIN
  RETURN (SELECT json_build_object(
    'decisions', coalesce(json_agg(json_build_object('action', action, 'record', record) ORDER BY seq), '[]'),
    'decidedAt', coalesce(max(seq), 0),
    'changeId', change_of(preview_id))
  FROM trail WHERE preview = preview_id AND action IN ('approve', 'part', 'reject', 'replace'));
END $$;

CREATE FUNCTION record_decision(known seen, preview_id text, event text) RETURNS trail_point ${writes(schema)} AS $$
DECLARE
  done trail_point;
BEGIN
  PERFORM lock_head(known);
  done := point_of(event);
  IF done IS NOT NULL OR change_of(preview_id) IS NOT NULL
    OR EXISTS (SELECT FROM trail WHERE preview = preview_id AND action = 'replace')
  THEN RETURN done; END IF;
  RETURN append_records(ARRAY[event]);
END $$;

CREATE FUNCTION append(known seen, records text[]) RETURNS trail_point ${writes(schema)} AS $$
BEGIN
  PERFORM lock_head(known);
  RETURN append_records(records);
END $$;
`;

/** Answers the statements for notices, each of which the trail has once. */
export const NOTICES = (schema: string): string => `
CREATE INDEX trail_by_notice ON trail ((facts(record) ->> 'notice')) WHERE facts(record) ->> 'notice' IS NOT NULL;

-- NULL where another record has the same notice.
CREATE FUNCTION claim_notice(known seen, event text) RETURNS trail_point ${writes(schema)} AS $$
DECLARE
  done trail_point;
  taken text;
BEGIN
  PERFORM lock_head(known);
  SELECT seq, sha256, record INTO done.seq, done.sha256, taken FROM trail
  WHERE facts(record) ->> 'notice' = facts(event) ->> 'notice' ORDER BY seq LIMIT 1;
  IF taken IS NULL THEN RETURN append_records(ARRAY[event]); END IF;
  -- The call was repeated after its answer was lost.
  IF taken = event THEN RETURN done; END IF;
  RETURN NULL;
END $$;
`;
