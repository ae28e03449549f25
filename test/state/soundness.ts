// What holds of a state at any time, also after its process was killed.
import { expect } from 'vitest';
import { decodeTrailRecord, type StateStore } from '../../src/state/index.ts';
import { requireWhole } from './trail.ts';

/** A step that a process was answered before it was killed. */
export interface Answered {
  readonly what: string;
  readonly id: string;
}

export function answeredIn(output: string): readonly Answered[] {
  // The last line may be half of one.
  const lines = output.split('\n').slice(0, -1);
  return lines.map((line): Answered => JSON.parse(line));
}

/** The trail is whole, says what is kept and nothing else, and holds every step that was answered. */
export async function requireSound(store: StateStore, answered: readonly Answered[]): Promise<void> {
  await requireWhole(store);
  const rows = await store.trailAfter(0, Number.MAX_SAFE_INTEGER);
  const records = rows.flatMap(({ record }) => decodeTrailRecord(record) ?? []);
  expect(records).toHaveLength(rows.length);
  const begun = records.filter(({ outcome }) => outcome === 'intent').flatMap((one) => one.change_id ?? []);
  expect(new Set(begun).size).toBe(begun.length);
  const ends = new Map(
    records.flatMap(({ change_id, outcome }) =>
      change_id === undefined || outcome === 'intent' ? [] : [[change_id, outcome]],
    ),
  );
  expect((await store.openChanges()).map(({ id }) => id).sort()).toEqual(
    begun.filter((id) => !ends.has(id)).sort(),
  );
  for (const id of begun) {
    const change = await store.findChange(id);
    const end = ends.get(id) ?? 'open';
    expect([id, change?.state]).toEqual([id, end === 'rolled_back' ? undefined : end]);
  }
  for (const { preview, action } of records)
    if (action === 'propose' && preview !== undefined) {
      const found = await store.findPreview(preview);
      expect(found?.isKept).toBe(found?.preview !== undefined);
    }
  for (const { what, id } of answered) {
    const steps = { kept: 'propose', decided: 'approve', begun: 'intent' };
    const name = Object.entries(steps).find(([step]) => step === what)?.[1] ?? what;
    if (what === 'dropped') expect(await store.findPreview(id)).toMatchObject({ isKept: false });
    else
      expect(
        records.filter(
          ({ action, outcome, preview, change_id }) =>
            [action, outcome].includes(name) && [preview, change_id].includes(id),
        ),
      ).toHaveLength(1);
  }
}
