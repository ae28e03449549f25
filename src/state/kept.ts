// The rows of previews and their texts, in a limited number.
import { parsedJson, sha256Hex } from './canonical-json.ts';
import { SHORT_LENGTH } from './content-id.ts';
import type { Rows } from './driver.ts';
import type { Event } from './event.ts';
import type { EncodedPreview, Preview, PreviewBody } from './preview.ts';
import { countIn, textIn } from './rows.ts';
import { isClosed, statusOf } from './status.ts';
import { eventsAbout, isAbout } from './trail.ts';

/** The limits for writes that have ended. The newest stay, and all that have not ended. */
const CHANGE_BOUNDS = { previews: 2_000, totalBytes: 224e6 };
/** More than needed is removed at once, so that not every new preview has to look. */
const SHARE_LEFT = 0.9;
/** A preview of thousands of files would wait thousands of times for a server. */
const TEXTS_AT_ONCE = 100;

export interface Bounds {
  readonly previews: number;
  readonly totalBytes: number;
}

/** The condition that the trail has an event of these types about a preview. */
export const HAS = (...types: readonly Event['type'][]) =>
  `EXISTS (SELECT 1 FROM trail WHERE ${isAbout('previews.id')} AND type IN (${types.map((type) => `'${type}'`).join(', ')}))`;

export async function insertPreview(
  rows: Rows,
  { id, body, preview, sizeBytes }: EncodedPreview,
): Promise<void> {
  const { roots, policy, approval, created_at, expires_at, files } = preview;
  await rows(
    `INSERT INTO previews (id, state, roots, policy, approval, created_at, expires_at, size, body)
     VALUES ($1, 'waiting', $2, $3, $4, $5, $6, $7, $8)`,
    ...[id, roots, policy, approval, created_at, expires_at, sizeBytes, body],
  );
  for (let start = 0; start < files.length; start += TEXTS_AT_ONCE) {
    const part = files.slice(start, start + TEXTS_AT_ONCE);
    const places = part.map((_, index) => `($1, $${2 * index + 2}, $${2 * index + 3})`);
    await rows(
      `INSERT INTO texts (id, position, text) VALUES ${places.join(', ')}`,
      ...[id, ...part.flatMap(({ base }, index) => [start + index, JSON.stringify(base)])],
    );
  }
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
    `SELECT id, size, CASE WHEN ${HAS('rejected')} THEN 0 WHEN expires_at <= $2 THEN 1 ELSE 2 END AS rank
     FROM previews WHERE ${kind} AND id <> $3 ORDER BY rank, created_at, id`,
    ...[roots, now, id],
  );
  for (const row of others) {
    if (countIn(row, 'rank') === 2 && (isForPerson || isWithin(SHARE_LEFT))) break;
    await rows('DELETE FROM previews WHERE id = $1', textIn(row, 'id'));
    count -= 1;
    bytes -= countIn(row, 'size');
  }
  return isWithin(1);
}

/** Removes a preview that can still be applied; false if there is none. */
export async function dropUnused(rows: Rows, id: string): Promise<boolean> {
  const status = statusOf(await eventsAbout(rows, id));
  if (status.write !== undefined || isClosed(status)) return false;
  return (await rows('DELETE FROM previews WHERE id = $1 RETURNING id', id)).length > 0;
}

/** Removes the oldest writes that have ended, until the bounds hold. */
export async function dropOldWrites(rows: Rows): Promise<void> {
  let { count, bytes } = await sumOf(rows, 'begun IS NOT NULL');
  while (count > CHANGE_BOUNDS.previews || bytes > CHANGE_BOUNDS.totalBytes) {
    const [oldest] = await rows(
      "SELECT id, size FROM previews WHERE begun IS NOT NULL AND state <> 'open' ORDER BY begun LIMIT 1",
    );
    if (oldest === undefined) return;
    await rows('DELETE FROM previews WHERE id = $1', textIn(oldest, 'id'));
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

/** Returns the full id with this beginning; undefined for none, or for several. */
export async function idOf(rows: Rows, prefix: string): Promise<string | undefined> {
  const short = prefix.slice(0, SHORT_LENGTH);
  const found = await rows(
    `SELECT id FROM previews WHERE substr(id, 1, ${SHORT_LENGTH}) = $1
     UNION SELECT about AS id FROM trail WHERE substr(about, 1, ${SHORT_LENGTH}) = $1 AND about IS NOT NULL`,
    short,
  );
  const ids = found.map((row) => textIn(row, 'id')).filter((id) => id.startsWith(prefix));
  return ids.length === 1 ? ids[0] : undefined;
}

export async function basesOf(rows: Rows, id: string): Promise<readonly unknown[]> {
  const found = await rows('SELECT text FROM texts WHERE id = $1 ORDER BY position', id);
  return found.map((row) => parsedJson(textIn(row, 'text')));
}

/** Returns the preview with its texts; undefined unless each is there and has its hash. */
export function withBases(body: PreviewBody, bases: readonly unknown[]): Preview | undefined {
  const files = body.files.flatMap((file, index) => {
    const base = bases[index];
    return typeof base === 'string' && sha256Hex(base) === file.base_sha256 ? [{ ...file, base }] : [];
  });
  return files.length === body.files.length ? { ...body, files } : undefined;
}

/** Returns the writes about whose beginning or end the trail says something else. */
export async function unrecorded(rows: Rows): Promise<readonly string[]> {
  const found = await rows(
    `SELECT id FROM previews WHERE begun IS NOT NULL
     AND (NOT EXISTS (SELECT 1 FROM trail WHERE seq = begun AND about = id AND type = 'begun')
       OR (state = 'open') = ${HAS('applied', 'unknown')})`,
  );
  return found.map((row) => textIn(row, 'id'));
}
