// What a new preview pushes out: what is worth nothing, then what an agent could still apply, oldest first; nothing of another
// kind, and nothing that a person has yet to decide about.
import { rmSync, statSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/security/index.ts';
import { KeptPreviews } from '../../../src/security/store/retention.ts';
import { isLinux, openedFolder } from './disk.ts';
import { AT } from './ground.ts';

const ROOTS = '0'.repeat(64);
const AGENT = { roots: ROOTS, isForPerson: false };
const PERSON = { roots: ROOTS, isForPerson: true };
const LATER = '2026-11-21T12:15:00.000Z';

function opened() {
  const at = openedFolder();
  const kept = new KeptPreviews(at.folder);
  let second = 1_000;
  /** Each younger than the one before; all for an agent of one size. */
  const keep = (id: string, { approval = 'preview', expires_at = LATER, roots = ROOTS } = {}) => {
    const line = canonicalJson({ approval, expires_at, roots, tool: 'x' });
    at.write(`${id}.json`, `${line}\n`);
    second += 1;
    utimesSync(at.at(`${id}.json`), second, second);
    return statSync(at.at(`${id}.json`)).size;
  };
  const ids = (count: number) => Array.from({ length: count }, (_, n) => `p${String(n).padStart(2, '0')}`);
  const room = (
    previews: number,
    totalBytes: number,
    more: { newBytes?: number; kind?: typeof AGENT; done?: readonly string[] } = {},
  ) => {
    let asked = 0;
    const answer = kept.makeRoom(
      { previews, totalBytes, previewBytes: 1e6 },
      {
        ...{ kind: more.kind ?? AGENT, newBytes: more.newBytes ?? 1, now: new Date(AT) },
        done: () => {
          asked += 1;
          return (id) => more.done?.includes(id) ?? false;
        },
      },
    );
    return { ...answer, asked };
  };
  return { ...at, keep, ids, room };
}

describe.skipIf(!isLinux)('room for one more preview', () => {
  it('is there up to the bounds, and nobody asks what was used', () => {
    const { keep, ids, room } = opened();
    const bytes = ids(3)
      .map((id) => keep(id))
      .reduce((sum, size) => sum + size, 0);
    expect(room(4, bytes + 1)).toEqual({ dropped: [], isRoom: true, asked: 0 });
  });

  it('is made by count: a tenth more than needed goes, the oldest first', () => {
    const { keep, ids, room, folder, text } = opened();
    for (const id of ids(20).toReversed()) keep(id);
    expect(room(20, 1e6)).toEqual({ dropped: ['p19', 'p18', 'p17'], isRoom: true, asked: 1 });
    expect(folder.names().filter((name) => name.endsWith('.gone'))).toEqual([
      'p17.gone',
      'p18.gone',
      'p19.gone',
    ]);
    expect(text('p19.gone')).toBe(`{"reason":"no room","roots":"${ROOTS}","v":1}`);
    expect(folder.names()).toHaveLength(20);
  });

  it('is made by bytes: until nine tenths are used', () => {
    const { keep, ids, room } = opened();
    const [size = 0] = ids(10).map((id) => keep(id));
    // Eleven of ten: to be nine.
    expect(room(100, 10 * size, { newBytes: size })).toEqual({
      dropped: ['p00', 'p01'],
      isRoom: true,
      asked: 1,
    });
    const again = opened();
    again.ids(10).map((id) => again.keep(id));
    expect(again.room(100, 10 * size, { newBytes: size + 1 }).dropped).toHaveLength(3);
    const tight = opened();
    tight.ids(10).map((id) => tight.keep(id));
    expect(tight.room(100, 10 * size, { newBytes: 10 * size })).toMatchObject({ isRoom: true });
    const none = opened();
    none.keep('a');
    expect(none.room(100, size, { newBytes: size + 1 })).toMatchObject({ dropped: ['a'], isRoom: false });
  });

  it('is made of what is worth nothing first, all of it: what was used, then what has expired at that moment', () => {
    const { keep, room, folder, text } = opened();
    keep('good');
    keep('late', { expires_at: AT });
    keep('later', { expires_at: '2026-11-21T11:00:00.000Z' });
    keep('used');
    keep('young', { expires_at: '2026-11-21T12:00:00.001Z' });
    expect(room(4, 1e6, { done: ['used'] })).toEqual({
      dropped: ['used', 'late', 'later'],
      isRoom: true,
      asked: 1,
    });
    expect([text('used.gone'), text('late.gone')]).toEqual(
      ['done', 'too old'].map((reason) => `{"reason":"${reason}","roots":"${ROOTS}","v":1}`),
    );
    expect(folder.names().filter((name) => name.endsWith('.json'))).toEqual(['good.json', 'young.json']);
  });

  it('is not made of what waits for a person, but of what is worth nothing there as well', () => {
    const { keep, ids, room } = opened();
    for (const id of ids(3)) keep(id, { approval: 'human' });
    expect(room(3, 1e6, { kind: PERSON })).toEqual({ dropped: [], isRoom: false, asked: 1 });
    expect(room(3, 1e6, { kind: PERSON })).toEqual({ dropped: [], isRoom: false, asked: 1 });
    expect(room(3, 1e6, { kind: PERSON, done: ['p01'] })).toEqual({
      dropped: ['p01'],
      isRoom: true,
      asked: 1,
    });
  });

  it('is not made of another kind', () => {
    const { keep, room } = opened();
    keep('person', { approval: 'human' });
    keep('others', { roots: '1'.repeat(64) });
    keep('own');
    expect(room(1, 1e6)).toEqual({ dropped: ['own'], isRoom: true, asked: 1 });
  });

  it('leaves no note of a preview that somebody else has dropped', () => {
    const { keep, folder, at } = opened();
    keep('a');
    const { dropped } = new KeptPreviews(folder).makeRoom(
      { previews: 1, totalBytes: 1e6, previewBytes: 1e6 },
      {
        ...{ kind: AGENT, newBytes: 1, now: new Date(AT) },
        done: () => {
          rmSync(at('a.json'));
          return () => true;
        },
      },
    );
    expect([dropped, folder.names()]).toEqual([['a'], []]);
  });
});
