// Lists the files that the policy allows. The order is fixed, so that the last path of a page is enough to find the next page.
// Denied files, links and other special files are neither listed nor counted. A listed file may be gone a moment later.
import type { HeldDirectory } from '../containment/held.ts';
import type { PinnedRoot } from '../containment/roots.ts';
import { ignoring } from '../errors/io-refusal.ts';
import type { DirectoryEntry, FileFacts } from '../fs/ambient-fs.ts';
import { closing } from '../fs/fd-io.ts';
import type { Admission } from '../paths/admission.ts';
import type { Exclusion, Glob, GlobPlace } from '../paths/glob.ts';
import { listedPath, type SafePath } from '../paths/safe-path.ts';
import { ClosedCount, type ClosedFiles, mayBeConfiguration } from './closed-files.ts';

export interface ListedFile {
  readonly path: SafePath;
  readonly sizeBytes: number;
}

export interface Listing {
  readonly files: readonly ListedFile[];
  /** The cursor of the next page; undefined on the last one. */
  readonly next?: string;
  /** True if the limit of entries or depth was reached: there may be files that no page shows. */
  readonly truncated: boolean;
  /** Files on the way that match and that another `--allow` would open. */
  readonly closed: ClosedFiles;
  /** The number of directory entries that were looked at. */
  readonly entries: number;
}

/** Selects the files of one page. */
export interface ListRequest {
  readonly glob: Glob;
  readonly isExcluded: Exclusion;
  /** True for an entry that must be hidden whatever its name is. */
  readonly isHidden: (entry: FileFacts) => boolean;
  readonly after: SafePath | undefined;
  readonly limit: number;
  readonly entryBudget: number;
}

const MAX_DEPTH = 64;
/** The last part of the budget, in which a file that does not match is a cursor for the rest as well. */
const LAST_PART = 1 / 100;
/** Errors of folders that cannot be read or have vanished; they are left out of a listing. */
const HIDDEN = ['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG'] as const;

/** Lists one page of files. */
export function listFiles(roots: readonly PinnedRoot[], admission: Admission, search: ListRequest): Listing {
  const walk = new ListWalk(admission, search);
  const start = search.after === undefined ? 0 : roots.findIndex((root) => root.name === search.after?.root);
  for (const [index, root] of roots.entries()) {
    if (index < start || walk.isOver) continue;
    const top = { root, directory: root.directory, components: [], place: search.glob.start };
    walk.folder(top, index === start ? search.after?.components : undefined);
  }
  return walk.listing();
}

/** A folder that the walk has entered. */
interface Folder {
  readonly root: PinnedRoot;
  readonly directory: HeldDirectory;
  readonly components: readonly string[];
  readonly place: GlobPlace;
}

/** Walks through the folders and collects one page. */
class ListWalk {
  readonly #admission: Admission;
  readonly #search: ListRequest;
  readonly #files: ListedFile[] = [];
  readonly #closed = new ClosedCount();
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
  folder(folder: Folder, after?: readonly string[]): void {
    const [skipTo = '', ...deeper] = after ?? [];
    const names = this.#entriesOf(folder)
      .filter((entry) => entry.name >= skipTo)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name, hint } of names) {
      if (this.isOver) break;
      this.#budget -= 1;
      const isOnCursor = after !== undefined && name === skipTo;
      if (hint === 'directory' || hint === 'unknown') {
        this.#enter(folder, name, isOnCursor && deeper.length > 0 ? deeper : undefined);
      }
      const isPassed = isOnCursor && deeper.length === 0;
      if ((hint === 'file' || hint === 'unknown') && !isPassed) this.#file(folder, name);
    }
    if (this.#budget <= 0) this.#isTruncated = true;
  }

  listing(): Listing {
    const last = this.#files.at(-1)?.path;
    const cursor = this.#hasMore ? last : this.#budget <= 0 ? (this.#lastSeen ?? last) : undefined;
    return {
      files: this.#files,
      truncated: this.#isTruncated,
      ...(cursor && { next: cursor.toString() }),
      closed: this.#closed,
      entries: this.#search.entryBudget - this.#budget,
    };
  }

  /** Returns the names to look at: all of the folder, or those that the pattern has, which need not exist. */
  #entriesOf({ directory, place }: Folder): readonly DirectoryEntry[] {
    const only = this.#search.glob.onlyNames(place);
    if (only !== undefined) return only.map((name) => ({ name, hint: 'unknown' }));
    const listed = ignoring(HIDDEN, () => directory.entries(this.#budget));
    if (listed?.complete === false) this.#isTruncated = true;
    return listed?.entries ?? [];
  }

  #enter(
    { root, directory, components: above, place }: Folder,
    name: string,
    after?: readonly string[],
  ): void {
    const innerPlace = this.#search.glob.enter(place, name);
    if (innerPlace === undefined) return;
    const components = [...above, name];
    if (this.#search.isExcluded(root.name, components)) return;
    if (!this.#admission.isFolderVisible(components, above.length)) return;
    if (components.length >= MAX_DEPTH) {
      this.#isTruncated = true;
      return;
    }
    const inner = ignoring(HIDDEN, () => directory.enter(name));
    if (inner === undefined || typeof inner === 'string') return;
    closing(inner, () => this.folder({ root, directory: inner, components, place: innerPlace }, after));
  }

  #file({ root, directory, components: above, place }: Folder, name: string): void {
    const isMatch = this.#search.glob.matches(place, name);
    if (!isMatch && this.#budget > this.#search.entryBudget * LAST_PART) return;
    const components = [...above, name];
    if (this.#search.isExcluded(root.name, components)) return;
    const standing = this.#admission.standingOf(components, above.length);
    if (standing === 'denied' || (standing === 'closed' && !(isMatch && mayBeConfiguration(name)))) return;
    const path = listedPath(root.name, components, this.#admission.formatOf);
    if (path === undefined) return;
    const facts = ignoring(HIDDEN, () => directory.factsOf(name));
    if (facts?.kind !== 'file' || facts.links !== 1 || this.#search.isHidden(facts)) return;
    if (standing === 'closed') {
      this.#closed.add(path.toString());
      return;
    }
    if (isMatch) {
      if (this.#files.length >= this.#search.limit) {
        this.#hasMore = true;
        return;
      }
      this.#files.push({ path, sizeBytes: facts.sizeBytes });
    }
    this.#lastSeen = path;
  }
}
