// The state in a schema of a PostgreSQL database, for several servers and reviewers. Each operation is one statement without a session,
// so that a pooler may be used.
import { encodeTrailRecord, GENESIS, rowHash, type TrailRow } from '../chain.ts';
import { decodeChange, decodeExact, decodePreview, encodeExact, type TextOf } from '../codec.ts';
import { StateFault } from '../fault.ts';
import {
  changeStateIn,
  listedChangeIn,
  openChangeIn,
  previewStatusIn,
  trailPointIn,
  trailRowIn,
  waitingPreviewIn,
} from '../kept.ts';
import type { ExactFile } from '../records/change.ts';
import { idPrefix } from '../records/content-id.ts';
import type { TrailRecord } from '../records/trail-record.ts';
import type { TrailPoint } from '../records/values.ts';
import { countIn, optionalTextIn, type Row, textIn } from '../rows.ts';
import {
  type Begun,
  CHANGE_BOUNDS,
  type Claim,
  type Identity,
  type KeptChange,
  type KeptPreview,
  type ListedChange,
  type NewChange,
  type NewPreview,
  type OpenChange,
  type PreviewStatus,
  type StateStore,
  type WaitingPreview,
} from '../store.ts';
import type { PostgresDatabase } from './driver.ts';
import { erase } from './erase.ts';
import { hasCode } from './faults.ts';
import { arrayOf, rowShape, rowsShape, type Statements, textsIn, textsOf } from './statements.ts';

export class PostgresStore implements StateStore {
  readonly id: string;
  readonly maskingKey: string;
  readonly #database: PostgresDatabase;
  readonly #statements: Statements;
  readonly #schema: string;

  constructor({ id, maskingKey }: Identity, database: PostgresDatabase, statements: Statements) {
    this.id = id;
    this.maskingKey = maskingKey;
    this.#database = database;
    this.#statements = statements;
    this.#schema = statements.schema;
  }

