// Writes proven edits: all files or none, each by an atomic rename. Everything that can be refused is
// refused before the first rename. Across a power cut or `kill -9` every single file is old or new, never
// torn; a batch of several files is not yet one unit then (a journal around `publish` would make it so).
import { sameInode } from '../ambient-fs.ts';
import { requireWritable } from '../checks/read-only.ts';
import type { HeldDirectory } from '../containment/held.ts';
import { walk } from '../containment/walk.ts';
import { ioRefusal } from '../io-refusal.ts';
import type { AuditOutcome } from '../log/fields.ts';
import type { Log } from '../log/log.ts';
import type { Policy } from '../policy.ts';
import { Refusal } from '../refusal.ts';
import type { Change } from '../review/edit.ts';
import type { VerifiedEdit } from '../review/verified-edit.ts';
import type { SafePath } from '../sandbox/safe-path.ts';
import { lockFolder } from './lock.ts';
import { publish } from './publish.ts';
import { type Staged, stage } from './stage.ts';

export interface CommittedFile {
  readonly path: SafePath;
  /** False where the edit changed nothing, and nothing was written. */
  readonly written: boolean;
  readonly baseSha256: string;
  readonly resultSha256: string;
  readonly changes: readonly Change[];
}

export interface CommitReport {
  readonly files: readonly CommittedFile[];
}

export interface CommitGround {
  readonly policy: Policy;
  readonly log: Log;
  readonly rootOf: (path: SafePath) => HeldDirectory;
  readonly requestId: string | undefined;
}

/** Leaves an audit record of every file whatever happens. Throws what the contract says, and then nothing is changed. */
export function commit(edits: readonly VerifiedEdit[], ground: CommitGround): CommitReport {
  const writes = edits.filter((edit) => !edit.isNoop);
  requireDistinct(writes);
  if (writes.length > 0) {
    try {
      requireWritable(ground.policy);
      writeAll(writes, ground);
    } catch (error) {
      const refusal = ioRefusalOrBug(error);
      recordFailure(writes, ground, refusal);
      throw refusal;
    }
    recordApplied(writes, ground);
  }
  return { files: edits.map(reported) };
}

function writeAll(writes: readonly VerifiedEdit[], ground: CommitGround): void {
  const folders = new Folders(ground);
  const staged: Staged[] = [];
  try {
    const places = writes.map((edit) => ({ edit, directory: folders.of(edit.snapshot.path) }));
    folders.lock();
    for (const { edit, directory } of places) staged.push(stage(edit, directory));
    requireDistinctInodes(staged);
    // Before anything changes: if this cannot be written down, it does not happen.
    record(writes, ground, 'intent');
    publish(staged, () => folders.requireUnmoved());
  } finally {
    for (const file of staged) file.discard();
    folders.release();
  }
}

/** The folders of a commit: held, then locked in one order that every process shares. */
class Folders {
  readonly #ground: CommitGround;
  readonly #held: { readonly path: SafePath; readonly directory: HeldDirectory }[] = [];
  readonly #locks: ReturnType<typeof lockFolder>[] = [];

  constructor(ground: CommitGround) {
    this.#ground = ground;
  }

  of(path: SafePath): HeldDirectory {
    const reached = this.#walk(path);
    const known = this.#held.find(({ directory }) => sameInode(directory.facts(), reached.facts()));
    if (known !== undefined) {
      this.#leave(path, reached);
      return known.directory;
    }
    this.#held.push({ path, directory: reached });
    return reached;
  }

  lock(): void {
    // By inode, so that two servers with different roots cannot wait for each other in a circle.
    const order = [...this.#held].sort((a, b) => compare(a.directory, b.directory));
    for (const { directory } of order) this.#locks.push(lockFolder(directory));
    this.requireUnmoved();
  }

  /** The path must still lead to what is held: a folder may have been moved out of the root, or replaced. */
  requireUnmoved(): void {
    for (const { path, directory } of this.#held) {
      const again = this.#walk(path);
      const isSame = sameInode(again.facts(), directory.facts());
      this.#leave(path, again);
      if (!isSame || !directory.isStillBelow(this.#ground.rootOf(path))) {
        throw new Refusal(
          'FILE_CHANGED',
          'Cannot write: the folder of the file was moved or replaced. Read the file again.',
          {
            file: path.toString(),
          },
        );
      }
    }
    if (!this.#locks.every((lock) => lock.isHeld())) {
      throw new Refusal(
        'BUSY',
        'Cannot write: the lock of the folder was taken away. Try again in a moment.',
      );
    }
  }

  release(): void {
    for (const lock of this.#locks.reverse()) lock.release();
    for (const { path, directory } of this.#held) this.#leave(path, directory);
  }

  #walk(path: SafePath): HeldDirectory {
    return walk(this.#ground.rootOf(path), path.components.slice(0, -1), path.toString());
  }

  #leave(path: SafePath, directory: HeldDirectory): void {
    if (directory !== this.#ground.rootOf(path)) directory.close();
  }
}

function compare(a: HeldDirectory, b: HeldDirectory): number {
  const [left, right] = [a.facts(), b.facts()];
  if (left.dev !== right.dev) return left.dev < right.dev ? -1 : 1;
  return left.ino < right.ino ? -1 : 1;
}

function requireDistinct(edits: readonly VerifiedEdit[]): void {
  const files = new Set(edits.map((edit) => edit.snapshot.path.toString()));
  if (files.size !== edits.length) throw new Error('one commit was handed two results for the same file');
}

// A file system that ignores case offers one file under two paths.
function requireDistinctInodes(staged: readonly Staged[]): void {
  const inodes = new Set(staged.map(({ base }) => `${base.dev}:${base.ino}`));
  if (inodes.size !== staged.length) throw new Error('one commit was handed two results for the same inode');
}

function ioRefusalOrBug(error: unknown): Refusal {
  return ioRefusal('write', error);
}

function recordFailure(writes: readonly VerifiedEdit[], ground: CommitGround, refusal: Refusal): void {
  try {
    const isSystem = ['IO_ERROR', 'NO_SPACE', 'PERMISSION_DENIED', 'BUSY'].includes(refusal.code);
    record(writes, ground, isSystem ? 'failed' : 'refused', refusal.code);
  } catch {
    // Nothing was changed, so the refusal on its way to the agent matters more than its record.
  }
}

function recordApplied(writes: readonly VerifiedEdit[], ground: CommitGround): void {
  try {
    record(writes, ground, 'applied');
  } catch {
    // Too late to refuse; the intent record stands without an outcome, which is what an auditor looks for.
    ground.log.event('error', 'audit_outcome_lost', { count: writes.length });
  }
}

function record(
  writes: readonly VerifiedEdit[],
  ground: CommitGround,
  outcome: AuditOutcome,
  code?: string,
): void {
  for (const { snapshot, resultSha256, changes } of writes) {
    ground.log.audit({
      action: 'commit',
      outcome,
      file: snapshot.path.toString(),
      base_sha256: snapshot.sha256,
      result_sha256: resultSha256,
      paths: changes.map((change) => change.path),
      confirmed_by: ground.policy.approval,
      code,
      request_id: ground.requestId,
    });
  }
}

function reported(edit: VerifiedEdit): CommittedFile {
  const { snapshot, resultSha256, changes } = edit;
  return { path: snapshot.path, written: !edit.isNoop, baseSha256: snapshot.sha256, resultSha256, changes };
}
