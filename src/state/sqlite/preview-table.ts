// Keeps previews in SQLite, in a limited number for each kind: for a person or for an agent, of the same roots. If there are too many,
// applied and rejected ones are removed first, then expired ones, then the oldest that an agent could still apply. Previews that wait
// for a person stay, so that no more are accepted.
import { decodePreview } from '../codec.ts';
import { waitingPreviewIn } from '../kept.ts';
import { countIn, optionalTextIn, textIn } from '../rows.ts';
import type { NewPreview, PreviewBounds, WaitingPreview } from '../store.ts';
import type { SqliteDatabase } from './driver.ts';
import { addTexts, textOf } from './text-table.ts';

/** The condition that a change has begun to apply the preview, for which `ended` holds. */
const hasChange = (ended: string) => `EXISTS (
  SELECT 1 FROM trail AS begun WHERE begun.preview = previews.id AND begun.action = 'commit' AND begun.outcome = 'intent'
  AND ${ended})`;
const endedAs = (outcomes: string) =>
  `EXISTS (SELECT 1 FROM trail AS ended WHERE ended.change_id = begun.change_id AND ended.outcome IN (${outcomes}))`;
const AS_APPLIED = endedAs("'applied', 'unknown'");
/** The condition that the preview is being applied or was applied. A later record that it was rolled back changes nothing. */
const IS_USED = hasChange(`(NOT ${endedAs("'rolled_back'")} OR ${AS_APPLIED})`);
/** The condition that the preview was applied. One that is being applied does not count, because it may be needed again. */
const IS_APPLIED = hasChange(AS_APPLIED);
const isDecided = (actions: string) =>
  `EXISTS (SELECT 1 FROM trail WHERE trail.preview = previews.id AND trail.action IN (${actions}))`;

const OF_KIND = 'roots = ? AND is_for_person = ?';

/** More than needed is removed at once, so that not every new preview has to look. */
const SHARE_LEFT = 0.9;

export class PreviewTable {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Adds a preview in a transaction that writes; false where there is no room. */
  add(preview: NewPreview): boolean {
    const { id, line, sizeBytes } = preview;
    this.#database.run('INSERT INTO previews (id, record, size) VALUES (?, ?, ?)', id, line, sizeBytes);
    addTexts(this.#database, preview);
    return this.#makeRoom(preview);
  }

  #makeRoom({ id, bounds, now }: NewPreview): boolean {
    const kind = this.#database.get('SELECT roots, is_for_person FROM previews WHERE id = ?', id);
    const [roots, isForPerson] = [optionalTextIn(kind, 'roots') ?? '', countIn(kind, 'is_for_person')];
    const isWithin = (share: number) => this.#isWithin(roots, isForPerson, bounds, share);
    if (isWithin(1)) return true;
    const others = this.#database.all(
      `SELECT id, CASE WHEN ${IS_APPLIED} OR ${isDecided("'reject'")} THEN 0 WHEN expires_at <= ? THEN 1 ELSE 2 END AS rank
       FROM previews WHERE ${OF_KIND} AND id <> ? ORDER BY rank, created_at, rowid`,
      ...[now, roots, isForPerson, id],
    );
    for (const row of others) {
      const canStillBeApplied = countIn(row, 'rank') === 2;
      if (canStillBeApplied && (isForPerson === 1 || isWithin(SHARE_LEFT))) break;
      this.#database.run('DELETE FROM previews WHERE id = ?', textIn(row, 'id'));
    }
    return isWithin(1);
  }

  #isWithin(
    roots: string,
    isForPerson: number,
    { previews, totalBytes }: PreviewBounds,
    share: number,
  ): boolean {
    const all = this.#database.get(
      `SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM previews WHERE ${OF_KIND}`,
      ...[roots, isForPerson],
    );
    const most = totalBytes * share;
    if (countIn(all, 'count') > previews * share) return false;
    // Equal texts are counted only where it matters, because that takes long.
    return (
      countIn(all, 'bytes') <= most || countIn(all, 'bytes') - this.#sameBytes(roots, isForPerson) <= most
    );
  }

  /** Answers the bytes that are saved because each text is kept once. */
  #sameBytes(roots: string, isForPerson: number): number {
    const row = this.#database.get(
      `SELECT coalesce(sum(size * (uses - 1)), 0) AS bytes FROM (
         SELECT text_uses.size, count(*) AS uses FROM previews JOIN text_uses ON used_by = id
         WHERE ${OF_KIND} GROUP BY sha256)`,
      ...[roots, isForPerson],
    );
    return countIn(row, 'bytes');
  }

  /** Answers the full id with this beginning; undefined for none, or for several. */
  idOf(prefix: string): string | undefined {
    const rows = this.#database.all(
      `SELECT id FROM previews WHERE id >= ?1 AND id < ?1 || '{'
       UNION SELECT preview FROM trail WHERE preview >= ?1 AND preview < ?1 || '{' LIMIT 2`,
      prefix,
    );
    const [row, second] = rows;
    return row === undefined || second !== undefined ? undefined : textIn(row, 'id');
  }

  has(id: string): boolean {
    return this.#database.get('SELECT 1 FROM previews WHERE id = ?', id) !== undefined;
  }

  find(id: string): { readonly preview: ReturnType<typeof decodePreview> } | undefined {
    const row = this.#database.get('SELECT record FROM previews WHERE id = ?', id);
    if (row === undefined) return undefined;
    return { preview: decodePreview(id, textIn(row, 'record'), (sha256) => textOf(this.#database, sha256)) };
  }

  waiting(): readonly WaitingPreview[] {
    return this.#database
      .all(
        `SELECT id, roots, policy, approval, created_at, expires_at,
           ${isDecided("'approve', 'part', 'reject'")} AS is_decided
         FROM previews WHERE NOT ${IS_USED} ORDER BY created_at, rowid`,
      )
      .flatMap(waitingPreviewIn);
  }

  drop(id: string): void {
    this.#database.run('DELETE FROM previews WHERE id = ?', id);
  }

  /** Removes the previews that were made before this time. Answers how many. */
  dropBefore(time: string): number {
    const row = this.#database.get('SELECT count(*) AS count FROM previews WHERE created_at < ?', time);
    this.#database.run('DELETE FROM previews WHERE created_at < ?', time);
    return countIn(row, 'count');
  }

  dropExpired(now: string): void {
    this.#database.run('DELETE FROM previews WHERE expires_at <= ?', now);
  }
}
