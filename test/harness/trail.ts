// The audit trail as a test reads it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './previews.ts';

type Entry = Readonly<Record<string, unknown>>;

export function trailOf({ state }: Pick<Stage, 'state'>): readonly Entry[] {
  const folder = join(state, 'audit');
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const lines = files.sort().flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  return lines.filter((line) => line !== '').map((line): Entry => JSON.parse(line));
}
