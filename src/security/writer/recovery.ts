// Settles changes that were interrupted because their process died or the disk failed. It locks all folders of the change, and
// compares the files with the record. If all files are new, the change counts as applied. Otherwise the new files are put back, so
// that the preview can be applied again. A file is touched only if it holds exactly what the change wrote.
import type { KeptChange, Outcome } from '../../state/index.ts';
import { auditedFiles } from '../approval/previews.ts';
import { trailRecordOf } from '../audit/audit-record.ts';
import { type Edit, type FileOp, invert } from '../edits/edit.ts';
import { VerifiedEdit } from '../edits/verified-edit.ts';
import { ignoring, ioRefusal } from '../errors/io-refusal.ts';
import { type ErrorCode, unlessRefused } from '../errors/refusal.ts';
import { tempNameOf } from '../paths/denylist.ts';
import type { SafePath } from '../paths/safe-path.ts';
import { rootOf } from '../sandbox/file-opener.ts';
import { contextOf, type Sandbox } from '../sandbox/sandbox.ts';
import { exact, type Snapshot } from '../sandbox/snapshot.ts';
import type { State } from '../state/state.ts';
import { Folders, type HeldFolder } from './folders.ts';
import { isMarkedOwn, isShared, unmark } from './own-mark.ts';
import { publish } from './publish.ts';
import { type Staged, stage, writeAllNew } from './stage.ts';

/** The refusals which show that another program has changed the file. */
const CHANGED_BY_OTHERS: readonly ErrorCode[] = [
  ...(['FILE_NOT_FOUND', 'SYMLINK_REFUSED', 'NOT_REGULAR_FILE', 'HARD_LINK_REFUSED', 'NOT_UTF8'] as const),
  'FILE_EXISTS',
];
const STATES = { applied: 'finished', rolled_back: 'undone', unknown: 'conflict' } as const;

/** One file of the change, and what is at its path now. */
interface FoundFile {
  readonly index: number;
  readonly file: KeptChange['files'][number];
  /** Undefined where its folder is gone. */
  readonly folder: HeldFolder | undefined;
  /** Undefined where it holds neither the base nor the result. */
  readonly snapshot: Snapshot | undefined;
  readonly isBase: boolean;
  readonly isResult: boolean;
  /** The edits that lead from the exact result back to the exact base. */
  readonly undo: readonly Edit[];
  /** The hash of the exact base. */
  readonly baseSha256: string;
}

export class Recovery {
  readonly #sandbox: Sandbox;
  readonly #state: State;

  constructor(sandbox: Sandbox, state: State) {
    this.#sandbox = sandbox;
    this.#state = state;
  }

  /** Settles all changes of these roots. Never throws: what fails stays open. */
  async recoverAll(): Promise<void> {
    await this.#recoverWhere(() => true);
  }

  /** Settles the changes that have one of these files. Throws failures of the state. */
  async settle(files: readonly string[]): Promise<void> {
    const wanted = new Set(files);
    await this.#recoverWhere((open) => open.some((file) => wanted.has(file)));
  }

