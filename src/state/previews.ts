// The rows of previews and of their masked bases, in a limited number.
import { parsedJson, sha256Hex } from './canonical-json.ts';
import { SHORT_LENGTH, shortOf } from './content-id.ts';
import type { Rows } from './driver.ts';
import type { Event } from './event.ts';
import { decodeBody, type EncodedPreview, isWhole, type Preview, type PreviewBody } from './preview.ts';
import { countIn, type Row, textIn } from './rows.ts';
import { changeOf, isClosed, type ListedChange, statusOf } from './status.ts';
import { eventsAbout, eventsOf, requireEvent } from './trail.ts';
import { APPROVALS } from './values.ts';

/** The limits for writes that have ended. The newest stay, and all that have not ended. */
const CHANGE_BOUNDS = { previews: 2_000, totalBytes: 224e6 };
/** More than needed is removed at once, so that not every new preview has to look. */
const SHARE_LEFT = 0.9;
/** No event has a higher number. */
const LAST = 2 ** 31 - 1;

export interface Bounds {
  readonly previews: number;
  readonly totalBytes: number;
}

export interface WaitingPreview {
  readonly id: string;
  readonly roots: string;
  readonly policy: string;
  readonly approval: Preview['approval'];
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly isDecided: boolean;
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
  const bytes = bases.reduce((sum, base) => sum + Buffer.byteLength(base), 0);
  if (await insertTexts(rows, seq, bases))
    await rows('UPDATE previews SET size = size + $1 WHERE seq = $2', bytes, seq);
}

/** Returns false if they are there. */
async function insertTexts(rows: Rows, seq: number, bases: readonly string[]): Promise<boolean> {
  const inserted = await rows(
    'INSERT INTO texts (seq, bases) VALUES ($1, $2) ON CONFLICT (seq) DO NOTHING RETURNING seq',
    ...[seq, JSON.stringify(bases)],
  );
  return inserted.length > 0;
}

/** Returns a preview with its texts; undefined if it is not kept, and `preview` undefined if it is another one. */
export async function keptAt(
  rows: Rows,
  seq: number,
  id: string,
): Promise<{ readonly preview: Preview | undefined } | undefined> {
  const [row] = await rows(
    'SELECT state, body, bases FROM previews LEFT JOIN texts ON texts.seq = previews.seq WHERE previews.seq = $1',
    seq,
  );
  if (row === undefined) return undefined;
  const body = decodeBody(id, textIn(row, 'body'));
  const mayLack = body?.approval !== 'human' && row['state'] === 'waiting';
  if (row['bases'] === null && mayLack) return { preview: body };
  return { preview: body && withBases(body, row['bases']) };
}

/** Returns the preview with its texts; undefined unless each is there and has its hash. */
function withBases(body: PreviewBody, text: unknown): Preview | undefined {
  const bases: unknown = typeof text === 'string' ? parsedJson(text) : undefined;
  if (!Array.isArray(bases)) return undefined;
  const files = body.files.flatMap((file, index) => {
    const base: unknown = bases[index];
    return typeof base === 'string' && sha256Hex(base) === file.base_sha256 ? [{ ...file, base }] : [];
  });
  return files.length === body.files.length ? { ...body, files } : undefined;
}

/** Removes previews of the same kind until the bounds hold: first rejected ones, then expired ones, then the oldest. Of those that wait for a person, none that could still be applied. */
export async function makeRoom(
  rows: Rows,
  { id, preview }: EncodedPreview,
  now: string,
  bounds: Bounds,
): Promise<boolean> {
  const { roots, approval } = preview;
  const isForPerson = approval === 'human';
  const kind = `state = 'waiting' AND roots = $1 AND approval ${isForPerson ? '=' : '<>'} 'human'`;
  let { count, bytes } = await sumOf(rows, kind, roots);
  const isWithin = (share: number) => count <= bounds.previews * share && bytes <= bounds.totalBytes * share;
  if (isWithin(1)) return true;
  const others = await rows(
    `SELECT seq, size, CASE WHEN ${HAS('rejected')} THEN 0 WHEN expires_at <= $2 THEN 1 ELSE 2 END AS rank
     FROM previews WHERE ${kind} AND id <> $3 ORDER BY rank, created_at, id`,
    ...[roots, now, id],
  );
  for (const row of others) {
    if (countIn(row, 'rank') === 2 && (isForPerson || isWithin(SHARE_LEFT))) break;
    await rows('DELETE FROM previews WHERE seq = $1', countIn(row, 'seq'));
    count -= 1;
    bytes -= countIn(row, 'size');
  }
  return isWithin(1);
}

/** Removes a preview that can still be applied; false if there is none. */
export async function dropUnused(rows: Rows, id: string): Promise<boolean> {
  const events = await eventsOf(rows, id);
  const status = statusOf(events);
  if (status.write !== undefined || isClosed(status)) return false;
  return (await rows('DELETE FROM previews WHERE seq = $1 RETURNING seq', events[0]?.seq ?? 0)).length > 0;
}

/** Removes the oldest writes that have ended, until the bounds hold. */
export async function dropOldWrites(rows: Rows): Promise<void> {
  let { count, bytes } = await sumOf(rows, 'begun IS NOT NULL');
  while (count > CHANGE_BOUNDS.previews || bytes > CHANGE_BOUNDS.totalBytes) {
    const [oldest] = await rows(
      "SELECT seq, size FROM previews WHERE begun IS NOT NULL AND state <> 'open' ORDER BY begun LIMIT 1",
    );
    if (oldest === undefined) return;
    await rows('DELETE FROM previews WHERE seq = $1', countIn(oldest, 'seq'));
    count -= 1;
    bytes -= countIn(oldest, 'size');
  }
}

/** Returns how many previews meet a condition, and their size. */
async function sumOf(
  rows: Rows,
  condition: string,
  ...values: readonly string[]
): Promise<{ readonly count: number; readonly bytes: number }> {
  const [sum] = await rows(
    `SELECT count(*) AS count, CAST(coalesce(sum(size), 0) AS BIGINT) AS bytes FROM previews WHERE ${condition}`,
    ...values,
  );
  return { count: countIn(sum, 'count'), bytes: countIn(sum, 'bytes') };
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

/** Lists writes, newest first. */
export async function writesIn(rows: Rows, { roots, before, most }: Scope): Promise<readonly ListedChange[]> {
  const found = await rows(
    `SELECT id, body FROM previews WHERE begun IS NOT NULL AND begun < $1 AND roots = coalesce($2, roots)
     ORDER BY begun DESC LIMIT $3`,
    ...[before ?? LAST, roots ?? null, most],
  );
  if (found.length === 0) return [];
  const events = await eventsAbout(rows, ...found.map((row) => shortOf(textIn(row, 'id'))));
  return found.flatMap((row) => {
    const id = textIn(row, 'id');
    const body = decodeBody(id, textIn(row, 'body'));
    const own = events.filter(({ event }) => event.about === id);
    return (body && changeOf(id, body, statusOf(own))) ?? [];
  });
}

/** Returns the writes that have begun and not ended, on any machine. */
export async function openWrites(rows: Rows): Promise<readonly OpenWrite[]> {
  const found = await rows(
    `SELECT id, roots, type, about, notice, trail.body FROM previews JOIN trail ON trail.seq = begun
     WHERE begun IS NOT NULL AND state = 'open' ORDER BY begun`,
  );
  return found.map((row) => {
    const { files, time } = requireEvent(row);
    const [id, roots] = [textIn(row, 'id'), textIn(row, 'roots')];
    return { id, roots, since: time, files: files.map(({ file }) => file) };
  });
}
