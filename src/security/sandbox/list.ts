// Lists the files that the policy allows. The order is fixed, so that the last path of a page is enough to find the next page.
// Denied files, links and other special files are neither listed nor counted. A listed file may be gone a moment later.
import type { HeldDirectory } from '../containment/held.ts';
import type { PinnedRoot } from '../containment/roots.ts';
import { ignoring } from '../errors/refusal.ts';
import { closing, type DirectoryEntry, type FileFacts } from '../fs/ambient-fs.ts';
import type { Admission } from '../paths/admission.ts';
import type { Exclusion, Glob, GlobPlace } from '../paths/glob.ts';
import { listedPath, type SafePath } from '../paths/safe-path.ts';

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
interface ListRequest {
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

const MOST_KINDS = 4;

/** The files with one ending, or one name that has none. */
interface ClosedKind {
  readonly ending: string;
  readonly count: number;
  /** The one nearest to the root. */
  readonly example: string;
}

/**
 * The files that are closed only because the allowlist leaves them out. Source code and binary files are not counted: most files
 * of a repository are such, and none of them is configuration.
 */
export interface ClosedFiles {
  readonly count: number;
  /** The kinds with the most files. */
  readonly kinds: readonly ClosedKind[];
}

class ClosedCount implements ClosedFiles {
  readonly #kinds = new Map<string, ClosedKind>();
  count = 0;

  get kinds(): readonly ClosedKind[] {
    return [...this.#kinds.values()].sort((a, b) => b.count - a.count).slice(0, MOST_KINDS);
  }

  add(path: string): void {
    this.count += 1;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const ending = /[^.](\.[^.]+)$/u.exec(name)?.[1] ?? name;
    const { count = 0, example = path } = this.#kinds.get(ending) ?? {};
    const nearer = path.split('/').length < example.split('/').length ? path : example;
    this.#kinds.set(ending, { ending, count: count + 1, example: nearer });
  }
}

const NOT_CONFIGURATION = new Set(
  [
    'adb ads asm astro bat c cc clj cljs cmd coffee cpp cs csproj css cts cu cxx d dart ejs elm erl ex exs f f90 fs fsx',
    'ftlh gd go graphql graphqls gql grit groovy h hbs hh hpp hrl hs htm html hxx ino ipynb java jl js jsp jsx kt kts less',
    'lua m mdx mjs ml mli mm mts mustache nim pas php pl pm proto ps1 pug py pyi pyx r rb rs s sass scala scss sh snap sol',
    'sql styl svelte swift ts tsx v vb vue wat zig cjs adoc rst diff patch stderr stdout expect golden log map sum lock',
    '7z a avi avif bin bmp bz2 class crt cer db dll doc docx dylib eot exe flac gif gz ico icns idx jar jpeg jpg la lib mo',
    'mov mp3 mp4 o obj odt ogg otf pack pdf png ppt pptx psd pyc rar so sqlite svg tar tgz tif tiff ttf war wasm wav webm',
    'webp woff woff2 xls xlsx xz zip zst license notice copying authors gitkeep keep',
  ].flatMap((line) => line.split(' ')),
);

/** True if a file of this name may be configuration, or is of a kind that is not known. */
function mayBeConfiguration(name: string): boolean {
  return !NOT_CONFIGURATION.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}
