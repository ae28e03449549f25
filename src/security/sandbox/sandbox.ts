// The only access to the files below the roots. Whoever holds a Sandbox can reach the plain files that its policy allows, and
// nothing else.
import type { Log } from '../audit/log.ts';
import { type Containment, fileNotFound, type HeldDirectory, isGone } from '../containment/held.ts';
import { type DirectoryHandle, type PinnedRoot, toDirectoryHandle } from '../containment/roots.ts';
import { ioRefusal } from '../errors/refusal.ts';
import { closing } from '../fs/ambient-fs.ts';
import type { Admission } from '../paths/admission.ts';
import { compileExclusion, compileGlob, Glob, meantBy, splitExclusions } from '../paths/glob.ts';
import type { PathTest } from '../paths/operator-pattern.ts';
import type { RuleFiles } from '../paths/rule-files.ts';
import { SafePath } from '../paths/safe-path.ts';
import type { FileFacts } from '../policy/facts.ts';
import { type Policy, policyFingerprint, type SchemaBinding } from '../policy/policy.ts';
import type { Verdict } from '../policy/verdict.ts';
import type { Masking } from '../secrets/masking.ts';
import { findAbsence } from './absence.ts';
import { ChangeJudge } from './change-judge.ts';
import { FileOpener, pinnedRootOf, rootOf } from './file-opener.ts';
import { type Listing, listFiles } from './list.ts';
import type { OperatorFiles, SandboxFile } from './sandbox-file.ts';
import { absentSnapshot, type Origin, type Snapshot } from './snapshot.ts';

/** The parts of a sandbox, all of them checked. */
export interface SandboxContext {
  readonly policy: Policy;
  readonly log: Log;
  readonly containment: Containment;
  readonly isRunningAsRoot: boolean;
  readonly roots: readonly PinnedRoot[];
  readonly admission: Admission;
  readonly operatorFiles: OperatorFiles;
  /** The origin of all snapshots of this sandbox. */
  readonly origin: Origin;
  /** The file test of each rule about changes, in order. */
  readonly ruleFiles: readonly RuleFiles[];
  readonly schemas: readonly { readonly binding: SchemaBinding; readonly matches: PathTest }[];
}

export interface ListQuery {
  readonly pattern?: string | undefined;
  /** The cursor: `next` of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
  /** A bound for the directory entries that are looked at, below that of the policy. */
  readonly mostEntries?: number;
}

let context: (sandbox: Sandbox) => SandboxContext;

export class Sandbox {
  static {
    context = (sandbox) => sandbox.#context;
  }
  readonly #context: SandboxContext;
  readonly #policyFingerprint: string;
  readonly #judge: ChangeJudge;

  /** @internal Made by `openSandbox` only. */
  constructor(context: SandboxContext) {
    this.#context = context;
    this.#judge = new ChangeJudge(context.policy, context.ruleFiles);
    this.#policyFingerprint = policyFingerprint(context.policy);
    Object.freeze(this);
  }

  /** True if secrets are masked in the texts that are read. */
  get isMasked(): boolean {
    return this.#context.origin.masking !== undefined;
  }

  /** The containment that is in force on this machine. */
  get containment(): Containment {
    return this.#context.containment;
  }

  /** True if the process runs as root, so that the system's permissions do not limit it. */
  get isRunningAsRoot(): boolean {
    return this.#context.isRunningAsRoot;
  }

  /** The names of the roots in the operator's order; `[undefined]` for a single unnamed root. */
  get rootNames(): readonly (string | undefined)[] {
    return this.#context.roots.map((root) => root.name);
  }

  /** False for a command on a machine that has the state and not the files: no file can be opened then. */
  get hasRoots(): boolean {
    return this.#context.roots.length > 0;
  }

  /** The handles by which another thread holds the very same roots, as long as this sandbox is open. */
  get rootHandles(): readonly DirectoryHandle[] {
    return this.#context.roots.map(toDirectoryHandle);
  }

  /** The fingerprint of what is seen and masked; a preview is not valid under another one. */
  get policyFingerprint(): string {
    return this.#policyFingerprint;
  }

  /** The schemas that the operator has bound to the path, in their order. */
  schemasFor(path: SafePath): readonly SchemaBinding[] {
    return this.#context.schemas
      .filter(({ matches }) => matches(path.components))
      .map(({ binding }) => binding);
  }

