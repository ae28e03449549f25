// Previews and changes as they are stored: a line of canonical JSON, whose hash is the id, and the texts that were read,
// behind it or, of a preview, in files of their own. What was stored is read back into types: every field is there and of
// its kind, or Malformed is thrown; nothing is guessed or mended.
import { canonicalJson, contentId, parseCanonical, randomNonce } from '../text/canonical-json.ts';

export class Malformed extends Error {
  override readonly name = 'Malformed';
}

const MOST_ITEMS = 100_000;

export class Fields {
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #unread: Set<string>;

  /** Of an object that may have other fields as well; `readFields` allows none. */
  constructor(value: unknown) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Malformed('no object');
    this.#values = new Map(Object.entries(value));
    this.#unread = new Set(this.#values.keys());
  }

  requireAllRead(): void {
    if (this.#unread.size > 0) throw new Malformed('an unknown field');
  }

  has(name: string): boolean {
    return this.#values.get(name) !== undefined;
  }

  raw(name: string): unknown {
    this.#unread.delete(name);
    return this.#values.get(name);
  }

  text(name: string, pattern?: RegExp): string {
    const value = this.raw(name);
    if (typeof value !== 'string' || pattern?.test(value) === false) throw new Malformed(name);
    return value;
  }

  /** Those of them that are there. */
  optionalTexts<Name extends string>(...names: readonly Name[]): { readonly [name in Name]?: string } {
    const found: { [name in Name]?: string } = {};
    for (const name of names) if (this.has(name)) found[name] = this.text(name);
    return found;
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value {
    const text = this.text(name);
    const found = values.find((value) => value === text);
    if (found === undefined) throw new Malformed(name);
    return found;
  }

  count(name: string): number {
    const value = this.raw(name);
    if (!isCount(value)) throw new Malformed(name);
    return value;
  }

  /** An instant as this program writes it: `2026-11-21T12:00:00.000Z`. */
  time(name: string): string {
    const text = this.text(name, /^\d{4}-/u);
    const instant = new Date(text);
    if (Number.isNaN(instant.getTime()) || instant.toISOString() !== text) throw new Malformed(name);
    return text;
  }

  list<Item>(name: string, read: (item: unknown) => Item): readonly Item[] {
    const value = this.raw(name);
    if (!Array.isArray(value) || value.length > MOST_ITEMS) throw new Malformed(name);
    return value.map(read);
  }

  texts(name: string): readonly string[] {
    return this.list(name, (item) => {
      if (typeof item !== 'string') throw new Malformed(name);
      return item;
    });
  }

  counts(name: string): readonly number[] {
    return this.list(name, (item) => {
      if (!isCount(item)) throw new Malformed(name);
      return item;
    });
  }

  version(): 1 {
    if (this.raw('v') !== 1) throw new Malformed('v');
    return 1;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** What `read` makes of an object that has no field but those that it reads. */
export function readFields<Value>(value: unknown, read: (fields: Fields) => Value): Value {
  const fields = new Fields(value);
  const result = read(fields);
  fields.requireAllRead();
  return result;
}

/** What `read` makes of it; undefined where it is malformed. */
export function readOrUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

export const SHA256 = /^[0-9a-f]{64}$/u;

/** Of a record with files, each with the text that was read. */
interface WithFiles {
  readonly files: readonly { readonly base: string }[];
}

export interface EncodedRecord {
  /** The hash of the first line, which says all of the record but the texts. */
  readonly id: string;
  readonly line: string;
  /** The line, and the texts behind it. */
  readonly text: string;
}

export function encodeRecord<Kept extends WithFiles>(record: Kept): EncodedRecord {
  const files = record.files.map(({ base, ...file }) => ({ ...file, base_chars: base.length }));
  const line = canonicalJson({ ...record, files });
  return { id: contentId(line), line, text: `${line}\n${record.files.map(({ base }) => base).join('')}` };
}

/** The record with a nonce, so that nobody can guess its id. */
export function encodeFresh<Kept extends WithFiles>(record: Kept): EncodedRecord {
  const encoded = encodeRecord({ ...record, nonce: randomNonce() });
  // An id that begins with a dash would be taken for an option on a command line.
  return encoded.id.startsWith('-') ? encodeFresh(record) : encoded;
}

/** What `read` makes of it; undefined unless its line is exactly what the id names, and the texts are as long as that says. */
export function decodeRecord<Kept>(
  id: string,
  text: string,
  read: (value: unknown) => Kept,
): Kept | undefined {
  const end = text.indexOf('\n');
  const line = text.slice(0, Math.max(end, 0));
  if (contentId(line) !== id) return undefined;
  return readOrUndefined(() => read(withBases(parseCanonical(line), text.slice(end + 1))));
}

/** Throws Malformed where the texts are not as long as the line says. */
function withBases(value: unknown, bases: string): unknown {
  const record: Readonly<Record<string, unknown>> = Object(value);
  if (!Array.isArray(record['files'])) throw new Malformed('files');
  let at = 0;
  const files = record['files'].map((kept: unknown) => {
    const { base_chars: chars, ...file }: Readonly<Record<string, unknown>> = Object(kept);
    if (!isCount(chars) || 'base' in file) throw new Malformed('base');
    at += chars;
    return { ...file, base: bases.slice(at - chars, at) };
  });
  if (at !== bases.length) throw new Malformed('base');
  return { ...record, files };
}
