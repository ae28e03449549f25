// The rows of previews and of their masked bases, in a limited number. Their columns are for finding them; the events say what became of
// each. All times have one form, so that they compare as text.
import { SHORT_LENGTH } from './canonical.ts';
import { countIn, type Row, type Rows, type SqlValue, type Turns, textIn } from './driver.ts';
import { decodeEvent, type Event, type ListedChange, listedChange } from './event.ts';
import {
  APPROVALS,
  bytesOf,
  decodeBody,
  type EncodedPreview,
  isWhole,
  type Preview,
  withBases,
} from './preview.ts';
import { recordedIn } from './trail.ts';

export interface Bounds {
  readonly previews: number;
  readonly totalBytes: number;
}

/** The limits for writes that have ended. The newest stay, and all that have not ended. */
const CHANGE_BOUNDS: Bounds = { previews: 2_000, totalBytes: 224e6 };
/** More than needed is removed at once, so that not every new preview has to look. */
const SHARE_LEFT = 0.9;

export interface WaitingPreview extends Pick<Preview, 'roots' | 'policy' | 'approval'> {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly isDecided: boolean;
}

/** The condition that the trail has an event of these types about a preview. */
const HAS = (...types: readonly Event['type'][]) =>
  `EXISTS (SELECT 1 FROM trail WHERE about = substr(previews.id, 1, ${SHORT_LENGTH})
     AND type IN (${types.map((type) => `'${type}'`).join(', ')}))`;

/** Inserts a preview with the number of its event. */
export async function insertPreview(
  rows: Rows,
  seq: number,
  { id, body, preview, sizeBytes }: EncodedPreview,
): Promise<void> {
  const { roots, policy, approval, created_at, expires_at } = preview;
  await rows(
    `INSERT INTO previews (seq, id, state, roots, policy, approval, created_at, expires_at, size, body)
     VALUES ($1, $2, 'waiting', $3, $4, $5, $6, $7, $8, $9)`,
    ...[seq, id, roots, policy, approval, created_at, expires_at, sizeBytes, body],
  );
  if (isWhole(preview))
    await insertTexts(
      rows,
      seq,
      preview.files.map(({ base }) => base),
    );
}

/** Keeps the bases of a preview that was kept without them. */
export async function addTexts(rows: Rows, seq: number, bases: readonly string[]): Promise<void> {
  const inserted = await insertTexts(rows, seq, bases);
  if (inserted.length > 0)
    await rows('UPDATE previews SET size = size + $1 WHERE seq = $2', bytesOf(bases), seq);
}

function insertTexts(rows: Rows, seq: number, bases: readonly string[]): ReturnType<Rows> {
  const insert = 'INSERT INTO texts (seq, bases) VALUES ($1, $2) ON CONFLICT (seq) DO NOTHING RETURNING seq';
  return rows(insert, seq, JSON.stringify(bases));
}

/** Returns a preview with its texts; undefined if it is not kept, and `preview` undefined if it is another one. */
export async function keptAt(
  rows: Rows,
  { seq, id }: { readonly seq: number; readonly id: string },
  turns: Turns,
): Promise<{ readonly preview: Preview | undefined } | undefined> {
  const [row] = await rows(
    'SELECT state, body, bases FROM previews LEFT JOIN texts ON texts.seq = previews.seq WHERE previews.seq = $1',
    seq,
  );
  if (row === undefined) return undefined;
  const preview = decodeBody(id, textIn(row, 'body'));
  await turns.next();
  const mayLack = preview?.approval !== 'human' && row['state'] === 'waiting';
  if (row['bases'] === null) return { preview: mayLack ? preview : undefined };
  return { preview: preview && withBases(preview, textIn(row, 'bases')) };
}

/**
 * Removes previews of the same kind until the bounds hold: first rejected ones, then expired ones, then the oldest. Of those that wait
 * for a person, none that could still be applied. Returns whether the bounds hold.
 */
export function makeRoom(
  rows: Rows,
  { id, preview: { roots, approval } }: EncodedPreview,
  now: string,
  bounds: Bounds,
): Promise<boolean> {
  const isForPerson = approval === 'human';
  const kind = `state = 'waiting' AND roots = $1 AND approval ${isForPerson ? '=' : '<>'} 'human'`;
  const rank = `CASE WHEN ${HAS('rejected')} THEN 0 WHEN expires_at <= $2 THEN 1 ELSE 2 END`;
  const which = `${kind} AND id <> $3 ${isForPerson ? `AND ${rank} < 2` : ''} ORDER BY ${rank}, created_at, id`;
  return drop(rows, { where: kind, values: [roots] }, { where: which, values: [roots, now, id] }, bounds);
}

