// Defines the SQL functions of a PostgreSQL state for changes.
import { reads, writes } from './language.ts';

/** Answers the statements; `schema` is quoted. */
export const CHANGES = (schema: string): string => `
CREATE FUNCTION drop_changes(ids text[]) RETURNS void ${writes(schema)} AS $$
BEGIN
  DELETE FROM changes WHERE id = ANY (ids);
  PERFORM drop_texts(ids);
END $$;

-- All but their texts and their secrets.
CREATE VIEW listed_changes AS
  SELECT position, id, roots, record, (SELECT outcome FROM trail WHERE seq = ended) AS outcome,
    (SELECT (array_agg(later.id ORDER BY later.position DESC))[1] FROM changes AS later
     WHERE later.reverts = changes.id AND later.ended IS NOT NULL) AS undone_by
  FROM changes;

-- By the beginning of its id; NULL for none, or for several.
CREATE FUNCTION find_change(prefix text) RETURNS json ${reads(schema)} AS $$
DECLARE
  ids text[] := ARRAY(SELECT id FROM changes WHERE id >= prefix AND id < prefix || '{' LIMIT 2);
BEGIN
  IF cardinality(ids) <> 1 THEN RETURN NULL; END IF;
  RETURN (SELECT json_build_object('id', id, 'record', record, 'outcome', outcome, 'undone_by', undone_by,
    'texts', texts_used_by(id)) FROM listed_changes WHERE id = ids[1]);
END $$;

CREATE FUNCTION add_change(new_id text, line text, bytes bigint, exact_files text, read_texts named_text[]) RETURNS void
${writes(schema)} AS $$
DECLARE
  fact jsonb := facts(line);
BEGIN
  INSERT INTO changes (id, size, roots, at, reverts, record, exact)
  VALUES (new_id, bytes, fact ->> 'roots', fact ->> 'at', fact #>> '{origin,change_id}', line, exact_files);
  PERFORM add_texts(new_id, read_texts);
END $$;

-- The newest stay. Those that have not ended do, too.
CREATE FUNCTION make_room_for_changes(most_changes bigint, most_bytes bigint) RETURNS void ${writes(schema)} AS $$
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
  OUT used_by text, OUT seq bigint, OUT sha256 text) ${writes(schema)} AS $$
BEGIN
  PERFORM lock_head(known);
  SELECT * INTO seq, sha256 FROM point_of(event);
  IF seq IS NOT NULL THEN RETURN; END IF;
  IF claimed IS NOT NULL THEN
    used_by := change_of(claimed);
    IF used_by IS NOT NULL
      OR EXISTS (SELECT FROM trail WHERE preview = whole AND action IN ('reject', 'replace'))
      OR decided_at IS DISTINCT FROM (status_of(claimed) ->> 'decidedAt')::bigint
    THEN RETURN; END IF;
  END IF;
  PERFORM add_change(new_id, line, bytes, exact_files, read_texts);
  PERFORM make_room_for_changes(most_changes, most_bytes);
  SELECT * INTO seq, sha256 FROM append_records(ARRAY[event]);
END $$;

CREATE FUNCTION end_change(known seen, changed_id text, event text) RETURNS trail_point ${writes(schema)} AS $$
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

-- event is the record in two parts: between them stands how many were erased.
CREATE FUNCTION erase_before(known seen, before text, event text[]) RETURNS TABLE (erased bigint, seq bigint, sha256 text)
${writes(schema)} AS $$
DECLARE
  ids text[];
  previews_of_then text[];
BEGIN
  PERFORM lock_head(known);
  ids := ARRAY(SELECT id FROM changes WHERE changes.ended IS NOT NULL AND at < before);
  PERFORM drop_changes(ids);
  previews_of_then := ARRAY(SELECT id FROM previews WHERE created_at < before);
  PERFORM drop_previews(previews_of_then);
  erased := cardinality(ids) + cardinality(previews_of_then);
  SELECT * INTO seq, sha256 FROM append_records(ARRAY[event[1] || erased || event[2]]);
  RETURN NEXT;
END $$;
`;
