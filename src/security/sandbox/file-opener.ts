// Opens files one after the other. The folder of the last one stays held until `close`, so that a call over many files walks to each
// folder once. A folder that is moved away meanwhile can still be read; hold it for a moment only.
import { fileNotFound, type HeldDirectory, type HeldEntry, isGone, walk } from '../containment/held.ts';
import type { PinnedRoot } from '../containment/roots.ts';
import { ioRefusal } from '../errors/refusal.ts';
import { errnoOf } from '../fs/ambient-fs.ts';
import type { Admission } from '../paths/admission.ts';
import type { SafePath } from '../paths/safe-path.ts';
import type { Policy } from '../policy/policy.ts';
import { requireSize } from './file-size.ts';
import { requirePlainFile } from './plain-file.ts';
import { type OperatorFiles, type SandboxFile, sandboxFile } from './sandbox-file.ts';
import type { Origin } from './snapshot.ts';

export interface OpenerContext {
  readonly policy: Policy;
  readonly roots: readonly PinnedRoot[];
  readonly admission: Admission;
  readonly operatorFiles: OperatorFiles;
  readonly origin: Origin;
}

/** A folder that is held, or a root, which others close. */
interface Folder {
  readonly root: HeldDirectory;
  readonly components: readonly string[];
  readonly directory: HeldDirectory;
}

export class FileOpener {
  readonly #context: OpenerContext;
  #isOperators: ReturnType<OperatorFiles['matcher']> | undefined;
  #folder: Folder | undefined;

  constructor(context: OpenerContext) {
    this.#context = context;
  }

  /** Holds the file without opening it; the caller reads or closes it. The policy is asked before the disk. */
  open(path: SafePath): SandboxFile {
    const { admission, operatorFiles, origin, policy } = this.#context;
    admission.requireAdmitted(path);
    const file = path.toString();
    origin.onOpen?.(file);
    try {
      const entry = this.#hold(path, file);
      try {
        this.#isOperators ??= operatorFiles.matcher();
        operatorFiles.requireNone(entry.facts, file, this.#isOperators);
        requirePlainFile(entry.facts, file);
        requireSize(entry.facts.sizeBytes, policy.limits.fileSizeBytes, file, 'file');
        return sandboxFile(origin, path, entry);
      } catch (error) {
        entry.close();
        throw error;
      }
    } catch (error) {
      throw ioRefusal('open this file', error, file);
    }
  }

  /** Lets the folder go. The next file is walked to from its root, and operators' files are looked up anew. */
  close(): void {
    const { directory, root } = this.#folder ?? {};
    if (directory !== root) directory?.close();
    this.#folder = undefined;
    this.#isOperators = undefined;
  }

  #hold(path: SafePath, file: string): HeldEntry {
    const root = rootOf(path, this.#context.roots);
    try {
      const entry = this.#folderOf(root, path.components.slice(0, -1), file).hold(
        path.components.at(-1) ?? '',
      );
      if (entry === undefined) throw fileNotFound(root, file);
      return entry;
    } catch (error) {
      if (errnoOf(error) === 'ENOENT' && isGone(root)) throw fileNotFound(root, '');
      throw error;
    }
  }

  #folderOf(root: HeldDirectory, components: readonly string[], file: string): HeldDirectory {
    const last = this.#folder;
    const isLast =
      last?.root === root &&
      last.components.length === components.length &&
      last.components.every((name, depth) => name === components[depth]);
    if (isLast) return last.directory;
    this.close();
    const directory = walk(root, components, file);
    this.#folder = { root, components, directory };
    return directory;
  }
}

/** Returns the root that the path was parsed for. */
export function rootOf(path: SafePath, roots: readonly PinnedRoot[]): HeldDirectory {
  return pinnedRootOf(path, roots).directory;
}

export function pinnedRootOf(path: SafePath, roots: readonly PinnedRoot[]): PinnedRoot {
  const root = roots.find(({ name }) => name === path.root);
  // This is a bug of ours, which no other call of the agent can avoid.
  if (root === undefined) throw new TypeError('the path was parsed for another sandbox');
  return root;
}
