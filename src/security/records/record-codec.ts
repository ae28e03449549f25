// Previews and changes as they are kept: a line of canonical JSON, whose hash is the id; behind it the texts that were
// read, as they are. The line says how long each is, and by its hash what it says.

import { canonicalJson, contentId, parseCanonical } from '../text/canonical-json.ts';
import { Malformed, readOrUndefined } from './fields.ts';

/** Of a record with files, each with the text that was read. */
interface WithFiles {
  readonly files: readonly { readonly base: string }[];
}

export function encodeRecord<Kept extends WithFiles>(
  record: Kept,
): { readonly id: string; readonly text: string } {
  const files = record.files.map(({ base, ...file }) => ({ ...file, base_chars: base.length }));
  const line = canonicalJson({ ...record, files });
  return { id: contentId(line), text: `${line}\n${record.files.map(({ base }) => base).join('')}` };
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
    if (typeof chars !== 'number' || !Number.isSafeInteger(chars) || chars < 0 || 'base' in file)
      throw new Malformed('base');
    at += chars;
    return { ...file, base: bases.slice(at - chars, at) };
  });
  if (at !== bases.length) throw new Malformed('base');
  return { ...record, files };
}
