// The one door to the files of the operator. Whoever holds a Sandbox can reach the plain files below its
// roots that its policy admits, and nothing else; every method that takes a capability refuses look-alikes.

import type { Log } from '../audit/log.ts';
import type { Containment, HeldDirectory, HeldEntry } from '../containment/held.ts';
import { type DirectoryHandle, type PinnedRoot, toDirectoryHandle } from '../containment/roots.ts';
import { isGone, missing, walk } from '../containment/walk.ts';
import { VerifiedEdit } from '../edits/verified-edit.ts';
import { ioRefusal } from '../errors/io-refusal.ts';
import { errnoOf } from '../fs/ambient-fs.ts';
import type { Admission } from '../paths/admission.ts';
import { compileGlob } from '../paths/glob.ts';
import type { PathTest } from '../paths/pattern.ts';
import { SafePath } from '../paths/safe-path.ts';
import type { Policy, SchemaBinding } from '../policy/policy.ts';
import { policyFingerprint } from '../policy/policy-fingerprint.ts';
import { type CommitAbout, commit } from '../writer/commit.ts';
import type { Recovery } from '../writer/recovery.ts';
import { requireRegularFile } from './file-kind.ts';
import { requireSize } from './file-size.ts';
import { requireSingleLink } from './hard-link.ts';
import { type Listing, listFiles } from './list.ts';
import type { OperatorFiles } from './operator-files.ts';
import { Readings } from './read-cache.ts';
import { type SandboxFile, sandboxFile } from './sandbox-file.ts';
import type { Origin } from './snapshot.ts';

const KEY: unique symbol = Symbol('Sandbox');

/** What `openSandbox` prepared: everything here has been checked. */
export interface SandboxContext {
  readonly policy: Policy;
  readonly log: Log;
  readonly containment: Containment;
  readonly isRunningAsRoot: boolean;
  readonly roots: readonly PinnedRoot[];
  readonly admission: Admission;
  readonly operatorFiles: OperatorFiles;
  readonly recovery: Recovery;
  readonly schemas: readonly { readonly binding: SchemaBinding; readonly matches: PathTest }[];
}

