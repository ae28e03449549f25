// The audit trail as a test reads it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonLines } from './json-lines.ts';
import type { Stage } from './previews.ts';

type Entry = Readonly<Record<string, unknown>>;

export function trailOf({ state }: Pick<Stage, 'state'>): readonly Entry[] {
  const folder = join(state, 'audit');
  const files = readdirSync(folder).filter((name) => name.startsWith('audit-'));
  return files.sort().flatMap((name) => jsonLines(readFileSync(join(folder, name), 'utf8')));
}
