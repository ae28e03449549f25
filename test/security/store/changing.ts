// A store of changes over a state directory, and what is done to a change before, with and behind its back.
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChangeDraft, ChangeStore } from '../../../src/security/index.ts';
import { encodeRecord } from '../../../src/security/records/fields.ts';
import type { AppliedChange } from '../../../src/security/store/applied-change.ts';
import { AT, CHANGE_ID, changeOf, fileOf, opened } from './ground.ts';

const { caller, policy, origin, files, roots: ROOTS } = changeOf(fileOf('a: 1\n'));
export const DRAFT: ChangeDraft = { caller, policy, origin, files, confirmed_by: 'direct' };

export function changing() {
  const all = opened();
  const { state, log, trail, dir } = all;
  const store = (roots = ROOTS) =>
    new ChangeStore({
      ...{ folder: state.changes, trail, log, roots },
      now: () => new Date(AT),
    });
  const changes = store();
  const at = (name: string) => join(dir, 'changes', name);
  const write = (name: string, text: string) => writeFileSync(at(name), text, { mode: 0o600 });
  return {
    ...{ ...all, store, changes, at, write },
    begun: (by = changes): string => {
      const change = by.draft(DRAFT);
      by.keep(change);
      return change.id;
    },
    /** Kept as a change is that has ended; by default of a preview. */
    put: (text?: string, of = ROOTS, more: Partial<AppliedChange> = { preview: CHANGE_ID }): string => {
      const kept = encodeRecord({
        ...{ ...changeOf(fileOf('a: 1\n')), ...more },
        nonce: String(Math.random()).padEnd(22, '0').slice(-22).replace('.', '_'),
        roots: of,
      });
      write(`${kept.id}.json`, text ?? kept.text);
      return kept.id;
    },
    record: (change_id: string, outcome = 'applied') =>
      trail.append(() => [{ action: 'commit', outcome, change_id }]),
    aged: (name: string, seconds: number) => utimesSync(at(name), seconds, seconds),
    names: () => readdirSync(join(dir, 'changes')).sort(),
    events: () => (existsSync(join(dir, '../log.jsonl')) ? all.here.logged().map(({ event }) => event) : []),
  };
}
