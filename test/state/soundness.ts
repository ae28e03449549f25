// What holds of a state at any time, also after its process was killed.
import { expect } from 'vitest';
import type { Event } from '../../src/state/event.ts';
import type { Store } from '../../src/state/store.ts';
import { requireWhole } from './ground.ts';

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

/** The trail is whole, says what is kept and nothing else, and holds every step that was answered, once. */
export async function requireSound(store: Store, answered: readonly Answered[]): Promise<void> {
  await requireWhole(store);
  const rows = await store.trailAfter(0, Number.MAX_SAFE_INTEGER);
  const about = new Map<string, Event['type'][]>();
  for (const { event } of rows) {
    if (event === undefined) throw new Error('an event is none');
    if (event.about !== undefined) about.set(event.about, [...(about.get(event.about) ?? []), event.type]);
  }
  const open: string[] = [];
  const waiting = new Set((await store.waiting()).map(({ id }) => id));
  for (const [id, types] of about) {
    expect([id, new Set(types).size]).toEqual([id, types.length]);
    const end = types.find((type) => ['applied', 'rolled_back', 'unknown'].includes(type));
    const write = types.includes('begun') ? (end ?? 'open') : undefined;
    if (write === 'open') open.push(id);
    const found = await store.find(id);
    const isBack = write === 'rolled_back';
    expect([id, found?.status.write]).toEqual([id, isBack ? undefined : write]);
    expect([id, found?.isKept]).toEqual([id, found?.preview !== undefined]);
    if (isBack && !types.includes('previewed')) expect(found?.isKept).toBe(false);
    expect([id, waiting.has(id)]).toEqual([id, found?.isKept === true && (isBack || write === undefined)]);
  }
  expect((await store.open()).map(({ id }) => id)).toEqual(open);
  expect(await store.unrecorded()).toEqual([]);
  for (const { what, id } of answered)
    expect([id, about.get(id)]).toEqual([id, expect.arrayContaining([what])]);
}
