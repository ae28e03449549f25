// Defines the tables of a PostgreSQL state. They have the names of tables and columns of an SQLite state. Records are text: canonical JSON
// holds no NUL and no half of a surrogate pair, because JSON escapes both. Texts of files are bytes, because they may hold
// NULs. All text is compared by its bytes, whatever the collation of the database.
export const TABLES = String.raw`
CREATE TABLE identity (name text PRIMARY KEY, value text NOT NULL);

-- Where the trail ends. Whoever writes holds the lock of this row from the first statement to the commit.
CREATE TABLE head (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  seq bigint NOT NULL,
  sha256 text NOT NULL
);
INSERT INTO head (seq, sha256) VALUES (0, repeat('0', 64));

-- A record as jsonb, which takes neither NULs nor halves of surrogate pairs: for the columns that are read from it. It is not
-- STRICT, because then it could not be made part of the statement that calls it, and would take ten times as long.
CREATE FUNCTION facts(record text) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (CASE WHEN strpos(record, '\u') = 0 THEN record
    ELSE regexp_replace(record, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g') END)::jsonb
$$;

CREATE TABLE trail (
  seq bigint PRIMARY KEY,
  prev text NOT NULL,
  sha256 text NOT NULL,
  record text NOT NULL,
  action text COLLATE "C" GENERATED ALWAYS AS (facts(record) ->> 'action') STORED,
  outcome text COLLATE "C" GENERATED ALWAYS AS (facts(record) ->> 'outcome') STORED,
  preview text COLLATE "C" GENERATED ALWAYS AS (facts(record) ->> 'preview') STORED,
  change_id text COLLATE "C" GENERATED ALWAYS AS (facts(record) ->> 'change_id') STORED
);
CREATE INDEX trail_by_preview ON trail (preview, action, outcome) WHERE preview IS NOT NULL;
CREATE INDEX trail_by_change ON trail (change_id, outcome) WHERE change_id IS NOT NULL;

CREATE TABLE texts (sha256 text COLLATE "C" PRIMARY KEY, bytes bytea NOT NULL);

-- used_by: the id of a preview or a change. size: of the text, in bytes.
CREATE TABLE text_uses (
  used_by text COLLATE "C" NOT NULL,
  sha256 text COLLATE "C" NOT NULL REFERENCES texts (sha256),
  size bigint NOT NULL,
  PRIMARY KEY (used_by, sha256)
);
CREATE INDEX text_uses_by_text ON text_uses (sha256);

-- What a record says stands in columns that are filled when it is added.
CREATE TABLE previews (
  position bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" PRIMARY KEY,
  size bigint NOT NULL,
  roots text COLLATE "C" NOT NULL,
  policy text COLLATE "C" NOT NULL,
  approval text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  expires_at text COLLATE "C" NOT NULL,
  record text NOT NULL
);
CREATE INDEX previews_by_kind ON previews (roots, (approval = 'human'), size);
CREATE INDEX previews_by_expiry ON previews (expires_at);

CREATE TABLE changes (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  size bigint NOT NULL,
  ended bigint REFERENCES trail (seq),
  roots text COLLATE "C" NOT NULL,
  at text COLLATE "C" NOT NULL,
  reverts text COLLATE "C",
  record text NOT NULL,
  exact text
);
CREATE INDEX changes_by_roots ON changes (roots, position);
CREATE INDEX changes_by_size ON changes (position) INCLUDE (size);
CREATE INDEX changes_open ON changes (id) WHERE ended IS NULL;
CREATE INDEX changes_by_reverted ON changes (reverts) WHERE reverts IS NOT NULL;
`;

/** The third version: a text has its hash, whatever an account sends. What had another one could never be read, and goes. */
export const TRUE_TEXTS = `
DELETE FROM text_uses USING texts
WHERE texts.sha256 = text_uses.sha256 AND texts.sha256 <> encode(pg_catalog.sha256(bytes), 'hex');
DELETE FROM texts WHERE sha256 <> encode(pg_catalog.sha256(bytes), 'hex');
ALTER TABLE texts ADD CONSTRAINT texts_have_their_hash CHECK (sha256 = encode(pg_catalog.sha256(bytes), 'hex'));
`;
