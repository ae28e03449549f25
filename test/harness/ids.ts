// From the short ids of replies to the full ones, under which the state directory keeps what they name.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { shortId } from '../../src/security/index.ts';

const KINDS = [
  { kind: 'pv', folder: 'previews' },
  { kind: 'ch', folder: 'changes' },
] as const;

/** Anything else as it is. */
export function fullIdIn(state: string, name: string): string {
  const found = KINDS.find(({ kind }) => name.startsWith(`${kind}_`));
  if (found === undefined) return name;
  const ids = readdirSync(join(state, found.folder)).map((file) => file.replace(/\.\w+$/u, ''));
  return ids.find((id) => shortId(found.kind, id) === name) ?? name;
}
