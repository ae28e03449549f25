// The files of the previews: each preview is a line of JSON under its id, and each text that it was made of stands once,
// under its hash.
import type { PreviewFile } from '../approval/preview.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { Fields, readOrUndefined } from '../records/fields.ts';
import type { StateFolder } from '../records/state-folder.ts';
import { parsedJson, sha256Hex } from '../text/canonical-json.ts';
import { textIn } from './retention.ts';

export interface SavedPreview {
  readonly id: string;
  readonly expiresAt: string;
}

export class PreviewFiles {
  readonly #folder: StateFolder;
  readonly #texts: StateFolder;
  readonly #mostBytes: number;

  constructor(folder: StateFolder, texts: StateFolder, mostBytes: number) {
    this.#folder = folder;
    this.#texts = texts;
    this.#mostBytes = mostBytes;
  }

  /** The line with the texts behind it; undefined where there is none. */
  read(id: string): string | undefined {
    const line = this.#folder.read(`${id}.json`, this.#mostBytes);
    if (line === undefined) return undefined;
    const files = readOrUndefined(() => new Fields(parsedJson(line)).list('files', textIn)) ?? [];
    return `${line}\n${files.map(([sha]) => this.#textOf(sha)).join('')}`;
  }

  /** Not synced: a preview that a power cut takes, or tears, no longer matches its id, and is made again. */
  put(id: string, line: string, files: readonly PreviewFile[]): void {
    // A text that a power cut has torn is shorter, or was removed when it was read.
    for (const { base, base_sha256: sha } of files)
      if (this.#texts.facts(sha)?.sizeBytes !== Buffer.byteLength(base)) this.#texts.put(sha, base);
    this.#folder.put(`${id}.json`, line);
  }

  /** In nanoseconds since 1970; 0 where there is none. */
  since(id: string): bigint {
    return this.#folder.facts(`${id}.json`)?.mtimeNs ?? 0n;
  }

  /** Never throws: one that stays lies there until it expires. */
  remove(id: string): void {
    ignoring('all', () => this.#folder.remove(`${id}.json`));
  }

  #textOf(sha: string): string {
    const text = this.#texts.read(sha, this.#mostBytes) ?? '';
    // Else each new preview of the file would rely on it again.
    if (sha256Hex(text) !== sha) ignoring('all', () => this.#texts.remove(sha));
    return text;
  }
}