  async keepPreview(preview: NewPreview, record: TrailRecord): Promise<'kept' | 'no room' | 'gone'> {
    const { id, line, sizeBytes, bounds, now, replaces } = preview;
    try {
      await this.#statements.callForPoint(
        'keep_preview',
        `$4, $5, $6, ${this.#schema}.texts_of($7, $8), $9, $10, $11, $12, $13, $14`,
        ...[id, line, sizeBytes, ...textsOf(preview), bounds.previews, bounds.totalBytes, now],
        ...[
          encodeTrailRecord(record),
          replaces?.id ?? null,
          replaces ? encodeTrailRecord(replaces.record) : null,
        ],
      );
      return 'kept';
    } catch (error) {
      if (hasCode(error, 'YA003')) return 'no room';
      if (hasCode(error, 'YA004')) return 'gone';
      throw error;
    }
  }

  async findPreview(name: string): Promise<KeptPreview | undefined> {
    const prefix = idPrefix('pv', name);
    if (prefix === undefined) return undefined;
    const row = await this.#found('find_preview', prefix);
    if (row === undefined) return undefined;
    const [id, line] = [textIn(row, 'id'), optionalTextIn(row, 'record')];
    const preview = line === undefined ? undefined : decodePreview(id, line, textOf(row));
    return { id, preview, isKept: line !== undefined, status: statusIn(row) };
  }

  async statusOf(previewId: string): Promise<PreviewStatus> {
    const [row = {}] = await this.#statements.read(
      `SELECT ${this.#schema}.status_of($4) AS status`,
      previewId,
    );
    return statusIn(row);
  }

  async waitingPreviews(): Promise<readonly WaitingPreview[]> {
    const rows = await this.#statements.read(`SELECT * FROM ${this.#schema}.waiting_previews()`);
    return rows.flatMap(waitingPreviewIn);
  }

  async dropPreview(id: string): Promise<void> {
    await this.#statements.call('drop_preview', '$4', id);
  }

  async dropExpired(now: string): Promise<void> {
    await this.#statements.call('drop_expired', '$4', now);
  }

  async recordDecision(previewId: string, record: TrailRecord): Promise<TrailPoint | undefined> {
    return this.#statements.callForPoint('record_decision', '$4, $5', previewId, encodeTrailRecord(record));
  }

  async beginChange(change: NewChange, record: TrailRecord, claim: Claim | undefined): Promise<Begun> {
    const { id, line, sizeBytes, exact } = change;
    const row = await this.#statements.call(
      'begin_change',
      `$4, $5, $6, $7, ${this.#schema}.texts_of($8, $9), $10, $11, $12, $13, $14, $15`,
      ...[id, line, sizeBytes, encodeExact(exact) ?? null, ...textsOf(change)],
      ...[CHANGE_BOUNDS.changes, CHANGE_BOUNDS.totalBytes, encodeTrailRecord(record)],
      ...[claim?.preview ?? null, claim?.whole ?? null, claim?.decidedAt ?? null],
    );
    const changeId = optionalTextIn(row, 'used_by');
    if (changeId !== undefined) return { state: 'used', changeId };
    if (row['sha256'] === null) return { state: 'decided' };
    const end = trailPointIn(row);
    this.#statements.remember(end);
    return { state: 'begun', end };
  }

  async endChange(id: string, record: TrailRecord): Promise<TrailPoint> {
    return this.#point('end_change', '$4, $5', id, encodeTrailRecord(record));
  }

  async findChange(name: string): Promise<KeptChange | undefined> {
    const prefix = idPrefix('ch', name);
    if (prefix === undefined) return undefined;
    const row = await this.#found('find_change', prefix);
    if (row === undefined) return undefined;
    const id = textIn(row, 'id');
    const change = decodeChange(id, textIn(row, 'record'), textOf(row));
    return change && { ...change, ...changeStateIn(row), id };
  }

  async exactFilesOf(changeId: string): Promise<readonly ExactFile[] | undefined> {
    const [row] = await this.#statements.read(
      `SELECT exact FROM ${this.#schema}.changes WHERE id = $4`,
      changeId,
    );
    return decodeExact(optionalTextIn(row, 'exact'));
  }

  async listChanges({
    roots,
    before = Number.MAX_SAFE_INTEGER,
    most,
  }: Parameters<StateStore['listChanges']>[0]): Promise<readonly ListedChange[]> {
    const rows = await this.#statements.read(
      `SELECT * FROM ${this.#schema}.listed_changes WHERE roots = coalesce($4, roots) AND position < $5
       ORDER BY position DESC LIMIT $6`,
      ...[roots ?? null, before, most],
    );
    return rows.flatMap(listedChangeIn);
  }

  async openChanges(): Promise<readonly OpenChange[]> {
    const s = this.#schema;
    const rows = await this.#statements.read(
      `SELECT id, roots, (SELECT json_agg(file -> 'file') FROM jsonb_array_elements(
         ${s}.facts(record) -> 'files') AS file)::text AS files
       FROM ${s}.changes WHERE ended IS NULL ORDER BY position`,
    );
    return rows.map(openChangeIn);
  }

  async unrecordedChanges(): Promise<readonly string[]> {
    const s = this.#schema;
    const rows = await this.#statements.read(
      `SELECT id FROM ${s}.changes
       WHERE NOT EXISTS (SELECT FROM ${s}.trail WHERE change_id = changes.id AND outcome = 'intent')
         OR ended IS DISTINCT FROM (
           SELECT max(seq) FROM ${s}.trail WHERE change_id = changes.id AND outcome <> 'intent')`,
    );
    return rows.map((row) => textIn(row, 'id'));
  }

  async claimNotice(record: TrailRecord): Promise<boolean> {
    const point = await this.#statements.callForPoint('claim_notice', '$4', encodeTrailRecord(record));
    return point !== undefined;
  }

  /** Appends records, always durably. If the server lost confirmed records, the state would count as replaced. */
  async append(records: readonly TrailRecord[]): Promise<TrailPoint> {
    return this.#point('append', '$4', arrayOf(records.map(encodeTrailRecord)));
  }

  async head(): Promise<TrailPoint> {
    const [row = {}] = await this.#statements.read(`SELECT seq, sha256 FROM ${this.#schema}.head`);
    return trailPointIn(row);
  }

  async holds({ seq, sha256 }: TrailPoint): Promise<boolean> {
    const [row] = await this.trailAfter(seq - 1, 1);
    if (seq === 0) return sha256 === GENESIS.sha256;
    return row?.seq === seq && row.sha256 === sha256 && rowHash(row) === sha256;
  }

  async trailAfter(seq: number, most: number): Promise<readonly TrailRow[]> {
    const rows = await this.#statements.read(
      `SELECT seq, prev, sha256, record FROM ${this.#schema}.trail WHERE seq > $4 ORDER BY seq LIMIT $5`,
      ...[seq, most],
    );
    return rows.map(trailRowIn);
  }

  async erase(before: string, record: TrailRecord): Promise<number> {
    return erase(this.#database, this.#statements, this.#schema, { before, record });
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  async #point(name: string, args: string, ...values: readonly string[]): Promise<TrailPoint> {
    const point = await this.#statements.callForPoint(name, args, ...values);
    if (point === undefined) throw new StateFault('damaged');
    return point;
  }

  async #found(name: string, prefix: string): Promise<Row | undefined> {
    const [row] = await this.#statements.read(`SELECT ${this.#schema}.${name}($4) AS found`, prefix);
    const found = row?.['found'] ?? undefined;
    return found === undefined ? undefined : rowShape.parse(found);
  }
}

function textOf(row: Row): TextOf {
  const texts = textsIn(row);
  return (sha256) => texts.get(sha256);
}

function statusIn(row: Row): PreviewStatus {
  const status: Row = Object(row['status']);
  return previewStatusIn(rowsShape.parse(status['decisions']), {
    decidedAt: countIn(status, 'decidedAt'),
    changeId: optionalTextIn(status, 'changeId'),
  });
}
