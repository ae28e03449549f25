// The state in one SQLite file, or in memory. Each operation is one transaction. All records survive a killed process. Changes and
// decisions also survive a power cut.

import type { TrailRow } from '../chain.ts';
import { StateFault } from '../fault.ts';
import type { ExactFile } from '../records/change.ts';
import { idPrefix } from '../records/content-id.ts';
import type { TrailRecord } from '../records/trail-record.ts';
import type { TrailPoint } from '../records/values.ts';
import type {
  Begun,
  Claim,
  Identity,
  KeptChange,
  KeptPreview,
  ListedChange,
  NewChange,
  NewPreview,
  OpenChange,
  PreviewStatus,
  StateStore,
  WaitingPreview,
} from '../store.ts';
import { ChangeTable } from './change-table.ts';
import { openDatabase, type SqliteDatabase } from './driver.ts';
import { PreviewTable } from './preview-table.ts';
import { migrate, requireVersion } from './schema.ts';
import { TrailTable } from './trail-table.ts';

export interface SqliteOptions {
  /** The file: `:memory:`, or a path that the layer above has checked. */
  readonly file: string;
  /** Throws where the file is no longer the one that was opened; called before each operation. */
  readonly check?: () => void;
  /** Opens a state with a damaged trail as well, so that the damage can be examined. */
  readonly evenDamaged?: boolean;
}

/** Opens a state. Throws NoEngine, and StateFault for a file that is no state of this program, or that a newer version wrote. */
export function openSqliteStore({ file, check, evenDamaged = false }: SqliteOptions): StateStore {
  const database = openDatabase(file, check);
  try {
    const store = new SqliteStore(database, migrate(database));
    if (!evenDamaged) store.requireIntact();
    return store;
  } catch (error) {
    database.close();
    throw error;
  }
}

class SqliteStore implements StateStore {
  readonly id: string;
  readonly maskingKey: string;
  readonly #database: SqliteDatabase;
  readonly #trail: TrailTable;
  readonly #previews: PreviewTable;
  readonly #changes: ChangeTable;

  constructor(database: SqliteDatabase, { id, maskingKey }: Identity) {
    this.id = id;
    this.maskingKey = maskingKey;
    this.#database = database;
    this.#trail = new TrailTable(database);
    this.#previews = new PreviewTable(database);
    this.#changes = new ChangeTable(database);
  }

