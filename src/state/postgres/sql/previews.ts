// Defines the SQL functions of a PostgreSQL state for previews, and for the texts of previews and changes.
import { reads, writes } from './language.ts';

/** Answers the statements; `schema` is quoted. */
export const PREVIEWS = (schema: string): string => `
-- encoded: in base 64, because bytes go to the server as twice as many digits otherwise.
CREATE FUNCTION texts_of(hashes text[], encoded text[]) RETURNS named_text[]
${reads(schema)} AS $$
BEGIN
  RETURN (SELECT array_agg(ROW(hash, decode(base64, 'base64'))::named_text)
    FROM unnest(hashes, encoded) AS each_text(hash, base64));
END $$;

CREATE FUNCTION texts_used_by(user_id text) RETURNS json ${reads(schema)} AS $$
BEGIN
  RETURN (SELECT json_object_agg(sha256, encode(bytes, 'base64')) FROM texts
    WHERE sha256 IN (SELECT sha256 FROM text_uses WHERE used_by = user_id));
END $$;

CREATE FUNCTION add_texts(user_id text, read_texts named_text[]) RETURNS void ${writes(schema)} AS $$
BEGIN
  INSERT INTO texts SELECT * FROM unnest(read_texts) ON CONFLICT DO NOTHING;
  INSERT INTO text_uses SELECT user_id, sha256, length(bytes) FROM unnest(read_texts);
END $$;

-- The texts that only these previews or changes use go with them.
CREATE FUNCTION drop_texts(user_ids text[]) RETURNS void ${writes(schema)} AS $$
DECLARE
  hashes text[];
BEGIN
  WITH gone AS (DELETE FROM text_uses WHERE used_by = ANY (user_ids) RETURNING sha256)
  SELECT array_agg(DISTINCT sha256) INTO hashes FROM gone;
  DELETE FROM texts WHERE sha256 = ANY (hashes)
    AND NOT EXISTS (SELECT FROM text_uses WHERE text_uses.sha256 = texts.sha256);
END $$;

CREATE FUNCTION add_preview(new_id text, line text, bytes bigint, read_texts named_text[]) RETURNS void
${writes(schema)} AS $$
DECLARE
  fact jsonb := facts(line);
BEGIN
  INSERT INTO previews (id, size, roots, policy, approval, created_at, expires_at, record)
  VALUES (new_id, bytes, fact ->> 'roots', fact ->> 'policy', fact ->> 'approval', fact ->> 'created_at',
    fact ->> 'expires_at', line);
  PERFORM add_texts(new_id, read_texts);
END $$;

CREATE FUNCTION drop_previews(ids text[]) RETURNS void ${writes(schema)} AS $$
BEGIN
  DELETE FROM previews WHERE id = ANY (ids);
  PERFORM drop_texts(ids);
END $$;

-- Of all previews of a kind, with each text counted once.
CREATE FUNCTION is_within(of_roots text, for_person boolean, most_previews float8, most_bytes float8) RETURNS boolean
${reads(schema)} AS $$
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
${reads(schema)} AS $$
BEGIN
  RETURN EXISTS (SELECT FROM trail AS begun WHERE preview = preview_id AND action = 'commit' AND outcome = 'intent' AND (
    SELECT seq FROM trail AS ended WHERE ended.change_id = begun.change_id AND ended.outcome IN ('applied', 'unknown') LIMIT 1
  ) IS NOT NULL);
END $$;

-- By the beginning of its id, also where the trail alone knows it; NULL for none, or for several.
CREATE FUNCTION find_preview(prefix text) RETURNS json ${reads(schema)} AS $$
DECLARE
  ids text[] := ARRAY(SELECT id FROM previews WHERE id >= prefix AND id < prefix || '{'
    UNION SELECT preview FROM trail WHERE preview >= prefix AND preview < prefix || '{' LIMIT 2);
BEGIN
  IF cardinality(ids) <> 1 THEN RETURN NULL; END IF;
  RETURN json_build_object('id', ids[1], 'record', (SELECT record FROM previews WHERE id = ids[1]),
    'texts', texts_used_by(ids[1]), 'status', status_of(ids[1]));
END $$;

CREATE FUNCTION waiting_previews() RETURNS TABLE (id text, roots text, policy text, approval text, created_at text,
  expires_at text, is_decided boolean) ${reads(schema)} AS $$
BEGIN
  RETURN QUERY SELECT kept.id, kept.roots, kept.policy, kept.approval, kept.created_at, kept.expires_at, EXISTS (
      SELECT FROM trail WHERE preview = kept.id AND action IN ('approve', 'part', 'reject'))
    FROM previews AS kept
    WHERE (SELECT change_id FROM used_previews WHERE preview = kept.id LIMIT 1) IS NULL
    ORDER BY kept.created_at, kept.position;
END $$;

CREATE FUNCTION make_room(new_id text, most_previews bigint, most_bytes bigint, now text) RETURNS boolean
${writes(schema)} AS $$
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

-- replaced: the preview whose place the new one takes, if any, and the record that says so.
CREATE FUNCTION keep_preview(known seen, new_id text, line text, bytes bigint, read_texts named_text[],
  most_previews bigint, most_bytes bigint, now text, event text, replaced text, replacement text) RETURNS trail_point
${writes(schema)} AS $$
DECLARE
  done trail_point;
BEGIN
  PERFORM lock_head(known);
  done := point_of(event);
  IF done IS NOT NULL THEN RETURN done; END IF;
  IF replaced IS NOT NULL THEN
    IF NOT EXISTS (SELECT FROM previews WHERE id = replaced) OR change_of(replaced) IS NOT NULL
      OR EXISTS (SELECT FROM trail WHERE preview = replaced AND action IN ('reject', 'replace')) THEN
      RAISE EXCEPTION 'gone' USING ERRCODE = 'YA004';
    END IF;
    PERFORM drop_previews(ARRAY[replaced]);
  END IF;
  PERFORM add_preview(new_id, line, bytes, read_texts);
  IF NOT make_room(new_id, most_previews, most_bytes, now) THEN
    RAISE EXCEPTION 'no room' USING ERRCODE = 'YA003';
  END IF;
  RETURN append_records(array_remove(ARRAY[replacement, event], NULL));
END $$;

CREATE FUNCTION drop_preview(known seen, preview_id text) RETURNS void ${writes(schema)} AS $$
BEGIN
  PERFORM lock_head(known);
  PERFORM drop_previews(ARRAY[preview_id]);
END $$;

CREATE FUNCTION drop_expired(known seen, now text) RETURNS void ${writes(schema)} AS $$
BEGIN
  PERFORM lock_head(known);
  PERFORM drop_previews(ARRAY(SELECT id FROM previews WHERE expires_at <= now));
END $$;
`;