/** Removes the oldest writes that have ended, if there are too many. */
export async function dropOldWrites(rows: Rows): Promise<void> {
  const ended = "begun IS NOT NULL AND state <> 'open' ORDER BY begun";
  await drop(rows, { where: 'begun IS NOT NULL' }, { where: ended }, CHANGE_BOUNDS);
}

interface Selected {
  readonly where: string;
  readonly values?: readonly SqlValue[];
}

/** Removes some of these previews, in their order, if all that are counted exceed the bounds. Returns whether the bounds hold then. */
async function drop(rows: Rows, counted: Selected, these: Selected, bounds: Bounds): Promise<boolean> {
  const [sum] = await rows(
    `SELECT count(*) AS count, CAST(coalesce(sum(size), 0) AS BIGINT) AS bytes FROM previews WHERE ${counted.where}`,
    ...(counted.values ?? []),
  );
  let [count, bytes] = [countIn(sum, 'count'), countIn(sum, 'bytes')];
  const isWithin = (share: number) => count <= bounds.previews * share && bytes <= bounds.totalBytes * share;
  if (isWithin(1)) return true;
  const found = await rows(`SELECT seq, size FROM previews WHERE ${these.where}`, ...(these.values ?? []));
  for (const row of found) {
    if (isWithin(SHARE_LEFT)) break;
    await rows('DELETE FROM previews WHERE seq = $1', countIn(row, 'seq'));
    count -= 1;
    bytes -= countIn(row, 'size');
  }
  return isWithin(1);
}

/** Returns the writes about whose beginning or end the trail says something else. */
export async function unrecorded(rows: Rows): Promise<readonly string[]> {
  const found = await rows(
    `SELECT id FROM previews WHERE begun IS NOT NULL
     AND (NOT EXISTS (SELECT 1 FROM trail
            WHERE trail.seq = begun AND about = substr(id, 1, ${SHORT_LENGTH}) AND type = 'begun')
       OR (state = 'open') = ${HAS('applied', 'unknown')})`,
  );
  return found.map((row) => textIn(row, 'id'));
}

/** Returns the previews of any roots that nobody has begun to apply, oldest first. */
export async function waitingPreviews(rows: Rows): Promise<readonly WaitingPreview[]> {
  const found = await rows(
    `SELECT id, roots, policy, approval, created_at, expires_at,
       CASE WHEN ${HAS('approved', 'rejected', 'split')} THEN 1 ELSE 0 END AS decided
     FROM previews WHERE state = 'waiting' ORDER BY created_at, id`,
  );
  return found.flatMap(waitingIn);
}

function waitingIn(row: Row): readonly WaitingPreview[] {
  const approval = APPROVALS.find((level) => level === row['approval']);
  if (approval === undefined) return [];
  const [id, roots, policy] = [textIn(row, 'id'), textIn(row, 'roots'), textIn(row, 'policy')];
  const [createdAt, expiresAt] = [textIn(row, 'created_at'), textIn(row, 'expires_at')];
  return [{ id, roots, policy, approval, createdAt, expiresAt, isDecided: countIn(row, 'decided') === 1 }];
}

/** A write without an end, and the files that it is about. */
export interface OpenWrite {
  readonly id: string;
  readonly roots: string;
  readonly since: string;
  readonly files: readonly string[];
}

/** What is listed: the newest of these roots, or of all, that came before the one with this `order`. */
export interface Scope {
  readonly roots: string | undefined;
  readonly before?: number | undefined;
  readonly most: number;
}

/** No event has a higher number. */
const LAST = 2 ** 31 - 1;

/** The writes that have begun, each with the event of its beginning. */
const BEGUN = `FROM previews JOIN trail ON trail.seq = begun WHERE begun IS NOT NULL`;

/** Lists writes, newest first. */
export async function listedWrites(
  rows: Rows,
  { roots, before, most }: Scope,
): Promise<readonly ListedChange[]> {
  const found = await rows(
    `SELECT trail.*, state, (SELECT body FROM trail AS later WHERE later.about = trail.about AND later.type = 'undone'
       ORDER BY later.seq DESC LIMIT 1) AS undone
     ${BEGUN} AND begun < $1 AND roots = coalesce($2, roots) ORDER BY begun DESC LIMIT $3`,
    ...[before ?? LAST, roots ?? null, most],
  );
  return found.flatMap((row) => {
    const undone = row['undone'] === null ? undefined : decodeEvent(textIn(row, 'undone'));
    return listedChange(recordedIn(row), row['state'], undone) ?? [];
  });
}

export async function openWrites(rows: Rows): Promise<readonly OpenWrite[]> {
  const found = await rows(`SELECT trail.*, id, roots ${BEGUN} AND state = 'open' ORDER BY begun`);
  return found.map((row) => {
    const { files, time: since } = recordedIn(row).event;
    const [id, roots] = [textIn(row, 'id'), textIn(row, 'roots')];
    return { id, roots, since, files: files.map(({ file }) => file) };
  });
}
