// Lists the files that the policy allows. The order is fixed, so that the last path of a page is enough to find the next page.
// Denied files, links and other special files are neither listed nor counted. A listed file may be gone a moment later.
import type { HeldDirectory } from '../containment/held.ts';
import type { PinnedRoot } from '../containment/roots.ts';
import { ignoring } from '../errors/io-refusal.ts';
import type { FileFacts } from '../fs/ambient-fs.ts';
import { closing } from '../fs/fd-io.ts';
import type { Admission } from '../paths/admission.ts';
import { listedPath, type SafePath } from '../paths/safe-path.ts';

export interface ListedFile {
  readonly path: SafePath;
  readonly sizeBytes: number;
}

export interface Listing {
  readonly files: readonly ListedFile[];
  /** The cursor of the next page; undefined on the last one. */
  readonly next?: string;
  /** True where the limit of entries or depth was reached: there may be files that no page shows. */
  readonly truncated: boolean;
}

/** Selects the files of one page. */
export interface ListRequest {
  readonly matches: (components: readonly string[]) => boolean;
  /** The nested folders that hold all matches; no other folder is entered. */
  readonly below: readonly string[];
  /** True for an entry that must be hidden whatever its name is. */
  readonly isHidden: (entry: FileFacts) => boolean;
  readonly after: SafePath | undefined;
  readonly limit: number;
  readonly entryBudget: number;
}

const MAX_DEPTH = 64;
/** Errors of folders that cannot be read or have vanished; they are left out of a listing. */
const HIDDEN = ['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'] as const;

/** Lists one page of files. */
export function listFiles(roots: readonly PinnedRoot[], admission: Admission, search: ListRequest): Listing {
  const walk = new ListWalk(admission, search);
  const start = search.after === undefined ? 0 : roots.findIndex((root) => root.name === search.after?.root);
  for (const [index, root] of roots.entries()) {
    if (index < start || walk.isOver) continue;
    walk.folder(root, root.directory, [], index === start ? search.after?.components : undefined);
  }
  return walk.listing();
}

/** Walks through the folders and collects one page. */
class ListWalk {
  readonly #admission: Admission;
  readonly #search: ListRequest;
  readonly #files: ListedFile[] = [];
  #budget: number;
  #isTruncated = false;
  #hasMore = false;
  #lastSeen: SafePath | undefined;

  constructor(admission: Admission, search: ListRequest) {
    this.#admission = admission;
    this.#search = search;
    this.#budget = search.entryBudget;
  }

  get isOver(): boolean {
    return this.#hasMore || this.#budget <= 0;
  }

  /** Walks through one folder. `after` is the rest of the cursor, if the cursor is in this folder. */
  folder(
    root: PinnedRoot,
    directory: HeldDirectory,
    above: readonly string[],
    after?: readonly string[],
  ): void {
    const listed = entriesOf(directory, this.#budget);
    if (!listed.complete) this.#isTruncated = true;
    const [skipTo = '', ...deeper] = after ?? [];
    const names = listed.entries
      .filter((entry) => entry.name >= skipTo)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name, hint } of names) {
      if (this.isOver) break;
      this.#budget -= 1;
      const isOnCursor = after !== undefined && name === skipTo;
      const components = [...above, name];
      if (hint === 'directory' || hint === 'unknown') {
        this.#enter(root, directory, components, isOnCursor && deeper.length > 0 ? deeper : undefined);
      }
      const isPassed = isOnCursor && deeper.length === 0;
      if ((hint === 'file' || hint === 'unknown') && !isPassed) this.#file(root, directory, components);
    }
    if (this.#budget <= 0) this.#isTruncated = true;
  }

  listing(): Listing {
    const last = this.#files.at(-1)?.path;
    const cursor = this.#hasMore ? last : this.#budget <= 0 ? (this.#lastSeen ?? last) : undefined;
    return { files: this.#files, truncated: this.#isTruncated, ...(cursor && { next: cursor.toString() }) };
  }

  #enter(
    root: PinnedRoot,
    directory: HeldDirectory,
    components: readonly string[],
    after?: readonly string[],
  ): void {
    const { below } = this.#search;
    if (components.some((name, depth) => name !== (below[depth] ?? name))) return;
    if (!this.#admission.isFolderVisible(components)) return;
    if (components.length >= MAX_DEPTH) {
      this.#isTruncated = true;
      return;
    }
    const inner = ignoring(HIDDEN, () => directory.enter(components.at(-1) ?? ''));
    if (inner === undefined || typeof inner === 'string') return;
    closing(inner, () => this.folder(root, inner, components, after));
  }

  #file(root: PinnedRoot, directory: HeldDirectory, components: readonly string[]): void {
    if (!this.#admission.isAdmitted(components)) return;
    const path = listedPath(root.name, components);
    if (path === undefined) return;
    const facts = ignoring(HIDDEN, () => directory.factsOf(components.at(-1) ?? ''));
    if (facts?.kind !== 'file' || facts.links !== 1) return;
    if (this.#search.isHidden(facts)) return;
    if (this.#search.matches(components)) {
      if (this.#files.length >= this.#search.limit) {
        this.#hasMore = true;
        return;
      }
      this.#files.push({ path, sizeBytes: facts.sizeBytes });
    }
    this.#lastSeen = path;
  }
}

function entriesOf(directory: HeldDirectory, limit: number): ReturnType<HeldDirectory['entries']> {
  return ignoring(HIDDEN, () => directory.entries(limit)) ?? { entries: [], complete: true };
}