export interface ListQuery {
  readonly pattern?: string | undefined;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export class Sandbox {
  readonly #context: SandboxContext;
  readonly #origin: Origin;
  readonly #policyFingerprint: string;
  /** Mostly it is the same file again, and by text and policy alone the same path. */
  #lastParsed: { readonly file: string; readonly path: SafePath } | undefined;

  /** @internal Made by `openSandbox` only. */
  constructor(key: typeof KEY, context: SandboxContext) {
    if (key !== KEY) throw new TypeError('a Sandbox is made by openSandbox only');
    this.#context = context;
    this.#policyFingerprint = policyFingerprint(
      context.policy,
      context.roots.map(({ place }) => place),
    );
    this.#origin = Object.freeze({
      fileSizeBytes: context.policy.limits.fileSizeBytes,
      readings: new Readings(context.policy.limits.parsedSizeBytes),
    });
    Object.freeze(this);
  }

  /** How files are kept inside the root on this machine; say it to whoever asks. */
  get containment(): Containment {
    return this.#context.containment;
  }

  /** Then the system's own permissions hold nothing back. */
  get isRunningAsRoot(): boolean {
    return this.#context.isRunningAsRoot;
  }

  /** In the operator's order; `[undefined]` for a single unnamed root. */
  get rootNames(): readonly (string | undefined)[] {
    return this.#context.roots.map((root) => root.name);
  }

  /** For holding the very same roots in another thread, as long as this sandbox is open. */
  get rootHandles(): readonly DirectoryHandle[] {
    return this.#context.roots.map(toDirectoryHandle);
  }

  /** What a preview is made under: under another policy it is worth nothing. */
  get policyFingerprint(): string {
    return this.#policyFingerprint;
  }

  /** The schemas that the operator has bound to the path, in their order. */
  schemasFor(path: SafePath): readonly SchemaBinding[] {
    return this.#context.schemas
      .filter(({ matches }) => matches(path.components))
      .map(({ binding }) => binding);
  }

  /** Text rules only. Throws PATH_INVALID, PATH_OUTSIDE_ROOT or PATH_DENIED. */
  parse(file: string): SafePath {
    if (this.#lastParsed?.file === file) return this.#lastParsed.path;
    this.#context.admission.requireNotAttempted(file);
    const path = SafePath.parse(file, this.rootNames);
    this.#lastParsed = { file, path };
    return path;
  }

  /** Holds the file without opening it; the caller reads or closes it. Policy first, then the disk. */
  open(path: SafePath): SandboxFile {
    if (!SafePath.isGenuine(path)) throw new TypeError('only a SafePath that was parsed can be opened');
    this.#context.admission.requireAdmitted(path);
    const file = path.toString();
    try {
      const entry = this.#hold(path, file);
      try {
        this.#context.operatorFiles.requireNone(entry.facts, file);
        requireRegularFile(entry.facts, file);
        requireSingleLink(entry.facts, file);
        requireSize(entry.facts.sizeBytes, this.#context.policy.limits.fileSizeBytes, file, 'file');
        return sandboxFile(this.#origin, path, entry);
      } catch (error) {
        entry.close();
        throw error;
      }
    } catch (error) {
      throw ioRefusal('open this file', error, file);
    }
  }

  /** A page of the files that exist for the agent. Throws ARGUMENT_INVALID for a bad pattern. */
  list(query: ListQuery): Listing {
    const { admission, operatorFiles, roots, policy } = this.#context;
    const matches = query.pattern === undefined ? () => true : compileGlob(query.pattern);
    const after = query.after === undefined ? undefined : this.parse(query.after);
    const limit = Math.max(1, Math.trunc(query.limit));
    try {
      for (const root of roots) requirePresent(root.directory);
      const isHidden = operatorFiles.now();
      const entryBudget = policy.limits.listEntries;
      return listFiles(roots, admission, { matches, isHidden, after, limit, entryBudget });
    } catch (error) {
      throw ioRefusal('list the files', error);
    }
  }

  /** All of the edits or none, if they are approved as the policy asks; see commit/commit.ts. */
  commit(edits: readonly VerifiedEdit[], about: CommitAbout = {}): void {
    const own = [...edits];
    for (const edit of own) {
      if (!VerifiedEdit.isGenuine(edit))
        throw new TypeError('only a VerifiedEdit that was proven can be committed');
      if (!edit.snapshot.isFrom(this.#origin))
        throw new TypeError('the snapshot was read through another sandbox');
      this.#context.admission.requireAdmitted(edit.snapshot.path);
    }
    const { policy, log, recovery } = this.#context;
    const rootOf = (path: SafePath) => this.#rootOf(path);
    commit(own, { policy, log, recovery, rootOf, about });
  }

  close(): void {
    for (const root of this.#context.roots) root.directory.close();
  }

  #hold(path: SafePath, file: string): HeldEntry {
    const root = this.#rootOf(path);
    try {
      const directory = walk(root, path.components.slice(0, -1), file);
      try {
        const entry = directory.hold(path.components.at(-1) ?? '');
        if (entry === undefined) throw missing(root, file);
        return entry;
      } finally {
        if (directory !== root) directory.close();
      }
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') requirePresent(root);
      throw error;
    }
  }

  #rootOf(path: SafePath): HeldDirectory {
    const root = this.#context.roots.find(({ name }) => name === path.root);
    // The path was parsed for other roots: ours to prevent, not the agent's to mend.
    if (root === undefined) throw new TypeError('the path was parsed for another sandbox');
    return root.directory;
  }
}

/** Room-internal: the ambient part of opening is in open-sandbox.ts. */
export function sandboxOn(context: SandboxContext): Sandbox {
  return new Sandbox(KEY, context);
}

function requirePresent(root: HeldDirectory): void {
  if (isGone(root)) throw missing(root, '');
}
