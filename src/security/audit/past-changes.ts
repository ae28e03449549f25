// When each change was made, and to which files, by the records of the trail: for rules that count what was changed lately.
// A time never lies before that of an earlier change, so that nothing looks older where the clock was set back. What a
// checkpoint forgets is remembered as one time: before it, nobody knows what was changed.
import { foldComponent } from '../text/fold.ts';
import { recordedText } from './log-fields.ts';

export interface ChangeTime {
  readonly id: string;
  /** As in a record; of its last record. */
  readonly at: string;
}

export interface ChangesOfFile {
  /** Newest first. */
  readonly changes: readonly ChangeTime[];
  /** All changes since then are known; empty where all are. */
  readonly knownSince: string;
}

interface PastChange {
  readonly at: string;
  /** By their keys; see `fileKey`. */
  readonly files: ReadonlySet<string>;
}

export class PastChanges {
  readonly #changes = new Map<string, PastChange>();
  #latest = '';
  #forgottenUntil = '';

  note(id: string, time: string, files: readonly string[]): void {
    if (time > this.#latest) this.#latest = time;
    const known = this.#changes.get(id)?.files ?? [];
    this.#changes.delete(id);
    this.#changes.set(id, { at: this.#latest, files: new Set([...known, ...files.map(recordedKey)]) });
  }

  /** For one that was undone before it was whole. */
  drop(id: string): void {
    this.#changes.delete(id);
  }

  ofFile(file: string): ChangesOfFile {
    const key = fileKey(file);
    const changes = [...this.#changes].flatMap(([id, { at, files }]) => (files.has(key) ? [{ id, at }] : []));
    return { changes: changes.reverse(), knownSince: this.#forgottenUntil };
  }

  /** What a checkpoint says of one. */
  fieldsOf(id: string): { readonly time?: string; readonly files?: readonly string[] } {
    const change = this.#changes.get(id);
    if (change === undefined || change.at === '') return {};
    return { time: change.at, files: [...change.files] };
  }

  /** What a checkpoint says of those that it forgets. */
  restOf(kept: (id: string) => boolean): { readonly latest: string; readonly forgotten: string } {
    const forgotten = [...this.#changes].flatMap(([id, { at }]) => (kept(id) ? [] : [at]));
    return {
      latest: this.#latest,
      forgotten: [this.#forgottenUntil, ...forgotten].reduce((most, at) => (at > most ? at : most)),
    };
  }

  noteRest({ latest, forgotten }: { readonly latest: string; readonly forgotten: string }): void {
    if (latest > this.#latest) this.#latest = latest;
    if (forgotten > this.#forgottenUntil) this.#forgottenUntil = forgotten;
  }
}

/** Another text than before where the past of a file is no longer the same. */
export function lastChange({ changes, knownSince }: ChangesOfFile): string {
  return `${changes[0]?.id ?? ''} ${knownSince}`;
}

/** One for all names that some file system takes for the same. */
export function fileKey(file: string): string {
  return recordedKey(recordedText(file));
}

/** Of a name as a record has it, or of such a key. */
export function recordedKey(file: string): string {
  return file.split('/').map(foldComponent).join('/');
}
