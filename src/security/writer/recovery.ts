// Completes changes whose process died, or whose disk failed in the middle: by the record of the change in the state
// directory and by what stands in the files, with the locks of all its folders held. It replaces only files that hold
// exactly the base of the change. What cannot be decided now stays open until the next start, and a batch stays locked.
import type { AuditOutcome } from '../audit/log-fields.ts';
import { VerifiedEdit } from '../edits/verified-edit.ts';
import { ignoring, ioRefusal } from '../errors/io-refusal.ts';
import { type ErrorCode, unlessRefused } from '../errors/refusal.ts';
import type { Batch } from '../locking/batch.ts';
import type { SafePath } from '../paths/safe-path.ts';
import { contextOf, rootOf, type Sandbox } from '../sandbox/sandbox.ts';
import { exact, type Snapshot } from '../sandbox/snapshot.ts';
import type { RecordedChange } from '../store/change-store.ts';
import type { State } from '../store/state.ts';
import { Folders, type HeldFolder } from './folders.ts';
import { type ChangedFile, type Found, type JudgeChange, mayComplete } from './may-complete.ts';
import { publish } from './publish.ts';
import { type Staged, stage } from './stage.ts';
import { removeSecondName } from './temp-file.ts';

type RecoveryState = Pick<State, 'changes' | 'previews' | 'dir' | 'log'>;

/** What stands there was not put there by this program. */
const NOT_OURS: readonly ErrorCode[] = [
  ...(['FILE_NOT_FOUND', 'SYMLINK_REFUSED', 'NOT_REGULAR_FILE', 'HARD_LINK_REFUSED', 'NOT_UTF8'] as const),
  'FILE_EXISTS',
];
const STATES = { applied: 'finished', rolled_back: 'undone', unknown: 'conflict' } as const;

export class Recovery {
  readonly #sandbox: Sandbox;
  readonly #state: RecoveryState;
  readonly #judge: JudgeChange | undefined;
  /** Not tried again while somebody waits for a lock. */
  readonly #tried = new Set<string>();

  constructor(sandbox: Sandbox, state: RecoveryState, judge: JudgeChange | undefined) {
    this.#sandbox = sandbox;
    this.#state = state;
    this.#judge = judge;
  }

