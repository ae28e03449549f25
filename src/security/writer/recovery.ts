// Brings in order what a dead process left in the middle of a commit. The rule of a batch is its journal:
// while there is one, all files become the new ones; where there is none, all stay or go back to the old.
// Only called with the right to break a lock whose owner is certainly dead, or with the lock itself.
// Throws BUSY, and says so in the log, where it may not or cannot: then nothing was changed, and the folder
// stays locked, for half of a batch must not pass for a whole.
import type { Log } from '../audit/log.ts';
import { type HeldDirectory, walk } from '../containment/held.ts';
import { Refusal } from '../errors/refusal.ts';
import { errnoOf, sameInode } from '../fs/ambient-fs.ts';
import type { FolderIntent, FolderName, Intent } from '../locking/intent.ts';
import { type StaleLock, takeOver } from '../locking/lock.ts';
import { InterruptedFile } from './interrupted-file.ts';
import { isAbandoned, Journal, type JournalText } from './journal.ts';
import { type FolderAt, type Left, recordAll, report, waiting } from './recovery-record.ts';

export interface RecoveryContext {
  readonly log: Log;
  readonly limitBytes: number;
  readonly rootNamed: (name: string | undefined) => HeldDirectory | undefined;
  readonly isAdmitted: (components: readonly string[]) => boolean;
  readonly isFolderVisible: (components: readonly string[]) => boolean;
}

/** That a batch is to be finished. */
interface BatchDecision {
  readonly journal: Journal;
  readonly text: JournalText;
}

export class Recovery {
  readonly #context: RecoveryContext;
  readonly #underWay = new Set<string>();

  constructor(context: RecoveryContext) {
    this.#context = context;
  }

  /** The folder of a dead lock with that intent. False: another process is at it. */
  recover(here: FolderAt, intent: Intent): boolean {
    return this.#guarded(here, intent.batch, () => this.#recover(here, intent));
  }