  /**
   * Judges a change of a file by the operator's rules. The format's adapter computes the `facts` of exactly this edit where
   * there are rules. The engines that the policy needs must have been loaded. `principal` is who makes it, if a transport has
   * verified that.
   */
  judge(path: SafePath, facts: () => FileFacts, principal: string | undefined): Verdict {
    return this.#judge.verdictOn(path, facts, principal);
  }

  /** Parses a file argument by the rules for its text. Throws PATH_INVALID, PATH_OUTSIDE_ROOT or PATH_DENIED. */
  parse(file: string): SafePath {
    this.#context.admission.requireNotAttempted(file);
    return SafePath.parse(file, this.rootNames, this.#context.admission.formatOf);
  }

  /** Throws PATH_DENIED for a path that the policy does not allow; does not ask the disk. */
  requireServed(path: SafePath): void {
    this.#context.admission.requireAdmitted(path);
  }

  /** Holds the file without opening it; the caller reads or closes it. The policy is asked before the disk. */
  open(path: SafePath): SandboxFile {
    return closing(this.opener(), (opener) => opener.open(path));
  }

  /** Makes an opener for many files, which the caller closes. */
  opener(): FileOpener {
    return new FileOpener(this.#context);
  }

  /**
   * Returns an empty snapshot for a path where no file is, so that one can be created. The policy is asked before the disk.
   * Throws FILE_EXISTS, also where the name is taken in another spelling.
   */
  openAbsent(path: SafePath): Snapshot {
    const { admission, roots, operatorFiles, policy, origin } = this.#context;
    admission.requireAdmitted(path);
    const file = path.toString();
    operatorFiles.requireNoneAt(pinnedRootOf(path, roots).realPath, path, file);
    const root = rootOf(path, roots);
    try {
      requirePresent(root);
      return absentSnapshot(origin, path, findAbsence(root, path, policy.limits.listEntries));
    } catch (error) {
      throw ioRefusal('create this file', error, file);
    }
  }

  /** Returns a page of the files that the agent may know. Throws ARGUMENT_INVALID for a bad pattern. */
  list(query: ListQuery): Listing {
    const { admission, operatorFiles, policy } = this.#context;
    const { wanted, excluded } = splitExclusions(query.pattern ?? '**');
    const { roots, glob: pattern = '**' } = meantBy(wanted, this.#context.roots);
    const glob = new Glob(pattern);
    const isExcluded = compileExclusion(excluded, this.#context.roots);
    const after = query.after === undefined ? undefined : this.parse(query.after);
    const limit = Math.max(1, Math.trunc(query.limit));
    try {
      for (const root of roots) requirePresent(root.directory);
      const isHidden = operatorFiles.matcher();
      const entryBudget = Math.min(policy.limits.listEntries, query.mostEntries ?? Number.POSITIVE_INFINITY);
      return listFiles(roots, admission, { glob, isExcluded, isHidden, after, limit, entryBudget });
    } catch (error) {
      throw ioRefusal('list the files', error);
    }
  }

  /** Compiles a pattern of `list` to a test of a file, which need not be there. Throws ARGUMENT_INVALID. */
  matching(pattern: string): (path: SafePath) => boolean {
    const { wanted, excluded } = splitExclusions(pattern);
    const { roots, glob = '**' } = meantBy(wanted, this.#context.roots);
    const matches = compileGlob(glob);
    const isExcluded = compileExclusion(excluded, this.#context.roots);
    return ({ root, components }) =>
      roots.some(({ name }) => name === root) &&
      matches(components) &&
      !components.some((_, depth) => isExcluded(root, components.slice(0, depth + 1)));
  }

  close(): void {
    for (const root of this.#context.roots) root.directory.close();
  }
}

/** Returns the parts that the writer needs. Only this layer uses it. */
export function contextOf(sandbox: Sandbox): SandboxContext {
  return context(sandbox);
}

/** Returns a sandbox for the same files that masks what it reads. */
export function maskedSandbox(sandbox: Sandbox, masking: Masking, onOpen?: Origin['onOpen']): Sandbox {
  const { origin, ...rest } = context(sandbox);
  return new Sandbox({ ...rest, origin: Object.freeze({ ...origin, masking, onOpen }) });
}

/** Makes a sandbox of parts that open-sandbox.ts has checked and opened. Only this layer uses it. */
export function sandboxOn(context: SandboxContext): Sandbox {
  return new Sandbox(context);
}

function requirePresent(root: HeldDirectory): void {
  if (isGone(root)) throw fileNotFound(root, '');
}