  /** Throws StateFault unless the trail's end is whole, and the trail has all changes that are kept. */
  requireIntact(): void {
    this.#database.reading(() => {
      this.#trail.requireWholeEnd();
      if (this.#changes.unrecorded().length > 0) throw new StateFault('damaged');
    });
  }

  async keepPreview(preview: NewPreview, record: TrailRecord): Promise<'kept' | 'no room' | 'gone'> {
    try {
      return this.#writing(false, () => this.#keep(preview, record));
    } catch (error) {
      if (error instanceof NoRoom) return 'no room';
      throw error;
    }
  }

  #keep(preview: NewPreview, record: TrailRecord): 'kept' | 'gone' {
    if (this.#trail.pointOf(record) !== undefined) return 'kept';
    const { replaces } = preview;
    if (replaces !== undefined) {
      const { id } = replaces;
      if (!this.#previews.has(id) || this.#trail.changeOf(id) !== undefined || this.#trail.isClosed(id))
        return 'gone';
      this.#previews.drop(id);
    }
    // The error rolls the transaction back.
    if (!this.#previews.add(preview)) throw new NoRoom();
    this.#trail.append([...(replaces === undefined ? [] : [replaces.record]), record]);
    return 'kept';
  }

  async findPreview(name: string): Promise<KeptPreview | undefined> {
    return this.#reading(() => {
      const prefix = idPrefix('pv', name);
      const id = prefix === undefined ? undefined : this.#previews.idOf(prefix);
      if (id === undefined) return undefined;
      const kept = this.#previews.find(id);
      return { id, preview: kept?.preview, isKept: kept !== undefined, status: this.#trail.statusOf(id) };
    });
  }

  async statusOf(previewId: string): Promise<PreviewStatus> {
    return this.#reading(() => this.#trail.statusOf(previewId));
  }

  async waitingPreviews(): Promise<readonly WaitingPreview[]> {
    return this.#reading(() => this.#previews.waiting());
  }

  async dropPreview(id: string): Promise<void> {
    this.#writing(false, () => this.#previews.drop(id));
  }

  async dropExpired(now: string): Promise<void> {
    this.#writing(false, () => this.#previews.dropExpired(now));
  }

  async recordDecision(previewId: string, record: TrailRecord): Promise<TrailPoint | undefined> {
    return this.#writing(true, () => {
      const done = this.#trail.pointOf(record);
      const { changeId, replacedBy } = this.#trail.statusOf(previewId);
      const isOver = done !== undefined || changeId !== undefined || replacedBy !== undefined;
      return isOver ? done : this.#trail.append([record]);
    });
  }

  async beginChange(change: NewChange, record: TrailRecord, claim: Claim | undefined): Promise<Begun> {
    return this.#writing(true, () => {
      const done = this.#trail.pointOf(record);
      if (done !== undefined) return { state: 'begun', end: done };
      const refused = claim && this.#whyNot(claim);
      if (refused !== undefined) return refused;
      this.#changes.add(change);
      return { state: 'begun', end: this.#trail.append([record]) };
    });
  }

  #whyNot({ preview, whole, decidedAt }: Claim): Begun | undefined {
    const status = this.#trail.statusOf(preview);
    if (status.changeId !== undefined) return { state: 'used', changeId: status.changeId };
    const isWholeVoid = whole !== undefined && this.#trail.isClosed(whole);
    return isWholeVoid || status.decidedAt !== decidedAt ? { state: 'decided' } : undefined;
  }

  async endChange(id: string, record: TrailRecord): Promise<TrailPoint> {
    return this.#writing(false, () => {
      // Another process may have ended it already.
      if (!this.#changes.isOpen(id)) return this.#trail.pointOf(record) ?? this.#trail.head();
      const end = this.#trail.append([record]);
      if (record.outcome === 'rolled_back') this.#changes.drop(id);
      else this.#changes.end(id, end.seq);
      return end;
    });
  }

  async findChange(name: string): Promise<KeptChange | undefined> {
    const prefix = idPrefix('ch', name);
    return prefix === undefined ? undefined : this.#reading(() => this.#changes.find(prefix));
  }

  async exactFilesOf(changeId: string): Promise<readonly ExactFile[] | undefined> {
    return this.#reading(() => this.#changes.exactFilesOf(changeId));
  }

  async listChanges(scope: Parameters<StateStore['listChanges']>[0]): Promise<readonly ListedChange[]> {
    return this.#reading(() => this.#changes.list(scope));
  }

  async openChanges(): Promise<readonly OpenChange[]> {
    return this.#reading(() => this.#changes.open());
  }

  async unrecordedChanges(): Promise<readonly string[]> {
    return this.#reading(() => this.#changes.unrecorded());
  }

  async claimNotice(record: TrailRecord): Promise<boolean> {
    return this.#writing(true, () => this.#trail.claim(record));
  }

  async append(records: readonly TrailRecord[], isDurable: boolean): Promise<TrailPoint> {
    return this.#writing(isDurable, () => this.#trail.append(records));
  }

  async head(): Promise<TrailPoint> {
    return this.#reading(() => this.#trail.head());
  }

  async holds(point: TrailPoint): Promise<boolean> {
    return this.#reading(() => this.#trail.holds(point));
  }

  async trailAfter(seq: number, most: number): Promise<readonly TrailRow[]> {
    return this.#reading(() => this.#trail.after(seq, most));
  }

  async erase(before: string, record: TrailRecord): Promise<number> {
    const count = this.#writing(true, () => {
      const dropped = this.#changes.dropBefore(before) + this.#previews.dropBefore(before);
      this.#trail.append([{ ...record, count: dropped }]);
      return dropped;
    });
    // Overwritten data stays in the database's log until the log is emptied, which a reading process can prevent.
    if (this.#database.get('PRAGMA wal_checkpoint(TRUNCATE)')?.['busy'] !== 0) throw new StateFault('busy');
    return count;
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #reading<Result>(work: () => Result): Result {
    return this.#database.reading(() => this.#checked(work));
  }

  #writing<Result>(isDurable: boolean, work: () => Result): Result {
    const result = this.#database.writing(isDurable, () => this.#checked(work));
    this.#trail.markCommitted();
    return result;
  }

  #checked<Result>(work: () => Result): Result {
    requireVersion(this.#database);
    this.#trail.requireSame();
    return work();
  }
}

/** Rolls back a transaction that added one preview too many. */
class NoRoom extends Error {}
