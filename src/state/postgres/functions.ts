// The functions of a PostgreSQL state: one for each operation that writes, so that it is one statement, and one transaction
// without a session, which a pooler may hand to any connection. They run with the rights of the schema's owner; the role of a
// server can call them, and cannot write in any other way.

/** The functions that a server calls. */
export const SERVER_FUNCTIONS = [
  'require_same',
  'change_of',
  'status_of',
  'texts_of',
  'keep_preview',
  'drop_preview',
  'drop_expired',
  'record_decision',
  'begin_change',
  'end_change',
  'append',
] as const;

const WRITES = (schema: string) => `LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp`;

/** `schema`: quoted. */
export const functionsOf = (schema: string): string => String.raw`
CREATE TYPE trail_point AS (seq bigint, sha256 text);
CREATE TYPE seen AS (version integer, seq bigint, sha256 text);
CREATE TYPE named_text AS (sha256 text, bytes bytea);

CREATE FUNCTION hash_of(seq bigint, prev text, record text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT encode(sha256(convert_to(seq || E'\n' || prev || E'\n' || record, 'UTF8')), 'hex')
$$;

-- Whether the schema and the trail are those that the caller has seen.
CREATE FUNCTION require_same(known seen) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = ${schema}, pg_temp AS $$
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
CREATE FUNCTION lock_head(known seen) RETURNS void ${WRITES(schema)} AS $$
BEGIN
  PERFORM set_config('lock_timeout', '5s', true);
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  PERFORM FROM head FOR UPDATE;
  PERFORM require_same(known);
END $$;

CREATE FUNCTION append_records(records text[]) RETURNS trail_point ${WRITES(schema)} AS $$
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
LANGUAGE plpgsql STABLE SET search_path = ${schema}, pg_temp AS $$
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

-- Previews, and the changes that apply them or have applied them.
CREATE VIEW used_previews AS
  SELECT seq, preview, change_id FROM trail AS begun
  WHERE action = 'commit' AND outcome = 'intent' AND NOT EXISTS (
    SELECT FROM trail AS ended WHERE ended.change_id = begun.change_id AND ended.outcome = 'rolled_back');

CREATE FUNCTION change_of(preview_id text) RETURNS text
LANGUAGE sql STABLE SET search_path = ${schema}, pg_temp AS $$
  SELECT change_id FROM used_previews WHERE preview = preview_id ORDER BY seq DESC LIMIT 1
$$;

CREATE FUNCTION status_of(preview_id text) RETURNS json
LANGUAGE sql STABLE SET search_path = ${schema}, pg_temp AS $$
  SELECT json_build_object(
    'decisions', coalesce(json_agg(json_build_object('action', action, 'record', record) ORDER BY seq), '[]'),
    'decidedAt', coalesce(max(seq), 0),
    'changeId', change_of(preview_id))
  FROM trail WHERE preview = preview_id AND action IN ('approve', 'part', 'reject')
$$;

-- encoded: in base 64, because bytes go to the server as twice as many digits otherwise.
CREATE FUNCTION texts_of(hashes text[], encoded text[]) RETURNS named_text[]
LANGUAGE sql IMMUTABLE SET search_path = ${schema}, pg_temp AS $$
  SELECT array_agg(ROW(hash, decode(base64, 'base64'))::named_text) FROM unnest(hashes, encoded) AS each(hash, base64)
$$;

CREATE FUNCTION add_texts(user_id text, read_texts named_text[]) RETURNS void ${WRITES(schema)} AS $$
BEGIN
  INSERT INTO texts SELECT * FROM unnest(read_texts) ON CONFLICT DO NOTHING;
  INSERT INTO text_uses SELECT user_id, sha256, length(bytes) FROM unnest(read_texts);
END $$;

-- The texts that only these previews or changes use go with them.
CREATE FUNCTION drop_texts(user_ids text[]) RETURNS void ${WRITES(schema)} AS $$
DECLARE
  hashes text[];
BEGIN
  WITH gone AS (DELETE FROM text_uses WHERE used_by = ANY (user_ids) RETURNING sha256)
  SELECT array_agg(DISTINCT sha256) INTO hashes FROM gone;
  DELETE FROM texts WHERE sha256 = ANY (hashes)
    AND NOT EXISTS (SELECT FROM text_uses WHERE text_uses.sha256 = texts.sha256);
END $$;

CREATE FUNCTION add_preview(new_id text, line text, bytes bigint, read_texts named_text[]) RETURNS void
${WRITES(schema)} AS $$
DECLARE
  fact jsonb := facts(line);
BEGIN
  INSERT INTO previews (id, size, roots, policy, approval, created_at, expires_at, record)
  VALUES (new_id, bytes, fact ->> 'roots', fact ->> 'policy', fact ->> 'approval', fact ->> 'created_at',
    fact ->> 'expires_at', line);
  PERFORM add_texts(new_id, read_texts);
END $$;

CREATE FUNCTION drop_previews(ids text[]) RETURNS void ${WRITES(schema)} AS $$
BEGIN
  DELETE FROM previews WHERE id = ANY (ids);
  PERFORM drop_texts(ids);
END $$;

-- Of all previews of a kind, with each text counted once.
CREATE FUNCTION is_within(of_roots text, for_person boolean, most_previews float8, most_bytes float8) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = ${schema}, pg_temp AS $$
DECLARE
  previews_kept bigint;
  bytes_kept bigint;
BEGIN
  SELECT count(*), coalesce(sum(size), 0) INTO previews_kept, bytes_kept FROM previews
  WHERE roots = of_roots AND (approval = 'human') = for_person;
  IF previews_kept > most_previews OR bytes_kept <= most_bytes THEN
    RETURN previews_kept <= most_previews;
  END IF;
  SELECT bytes_kept - coalesce(sum(size * (uses - 1)), 0) INTO bytes_kept FROM (
    SELECT text_uses.size, count(*) AS uses FROM previews JOIN text_uses ON used_by = id
    WHERE roots = of_roots AND (approval = 'human') = for_person GROUP BY sha256, text_uses.size) AS each_text;
  RETURN bytes_kept <= most_bytes;
END $$;

-- Whether it has changes that have begun to apply it, and these have ended so.
CREATE FUNCTION is_applied(preview_id text) RETURNS boolean
LANGUAGE sql STABLE SET search_path = ${schema}, pg_temp AS $$
  SELECT EXISTS (SELECT FROM trail AS begun JOIN trail AS ended ON ended.change_id = begun.change_id
    WHERE begun.preview = preview_id AND begun.action = 'commit' AND begun.outcome = 'intent'
    AND ended.outcome IN ('applied', 'unknown'))
$$;

CREATE FUNCTION make_room(new_id text, most_previews bigint, most_bytes bigint, now text) RETURNS boolean
${WRITES(schema)} AS $$
DECLARE
  added previews;
  for_person boolean;
  other record;
BEGIN
  SELECT * INTO added FROM previews WHERE id = new_id;
  for_person := added.approval = 'human';
  IF is_within(added.roots, for_person, most_previews, most_bytes) THEN RETURN true; END IF;
  FOR other IN
    SELECT id, CASE WHEN is_applied(id) OR EXISTS (SELECT FROM trail WHERE preview = id AND action = 'reject') THEN 0
      WHEN expires_at <= now THEN 1 ELSE 2 END AS rank
    FROM previews WHERE roots = added.roots AND (approval = 'human') = for_person AND id <> new_id
    ORDER BY rank, created_at, position
  LOOP
    -- More than needed goes at once, so that not each of many previews has to look.
    EXIT WHEN other.rank = 2
      AND (for_person OR is_within(added.roots, for_person, most_previews * 0.9, most_bytes * 0.9));
    PERFORM drop_previews(ARRAY[other.id]);
  END LOOP;
  RETURN is_within(added.roots, for_person, most_previews, most_bytes);
END $$;

CREATE FUNCTION keep_preview(known seen, new_id text, line text, bytes bigint, read_texts named_text[],
  most_previews bigint, most_bytes bigint, now text, event text) RETURNS trail_point
${WRITES(schema)} AS $$
DECLARE
  done trail_point;
BEGIN
  PERFORM lock_head(known);
  done := point_of(event);
  IF done IS NOT NULL THEN RETURN done; END IF;
  PERFORM add_preview(new_id, line, bytes, read_texts);
  IF NOT make_room(new_id, most_previews, most_bytes, now) THEN
    RAISE EXCEPTION 'no room' USING ERRCODE = 'YA003';
  END IF;
  RETURN append_records(ARRAY[event]);
END $$;

CREATE FUNCTION drop_preview(known seen, preview_id text) RETURNS void ${WRITES(schema)} AS $$
BEGIN
  PERFORM lock_head(known);
  PERFORM drop_previews(ARRAY[preview_id]);
END $$;

CREATE FUNCTION drop_expired(known seen, now text) RETURNS void ${WRITES(schema)} AS $$
BEGIN
  PERFORM lock_head(known);
  PERFORM drop_previews(ARRAY(SELECT id FROM previews WHERE expires_at <= now));
END $$;

CREATE FUNCTION record_decision(known seen, preview_id text, event text) RETURNS trail_point ${WRITES(schema)} AS $$
DECLARE
  done trail_point;
BEGIN
  PERFORM lock_head(known);
  done := point_of(event);
  IF done IS NOT NULL OR change_of(preview_id) IS NOT NULL THEN RETURN done; END IF;
  RETURN append_records(ARRAY[event]);
END $$;

CREATE FUNCTION drop_changes(ids text[]) RETURNS void ${WRITES(schema)} AS $$
BEGIN
  DELETE FROM changes WHERE id = ANY (ids);
  PERFORM drop_texts(ids);
END $$;

CREATE FUNCTION add_change(new_id text, line text, bytes bigint, exact_files text, read_texts named_text[]) RETURNS void
${WRITES(schema)} AS $$
DECLARE
  fact jsonb := facts(line);
BEGIN
  INSERT INTO changes (id, size, roots, at, reverts, record, exact)
  VALUES (new_id, bytes, fact ->> 'roots', fact ->> 'at', fact #>> '{origin,change_id}', line, exact_files);
  PERFORM add_texts(new_id, read_texts);
END $$;

-- The newest stay. Those that have not ended do, too.
CREATE FUNCTION make_room_for_changes(most_changes bigint, most_bytes bigint) RETURNS void ${WRITES(schema)} AS $$
DECLARE
  changes_kept bigint;
  bytes_kept bigint;
  oldest record;
BEGIN
  SELECT count(*), coalesce(sum(size), 0) INTO changes_kept, bytes_kept FROM changes;
  WHILE changes_kept > most_changes OR bytes_kept > most_bytes LOOP
    SELECT id, size INTO oldest FROM changes WHERE ended IS NOT NULL ORDER BY position LIMIT 1;
    EXIT WHEN NOT FOUND;
    PERFORM drop_changes(ARRAY[oldest.id]);
    changes_kept := changes_kept - 1;
    bytes_kept := bytes_kept - oldest.size;
  END LOOP;
END $$;

-- claimed: the preview that the change applies, if any. An answer without a point: it was used by that change, or somebody has
-- decided.
CREATE FUNCTION begin_change(known seen, new_id text, line text, bytes bigint, exact_files text, read_texts named_text[],
  most_changes bigint, most_bytes bigint, event text, claimed text, whole text, decided_at bigint,
  OUT used_by text, OUT seq bigint, OUT sha256 text) ${WRITES(schema)} AS $$
BEGIN
  PERFORM lock_head(known);
  SELECT * INTO seq, sha256 FROM point_of(event);
  IF seq IS NOT NULL THEN RETURN; END IF;
  IF claimed IS NOT NULL THEN
    used_by := change_of(claimed);
    IF used_by IS NOT NULL
      OR EXISTS (SELECT FROM trail WHERE preview = whole AND action = 'reject')
      OR decided_at IS DISTINCT FROM (status_of(claimed) ->> 'decidedAt')::bigint
    THEN RETURN; END IF;
  END IF;
  PERFORM add_change(new_id, line, bytes, exact_files, read_texts);
  PERFORM make_room_for_changes(most_changes, most_bytes);
  SELECT * INTO seq, sha256 FROM append_records(ARRAY[event]);
END $$;

CREATE FUNCTION end_change(known seen, changed_id text, event text) RETURNS trail_point ${WRITES(schema)} AS $$
DECLARE
  done trail_point;
BEGIN
  PERFORM lock_head(known);
  -- Another process may have brought it to its end.
  IF NOT EXISTS (SELECT FROM changes WHERE id = changed_id AND ended IS NULL) THEN
    done := point_of(event);
    IF done IS NULL THEN SELECT seq, sha256 INTO done FROM head; END IF;
    RETURN done;
  END IF;
  done := append_records(ARRAY[event]);
  IF facts(event) ->> 'outcome' = 'rolled_back' THEN
    PERFORM drop_changes(ARRAY[changed_id]);
  ELSE
    UPDATE changes SET ended = done.seq WHERE id = changed_id;
  END IF;
  RETURN done;
END $$;

CREATE FUNCTION append(known seen, records text[]) RETURNS trail_point ${WRITES(schema)} AS $$
BEGIN
  PERFORM lock_head(known);
  RETURN append_records(records);
END $$;

-- event is the record in two parts: between them stands how many were erased.
CREATE FUNCTION erase_before(known seen, before text, event text[]) RETURNS TABLE (erased bigint, seq bigint, sha256 text)
${WRITES(schema)} AS $$
DECLARE
  ids text[];
BEGIN
  PERFORM lock_head(known);
  ids := ARRAY(SELECT id FROM changes WHERE changes.ended IS NOT NULL AND at < before);
  PERFORM drop_changes(ids);
  erased := cardinality(ids);
  SELECT * INTO seq, sha256 FROM append_records(ARRAY[event[1] || erased || event[2]]);
  RETURN NEXT;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${schema} FROM PUBLIC;
`;
