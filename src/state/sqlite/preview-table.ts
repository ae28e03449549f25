// Previews in SQLite, in a bounded number. Where there are too many of one kind (of the same roots, for a person or not), those
// that were applied or rejected go first, then what has expired, then the oldest that an agent could still apply. Previews that
// wait for a person stay: where there are too many of these, no more are taken.
import { decodePreview } from '../codec.ts';
import { StateFault } from '../fault.ts';
import { APPROVALS } from '../records/values.ts';
import type { NewPreview, WaitingPreview } from '../store.ts';
import { countIn, optionalTextIn, textIn } from './columns.ts';
import type { Row, SqliteDatabase } from './driver.ts';
import { addTexts, dropUnusedTexts, textOf } from './text-table.ts';

/** The change that applies a preview, if any; `seq` is the number of a rejection. */
const IS_APPLIED = `EXISTS (SELECT 1 FROM trail AS begun WHERE begun.preview = previews.id AND begun.action = 'commit'
  AND begun.outcome = 'intent' AND NOT EXISTS (
    SELECT 1 FROM trail AS ended WHERE ended.change_id = begun.change_id AND ended.outcome = 'rolled_back'))`;
const IS_REJECTED = `EXISTS (SELECT 1 FROM trail WHERE trail.preview = previews.id AND trail.action = 'reject')`;
const IS_DECIDED = `EXISTS (SELECT 1 FROM trail WHERE trail.preview = previews.id AND trail.action IN ('approve', 'part', 'reject'))`;

/** More than needed goes at once, so that not each of many previews has to look. */
const SHARE_LEFT = 0.9;

export class PreviewTable {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Within a transaction that writes. False where there is no room. */
  add(preview: NewPreview): boolean {
    const { id, line } = preview;
    const size = Buffer.byteLength(line);
    this.#database.run('INSERT INTO previews (id, record, size) VALUES (?, ?, ?)', id, line, size);
    addTexts(this.#database, 'preview', preview);
    return this.#makeRoom(preview);
  }

  #makeRoom({ id, bounds, now }: NewPreview): boolean {
    const kind = this.#database.get('SELECT roots, is_for_person FROM previews WHERE id = ?', id);
    const [roots, isForPerson] = [optionalTextIn(kind, 'roots') ?? '', countIn(kind, 'is_for_person')];
    const isWithin = (share: number) => {
      const { count, bytes } = this.#sizeOf(roots, isForPerson);
      return count <= bounds.previews * share && bytes <= bounds.totalBytes * share;
    };
    if (isWithin(1)) return true;
    const others = this.#database.all(
      `SELECT id, CASE WHEN ${IS_APPLIED} OR ${IS_REJECTED} THEN 0 WHEN expires_at <= ? THEN 1 ELSE 2 END AS rank
       FROM previews WHERE roots = ? AND is_for_person = ? AND id <> ? ORDER BY rank, created_at, rowid`,
      ...[now, roots, isForPerson, id],
    );
    for (const row of others) {
      const canStillBeApplied = countIn(row, 'rank') === 2;
      if (canStillBeApplied && (isForPerson === 1 || isWithin(SHARE_LEFT))) break;
      this.#database.run('DELETE FROM previews WHERE id = ?', textIn(row, 'id'));
    }
    dropUnusedTexts(this.#database);
    return isWithin(1);
  }

  /** Each text counts once. */
  #sizeOf(roots: string, isForPerson: number): { readonly count: number; readonly bytes: number } {
    const row = this.#database.get(
      `SELECT count(*) AS count, coalesce(sum(size), 0) + (
         SELECT coalesce(sum(size), 0) FROM texts WHERE sha256 IN (
           SELECT sha256 FROM preview_texts JOIN previews ON previews.id = preview
           WHERE roots = ?1 AND is_for_person = ?2)) AS bytes
       FROM previews WHERE roots = ?1 AND is_for_person = ?2`,
      roots,
      isForPerson,
    );
    return { count: countIn(row, 'count'), bytes: countIn(row, 'bytes') };
  }

  /** The full id that begins so; undefined for none, or for several. */
  idOf(prefix: string): string | undefined {
    const rows = this.#database.all(
      `SELECT id FROM previews WHERE id >= ?1 AND id < ?1 || '{'
       UNION SELECT preview FROM trail WHERE preview >= ?1 AND preview < ?1 || '{' LIMIT 2`,
      prefix,
    );
    const [row, second] = rows;
    return row === undefined || second !== undefined ? undefined : textIn(row, 'id');
  }

  find(id: string): { readonly preview: ReturnType<typeof decodePreview> } | undefined {
    const row = this.#database.get('SELECT record FROM previews WHERE id = ?', id);
    if (row === undefined) return undefined;
    return { preview: decodePreview(id, textIn(row, 'record'), (sha256) => textOf(this.#database, sha256)) };
  }

  waiting(): readonly WaitingPreview[] {
    return this.#database
      .all(
        `SELECT id, roots, policy, approval, created_at, expires_at, ${IS_DECIDED} AS is_decided
         FROM previews WHERE NOT ${IS_APPLIED} ORDER BY created_at, rowid`,
      )
      .map(waitingIn);
  }

  drop(id: string): void {
    this.#database.run('DELETE FROM previews WHERE id = ?', id);
    dropUnusedTexts(this.#database);
  }

  dropExpired(now: string): void {
    if (this.#database.get('SELECT 1 FROM previews WHERE expires_at <= ? LIMIT 1', now) === undefined) return;
    this.#database.run('DELETE FROM previews WHERE expires_at <= ?', now);
    dropUnusedTexts(this.#database);
  }
}

function waitingIn(row: Row): WaitingPreview {
  const approval = APPROVALS.find((level) => level === row['approval']);
  if (approval === undefined) throw new StateFault('damaged');
  return {
    id: textIn(row, 'id'),
    roots: textIn(row, 'roots'),
    policy: textIn(row, 'policy'),
    approval,
    createdAt: textIn(row, 'created_at'),
    expiresAt: textIn(row, 'expires_at'),
    isDecided: row['is_decided'] === 1,
  };
}