  /** All that this state directory keeps for these roots. Never throws: what fails stays open. */
  recoverAll(): void {
    for (const id of ignoring('all', () => this.#state.changes.unfinished()) ?? [])
      ignoring('all', () => this.#recover(id));
  }

  /** Whether the batch of a dead lock has ended; completes it where its record is kept here. */
  isOver({ state, change }: Batch): boolean {
    // A repository may contain a forged lock: what is written is what our own record says, and only that.
    if (state !== this.#state.dir.id || this.#state.changes.isForeign(change)) return false;
    return this.#recover(change);
  }

  #recover(id: string): boolean {
    const { changes, dir, log } = this.#state;
    const change = changes.find(id);
    // No record was made, or none is needed any more; or somebody removed it, and then nobody can finish the change.
    if (change === undefined) return changes.recordedState(id) !== 'begun';
    if (this.#tried.has(id)) return false;
    this.#tried.add(id);
    const { roots } = contextOf(this.#sandbox);
    const folders = new Folders((path) => rootOf(path, roots));
    const batch = change.files.length > 1 ? { change: id, state: dir.id } : undefined;
    let isOver = false;
    try {
      const places = new Map(change.files.map((file) => [file.file, this.#hold(file, folders)]));
      const isOwn = (of: Batch) => of.change === id && of.state === dir.id;
      folders.lockAll({ batch, isOver: isOwn, waitMs: 0 });
      isOver = this.#decide(id, (file) => places.get(file), folders);
    } catch (error) {
      const { code } = ioRefusal('finish the change', error);
      // BUSY: another process is writing it, or another change in these folders.
      if (code !== 'BUSY') log.notice('error', 'recovery_waiting', { code, file: change.files[0]?.file });
    } finally {
      folders.release(isOver);
    }
    return isOver;
  }

  /** Undefined where the folder is gone, and so is what stood in it; that of a new file is made again. */
  #hold({ file, file_op }: ChangedFile, folders: Folders): HeldFolder | undefined {
    const path = this.#admitted(file);
    return ifOurs(() => folders.hold(path, file_op));
  }

  /** A record may name what no request could: the policy of now decides. */
  #admitted(file: string): SafePath {
    const path = this.#sandbox.parse(file);
    contextOf(this.#sandbox).admission.requireAdmitted(path);
    return path;
  }

  /** Asks for everything again: whoever had the locks before may have completed it. */
  #decide(id: string, folderOf: (file: string) => HeldFolder | undefined, folders: Folders): boolean {
    const { changes } = this.#state;
    const change = changes.find(id);
    if (change === undefined) return true;
    const recorded = changes.recordedState(id);
    if (recorded === 'ended') {
      if (change.isOpen) changes.finish(id);
      return true;
    }
    // The intent of a preview is durable before any file is replaced: without it, the change never began.
    if (recorded === 'unknown' && change.preview !== undefined) {
      if (change.isOpen) changes.forget(id);
      return true;
    }
    const exactly = changes.exactlyOf(id);
    const found = change.files
      .map((shown) => ({ shown, ...shown, ...exactly.find((one) => one.file === shown.file) }))
      .map(({ shown, ...file }) => ({ shown, ...this.#find(file, folderOf(file.file)) }));
    const isAllBase = found.every(({ isBase }) => isBase);
    if (isAllBase && recorded === 'unknown') changes.forget(id);
    else if (isAllBase) this.#end(change, 'rolled_back');
    else if (found.every(({ isResult }) => isResult)) this.#end(change, 'applied');
    else if (
      found.some(({ snapshot }) => snapshot === undefined) ||
      !this.#mayComplete(change, found, recorded)
    )
      this.#end(change, 'unknown');
    else {
      this.#finishForward(change, found, folderOf, folders);
      this.#end(change, 'applied');
    }
    return true;
  }

  #mayComplete(change: RecordedChange, found: readonly Found[], recorded: 'unknown' | 'begun'): boolean {
    const [sandbox, judge, { previews }] = [this.#sandbox, this.#judge, this.#state];
    return mayComplete(change, found, { sandbox, judge, previews, recorded });
  }

  #find(file: ChangedFile, folder: HeldFolder | undefined): Omit<Found, 'shown'> {
    const path = this.#admitted(file.file);
    const { file_op: fileOp } = file;
    // Killed between the two steps of a creation, the file would count as one with a second name.
    if (fileOp === 'create' && folder !== undefined)
      removeSecondName(folder.directory, path.components.at(-1) ?? '');
    const there = ifOurs(() => exact(this.#sandbox.open(path).read()));
    const none = fileOp === undefined || there !== undefined ? undefined : this.#findNone(path);
    const isBase = fileOp === 'create' ? none !== undefined : there?.sha256 === file.base_sha256;
    const isResult = fileOp === 'delete' ? none !== undefined : there?.sha256 === file.result_sha256;
    return { file, snapshot: isBase || isResult ? (there ?? none) : undefined, isBase, isResult };
  }

  #findNone(path: SafePath): Snapshot | undefined {
    return ifOurs(() => exact(this.#sandbox.openAbsent(path)));
  }

  /** Replaces what still is the base, as a commit does. Throws where that fails; then all is as it was. */
  #finishForward(
    change: RecordedChange,
    found: readonly Found[],
    folderOf: (file: string) => HeldFolder | undefined,
    folders: Folders,
  ): void {
    // Of a trail that has lost records, nobody knows whether the change was undone since.
    this.#state.changes.requireAccounted();
    this.#state.log.auditAll(() => recordsOf(change, 'intent'));
    const staged: Staged[] = [];
    try {
      for (const { file, snapshot, isResult } of found) {
        const folder = folderOf(file.file);
        if (snapshot === undefined || folder === undefined || isResult) continue;
        const { file_op: fileOp, mode } = file;
        const edit = VerifiedEdit.prove(snapshot, file.edits, () => file.changes, { fileOp, mode });
        if (edit.resultSha256 !== file.result_sha256) throw new Error('a record has another result');
        staged.push(stage(edit, folder));
      }
      for (const file of staged) file.syncNew();
      const failed = publish(staged, folders);
      if (failed !== undefined) throw failed.error;
    } finally {
      for (const file of staged) file.discard();
    }
  }

  /** Throws where it cannot be recorded: then the change stays open. */
  #end(change: RecordedChange, outcome: keyof typeof STATES): void {
    const { changes, log } = this.#state;
    log.auditAll(() => recordsOf(change, outcome));
    log.notice(outcome === 'unknown' ? 'error' : 'warn', 'recovered', {
      state: STATES[outcome],
      count: change.files.length,
      file: change.files[0]?.file,
    });
    if (outcome === 'rolled_back') changes.forget(change.id);
    else changes.finish(change.id);
  }
}

function ifOurs<Result>(read: () => Result): Result | undefined {
  return unlessRefused(read, NOT_OURS);
}

function recordsOf({ id, preview, confirmed_by, reviewer, files }: RecordedChange, outcome: AuditOutcome) {
  return files.map(({ file, file_op, base_sha256, result_sha256 }) => ({
    action: 'recover',
    ...{ outcome, file, file_op, base_sha256, result_sha256, preview, change_id: id, confirmed_by, reviewer },
  }));
}