  /** A journal without a lock beside it, which somebody must have deleted. */
  recoverJournal(here: FolderAt, batch: string): boolean {
    return this.#guarded(here, batch, () => {
      const decision = decisionIn(here, batch);
      if (decision === undefined) return true;
      if (decision === 'damaged' || !isAbandoned(decision.text))
        throw waiting(this.#context.log, here, 'damaged');
      const own = decision.text.folders[0];
      return own !== undefined && this.#finish(here, own.folder, decision);
    });
  }

  #guarded(here: FolderAt, batch: string, act: () => boolean): boolean {
    if (this.#underWay.has(batch)) return false;
    this.#underWay.add(batch);
    try {
      return act();
    } catch (error) {
      if (errnoOf(error) === undefined && !(error instanceof Refusal)) throw error;
      throw error instanceof Refusal && error.code === 'BUSY'
        ? error
        : waiting(this.#context.log, here, 'not_possible', error);
    } finally {
      this.#underWay.delete(batch);
    }
  }

  #recover(here: FolderAt, intent: Intent): boolean {
    const wanted = intent.journal;
    if (wanted === undefined) return this.#closeFolder(here, intent, false);
    const isHere = here.directory.facts().ino.toString() === wanted.ino;
    const first = isHere ? here : this.#reach(here, intent.folder, wanted.folder);
    try {
      const decision = first && decisionIn(first, intent.batch);
      if (decision === 'damaged') throw waiting(this.#context.log, here, 'damaged');
      if (decision !== undefined) return this.#finish(here, intent.folder, decision);
      const isCertain = first?.directory.facts().ino.toString() === wanted.ino;
      // Nothing is pending here, or it is certain that there is no journal.
      if (!isCertain && this.#filesOf(here, intent, intent.batch).some(({ file }) => file.isPending))
        throw waiting(this.#context.log, here, first === undefined ? 'out_of_reach' : 'damaged');
      return this.#closeFolder(here, intent, isCertain);
    } finally {
      if (first !== undefined && first !== here) this.#leave(first);
    }
  }

  /** Without a journal, each folder can go back on its own. */
  #closeFolder(here: FolderAt, intent: Intent, mayUndo: boolean): boolean {
    const files = this.#filesOf(here, intent, intent.batch);
    const back = mayUndo ? files.filter(({ file }) => file.canUndo()) : [];
    if (back.length > 0) {
      this.#requireAdmitted(here, back);
      recordAll(this.#context.log, back, () => 'intent');
      for (const { file } of back) file.undo();
      here.directory.sync();
    }
    for (const { file } of files) file.drop();
    report(this.#context.log, here, files);
    return true;
  }

  /** With a journal, the batch is one: all of its folders are needed, or none is touched. */
  #finish(here: FolderAt, hereAsTheirs: FolderName, { journal, text }: BatchDecision): boolean {
    const { batch, folders } = text;
    const reached: FolderAt[] = [];
    const takenOver: StaleLock[] = [];
    let isDone = false;
    try {
      const files = folders.flatMap((part) => {
        const at = this.#reach(here, hereAsTheirs, part.folder);
        if (at === undefined) throw waiting(this.#context.log, here, 'out_of_reach');
        reached.push(at);
        return this.#filesOf(at, part, batch);
      });
      for (const at of reached) {
        if (sameInode(at.directory.facts(), here.directory.facts())) continue;
        const staleLock = takeOver(at.directory);
        if (staleLock === undefined) return false;
        takenOver.push(staleLock);
        const other = staleLock.intent;
        if (other !== undefined && other.batch !== batch && !this.recover(at, other)) return false;
      }
      this.#requireAdmitted(here, files);
      this.#decide(files, reached, journal);
      isDone = true;
      report(this.#context.log, here, files);
      return true;
    } finally {
      for (const staleLock of takenOver) staleLock.release(isDone);
      for (const at of reached) this.#leave(at);
    }
  }

  #decide(files: readonly Left[], folders: readonly FolderAt[], journal: Journal): void {
    recordAll(this.#context.log, files, () => 'intent');
    const syncAll = () => {
      for (const { directory } of folders) directory.sync();
    };
    const isFinished = files.every(({ file }) => file.canFinish()) && files.every(isFinishedNow);
    // Somebody edited a file before its turn came, or took away its new contents: all go back.
    if (!isFinished) {
      journal.remove();
      for (const { file } of files.toReversed()) file.undo();
    }
    syncAll();
    for (const { file } of files) file.drop();
    // The old contents must be gone for good before the journal is: without it they would come back.
    syncAll();
    journal.remove();
  }

  #filesOf(at: FolderAt, part: FolderIntent, batch: string): Left[] {
    return part.files.map((intended, index) => ({
      file: new InterruptedFile(at.directory, intended, { batch, index }, this.#context.limitBytes),
      components: [...at.name.path, intended.name],
      root: at.name.root,
    }));
  }

  /** Our name of it, walked to; undefined where this server does not get there. */
  #reach(here: FolderAt, theirs: FolderName, wanted: FolderName): FolderAt | undefined {
    const name = translateFolder(here.name, theirs, wanted);
    if (name === undefined || !this.#isReachable(name)) return undefined;
    const root = this.#context.rootNamed(name.root);
    if (root === undefined) return undefined;
    try {
      return { name, directory: walk(root, name.path, name.path.join('/')) };
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  }

  #isReachable({ path }: FolderName): boolean {
    return path.every((_name, index) => this.#context.isFolderVisible(path.slice(0, index + 1)));
  }

  #leave({ name, directory }: FolderAt): void {
    if (directory !== this.#context.rootNamed(name.root)) directory.close();
  }

  // A forged lock or journal may name what no request could.
  #requireAdmitted(here: FolderAt, files: readonly Left[]): void {
    if (!files.every(({ components }) => this.#context.isAdmitted(components)))
      throw waiting(this.#context.log, here, 'not_admitted');
  }
}

/** As the journal in that folder says; undefined where there is none. */
function decisionIn({ directory }: FolderAt, batch: string): BatchDecision | 'damaged' | undefined {
  const journal = new Journal(directory, batch);
  const text = journal.read();
  return typeof text === 'object' ? { journal, text } : text;
}

/** What was renamed before the death, or can be now; an edit on top of it stays. */
function isFinishedNow({ file }: Left): boolean {
  return file.state() !== 'base' || file.finish();
}

/**
 * Where a folder that another server named is below our roots: `here` is our name of the folder that they call `theirs`;
 * answers our name of what they call `wanted`. Servers may have different roots: what holds is how two folders of one
 * root lie to each other. A guess, and no more: whoever follows it must recognise what is there.
 */
export function translateFolder(
  here: FolderName,
  theirs: FolderName,
  wanted: FolderName,
): FolderName | undefined {
  if (wanted.root !== theirs.root) return wanted;
  if (endsWith(here.path, theirs.path)) {
    const above = here.path.slice(0, here.path.length - theirs.path.length);
    return { root: here.root, path: [...above, ...wanted.path] };
  }
  if (!endsWith(theirs.path, here.path)) return undefined;
  const above = theirs.path.slice(0, theirs.path.length - here.path.length);
  const isBelow = above.every((name, index) => wanted.path[index] === name);
  return isBelow ? { root: here.root, path: wanted.path.slice(above.length) } : undefined;
}

function endsWith(path: readonly string[], end: readonly string[]): boolean {
  const from = path.length - end.length;
  return end.every((name, index) => path[from + index] === name);
}