  async #recoverWhere(isWanted: (files: readonly string[]) => boolean): Promise<void> {
    for (const { id, roots, files } of await this.#state.store.openChanges())
      if (roots === this.#state.roots && isWanted(files)) await this.#recover(id);
  }

  async #recover(id: string): Promise<void> {
    const { changes, store, log, now } = this.#state;
    const { roots } = contextOf(this.#sandbox);
    const folders = new Folders((path) => rootOf(path, roots));
    let file: string | undefined;
    try {
      const change = await changes.find(id);
      if (change === undefined) throw new Error('the record of an open change cannot be read');
      file = change.files[0]?.file;
      const held = change.files.map((one) => this.#hold(this.#admitted(one.file), folders));
      // A living process that is making the change has these locks, so this throws BUSY at once.
      folders.lockAll(0);
      // The previous holder of the locks may have settled it.
      if ((await changes.find(id))?.state !== 'open') return;
      const outcome = await this.#settle(change, held, folders);
      if (outcome === undefined) {
        log.notice('error', 'recovery_waiting', { reason: 'not_ours', change: id, file });
        return;
      }
      await store.endChange(id, trailRecordOf(eventOf(change, outcome), now()));
      unmark(id, held[0]);
      log.notice(outcome === 'unknown' ? 'error' : 'warn', 'recovered', {
        state: STATES[outcome],
        count: change.files.length,
        file,
      });
    } catch (error) {
      const code = ignoring('all', () => ioRefusal('settle the change', error).code) ?? 'INTERNAL';
      if (code !== 'BUSY') log.notice('error', 'recovery_waiting', { code, file });
    } finally {
      folders.release();
    }
  }

  /** Parses the file of a record under the present policy, because a record may name a path that no request could. */
  #admitted(file: string): SafePath {
    const path = this.#sandbox.parse(file);
    contextOf(this.#sandbox).admission.requireAdmitted(path);
    return path;
  }

  /** Holds the folder; undefined where it is gone, with everything in it. */
  #hold(path: SafePath, folders: Folders): HeldFolder | undefined {
    return unlessChanged(() => folders.hold(path));
  }

  /** Returns how the change ended; undefined if it would have to be undone and no server that writes here has begun it. */
  async #settle(
    change: KeptChange,
    held: readonly (HeldFolder | undefined)[],
    folders: Folders,
  ): Promise<keyof typeof STATES | undefined> {
    const exactFiles = await this.#state.store.exactFilesOf(change.id);
    if (exactFiles === undefined) throw new Error('what was removed by an open change cannot be read');
    const isOwn = !isShared(this.#state) || isMarkedOwn(change.id, exactFiles, held[0]);
    for (const [index, folder] of held.entries()) removeTemporary(change.id, index, folder);
    const found = change.files.map((file, index) => {
      const masked = exactFiles.find((one) => one.file === file.file);
      const hashes = masked ?? file;
      return {
        ...{ index, file, folder: held[index] },
        undo: masked?.undo ?? invert(file.base, file.edits),
        baseSha256: hashes.base_sha256,
        ...this.#find(file, hashes),
      };
    });
    if (found.some(({ isBase, isResult }) => !isBase && !isResult)) return 'unknown';
    if (found.every(({ isResult }) => isResult)) return 'applied';
    const isUntouched = found.every(({ isBase, file }) => isBase && file.folders === undefined);
    if (!isOwn && !isUntouched) return undefined;
    this.#undo(change.id, found, folders);
    return 'rolled_back';
  }

  #find(
    { file, file_op: fileOp }: Pick<FoundFile['file'], 'file' | 'file_op'>,
    { base_sha256, result_sha256 }: { readonly base_sha256: string; readonly result_sha256: string },
  ): Pick<FoundFile, 'snapshot' | 'isBase' | 'isResult'> {
    const path = this.#admitted(file);
    const present = unlessChanged(() => exact(this.#sandbox.open(path).read()));
    const absent =
      fileOp === undefined || present !== undefined
        ? undefined
        : unlessChanged(() => exact(this.#sandbox.openAbsent(path)));
    const isBase = fileOp === 'create' ? absent !== undefined : present?.sha256 === base_sha256;
    const isResult = fileOp === 'delete' ? absent !== undefined : present?.sha256 === result_sha256;
    return { snapshot: present ?? absent, isBase, isResult };
  }

  /** Puts the base back into the files. Where that fails it throws, and the files are as they were. */
  #undo(id: string, found: readonly FoundFile[], folders: Folders): void {
    const staged: Staged[] = [];
    try {
      for (const { index, file, folder, snapshot, isBase, undo, baseSha256 } of found) {
        if (isBase || snapshot === undefined || folder === undefined) continue;
        const { mode } = file;
        const fileOp = file.file_op && UNDOING[file.file_op];
        const edit = VerifiedEdit.prove(snapshot, undo, () => [], { fileOp, mode });
        if (fileOp !== 'delete' && edit.resultSha256 !== baseSha256)
          throw new Error('the record of an open change leads back to another text');
        const names = { newName: tempNameOf(id, index, 'new'), oldName: tempNameOf(id, index, 'old') };
        staged.push(stage(edit, folder, names));
      }
      writeAllNew(staged);
      const failed = publish(staged, folders);
      if (failed !== undefined) throw failed.error;
    } finally {
      for (const file of staged) file.discard();
    }
    for (const { file } of found)
      for (const folder of file.folders ?? []) folders.removeAtRelease(this.#sandbox.parse(folder));
  }
}

const UNDOING: Readonly<Record<FileOp, FileOp>> = { create: 'delete', delete: 'create' };

/** Removes the temporary files. One of them may be a second name of a file that was just created. */
function removeTemporary(id: string, index: number, folder: HeldFolder | undefined): void {
  if (folder === undefined) return;
  for (const use of ['new', 'old'] as const) {
    const name = tempNameOf(id, index, use);
    const facts = folder.directory.factsOf(name);
    if (facts?.kind === 'file' && facts.uid === (process.geteuid?.() ?? facts.uid))
      folder.directory.unlink(name);
  }
}

/** Answers what `read` answers; undefined where another program has changed the file. */
function unlessChanged<Result>(read: () => Result): Result | undefined {
  return unlessRefused(read, CHANGED_BY_OTHERS);
}

function eventOf({ id, preview, confirmed_by, reviewer, files }: KeptChange, outcome: Outcome) {
  return {
    ...{ action: 'recover', outcome, files: auditedFiles(files), preview, change_id: id },
    ...{ confirmed_by, reviewer },
  };
}
