// Counts the files of a listing that are closed only because the allowlist leaves them out, by their endings, with an example of
// each. Program source and binary files are left out: in a source repository they are most files, and no configuration.

const MOST_KINDS = 4;

/** The files with one ending, or one name that has none. */
interface ClosedKind {
  readonly ending: string;
  readonly count: number;
  /** The one nearest to the root. */
  readonly example: string;
}

export interface ClosedFiles {
  readonly count: number;
  /** The kinds with the most files. */
  readonly kinds: readonly ClosedKind[];
}

export class ClosedCount implements ClosedFiles {
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
export function mayBeConfiguration(name: string): boolean {
  return !NOT_CONFIGURATION.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}
