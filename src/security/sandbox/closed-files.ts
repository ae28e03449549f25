// Counts the files of a listing that are closed only because the allowlist leaves them out, and keeps some of their names. Program
// source and binary files are left out: in a source repository they are most files, and no configuration.

const MOST_NAMES = 3;

export interface ClosedFiles {
  readonly count: number;
  /** Some of them, those nearest to the root first. */
  readonly names: readonly string[];
}

export class ClosedCount implements ClosedFiles {
  #count = 0;
  #nearest: readonly { readonly path: string; readonly depth: number }[] = [];

  get count(): number {
    return this.#count;
  }

  get names(): readonly string[] {
    return this.#nearest.map(({ path }) => path);
  }

  add(path: string): void {
    this.#count += 1;
    const depth = path.split('/').length;
    if (this.#nearest.length === MOST_NAMES && depth >= (this.#nearest.at(-1)?.depth ?? 0)) return;
    this.#nearest = [...this.#nearest, { path, depth }]
      .sort((a, b) => a.depth - b.depth)
      .slice(0, MOST_NAMES);
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
    'webp woff woff2 xls xlsx xz zip zst',
  ].flatMap((line) => line.split(' ')),
);

/** True if a file of this name may be configuration, or is of a kind that is not known. */
export function mayBeConfiguration(name: string): boolean {
  return !NOT_CONFIGURATION.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}
