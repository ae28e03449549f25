// Which previews are kept, what a new one pushes out and in which order, and which texts stay with those that are kept.
import fs, { chmodSync, mkdirSync, statSync, utimesSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { canonicalJson, sha256Hex } from '../../../src/security/index.ts';
import { idsIn, KeptPreviews } from '../../../src/security/store/retention.ts';
import { isLinux, openedFolder } from './disk.ts';
import { AT } from './ground.ts';

afterEach(() => vi.restoreAllMocks());

const [ROOTS, OTHERS] = ['0'.repeat(64), '1'.repeat(64)];
const NOW = new Date(AT);
const LATER = '2026-11-21T12:15:00.000Z';
const [AGENT, PERSON] = [{ isForPerson: false }, { isForPerson: true }];

const idOf = (name: string) => name.padEnd(43, '-');
const nameOf = (id: string) => id.replace(/-+$/u, '');

interface Kept {
  readonly approval?: string;
  readonly expires_at?: string;
  readonly roots?: string;
  /** Seconds since 1970. */
  readonly since?: number;
  readonly texts?: readonly string[];
}

function opened() {
  const [at, texts] = [openedFolder(), openedFolder()];
  let second = 1_000;
  const store = () => new KeptPreviews(at.folder, texts.folder);
  const kept = store();
  /** Each younger than the one before. Answers its size. */
  const keep = (name: string, more: Kept = {}) => {
    const { approval = 'preview', expires_at = LATER, roots = ROOTS, texts: held = [] } = more;
    const files = held.map((text) => ({ base_sha256: sha256Hex(text), base_chars: text.length }));
    const line = {
      approval,
      expires_at,
      files,
      origin: { kind: 'edit' },
      roots,
      v: 1,
    };
    at.write(`${idOf(name)}.json`, canonicalJson(line));
    for (const text of held) texts.write(sha256Hex(text), text);
    second += 1;
    utimesSync(at.at(`${idOf(name)}.json`), more.since ?? second, more.since ?? second);
    return statSync(at.at(`${idOf(name)}.json`)).size;
  };
  const room = (
    previews: number,
    totalBytes: number,
    more: {
      sizeBytes?: number;
      kind?: typeof AGENT;
      done?: readonly string[];
      isCurrent?: boolean;
    } = {},
  ) =>
    kept.makeRoom(
      { previews, totalBytes, previewBytes: 1e6 },
      {
        ...{ id: idOf('next'), roots: ROOTS, ...(more.kind ?? AGENT), sizeBytes: more.sizeBytes ?? 1 },
        ...{ texts: new Map(), since: 0n, expiresAt: LATER, partOf: undefined },
      },
      {
        now: NOW,
        isCurrent: more.isCurrent ?? false,
        isDone: (id) => more.done?.includes(nameOf(id)) ?? false,
      },
    );
  const ids = (count: number) => Array.from({ length: count }, (_, n) => `p${String(n).padStart(2, '0')}`);
  return { ...at, texts, store, kept, keep, room, ids, names: () => idsIn(at.folder.names()).map(nameOf) };
}

describe.skipIf(!isLinux)('the previews that are kept', () => {
  it('are known by their names', () => {
    const names = [`${idOf('a')}.json`, `${idOf('b')}.used`, 'note.json', idOf('c')];
    expect(idsIn(names)).toEqual([idOf('a')]);
  });

  it('are looked at once: for whom, until when, of which roots and with which texts', () => {
    const { keep, kept, folder, names } = opened();
    const sizeBytes = keep('a', { approval: 'human', since: 2, texts: ['x: 1\n'] });
    keep('b', { roots: OTHERS });
    const [a, b] = kept.all();
    expect(a).toEqual({
      ...{
        id: idOf('a'),
        sizeBytes,
        since: 2_000_000_000n,
        expiresAt: LATER,
        isForPerson: true,
        roots: ROOTS,
      },
      ...{
        texts: new Map([[sha256Hex('x: 1\n'), 5]]),
        partOf: undefined,
      },
    });
    expect(b).toMatchObject({ roots: OTHERS, isForPerson: false, texts: new Map() });
    keep('a', { roots: OTHERS });
    folder.remove(`${idOf('b')}.json`);
    expect(kept.all()).toMatchObject([{ roots: ROOTS }]);
    expect(names()).toEqual(['a']);
  });

  it('may be no previews at all, and then are of nobody and nothing', () => {
    const { store, keep, write, at } = opened();
    const file = (name: string) => `${idOf(name)}.json`;
    keep('a');
    chmodSync(at(file('a')), 0o666);
    write(file('b'), 'nonsense');
    keep('c', { approval: '!' });
    keep('d', { expires_at: `${LATER}0` });
    keep('e', { roots: ROOTS.slice(1) });
    mkdirSync(at(file('f')));
    const nothing = { expiresAt: '', isForPerson: false, roots: '', texts: new Map() };
    expect(store().all()).toMatchObject(
      ['a', 'b', 'c', 'd', 'e'].map((name) => ({ id: idOf(name), ...nothing })),
    );
    vi.spyOn(fs, 'lstatSync').mockReturnValue(undefined);
    expect(store().all()).toEqual([]);
  });
});

describe.skipIf(!isLinux)('room for one more preview', () => {
  it('is there up to the bounds', () => {
    const { keep, ids, room, names } = opened();
    const bytes = ids(3)
      .map((id) => keep(id))
      .reduce((sum, size) => sum + size, 0);
    expect([room(4, bytes + 1), names()]).toEqual([true, ids(3)]);
  });

  it('is not looked for anew where nobody else has saved any, until there seems to be none', () => {
    const { keep, ids, room, kept, folder, names } = opened();
    for (const id of ids(3)) keep(id);
    expect(kept.all()).toHaveLength(3);
    const listing = vi.spyOn(folder, 'names');
    expect([room(4, 1e6, { isCurrent: true }), listing.mock.calls.length]).toEqual([true, 0]);
    folder.remove(`${idOf('p00')}.json`);
    expect([room(3, 1e6, { isCurrent: true }), listing.mock.calls.length]).toEqual([true, 1]);
    expect(names()).toEqual(['p01', 'p02']);
  });

  it('is made by count: a tenth more than needed goes, the oldest first', () => {
    const { keep, ids, room, names } = opened();
    for (const id of ids(20).toReversed()) keep(id);
    expect([room(20, 1e6), names()]).toEqual([true, ids(17)]);
  });

  it('is made by bytes, until nine tenths are used; a text counts once', () => {
    const { keep, ids, room, names } = opened();
    const [size = 0] = ids(10).map((id) => keep(id));
    // Eleven of ten: to be nine.
    expect([room(100, 10 * size, { sizeBytes: size }), names()]).toEqual([true, ids(10).slice(2)]);
    const shared = opened();
    const text = 'x'.repeat(1_000);
    const [first = 0] = ids(5).map((id) => shared.keep(id, { texts: [text] }));
    expect([shared.room(100, 5 * first + 1_001), shared.names()]).toEqual([true, ids(5)]);
    expect(shared.room(100, 1_000)).toBe(true);
    expect(shared.names().length).toBeLessThan(5);
    const none = opened();
    none.keep('a');
    expect([none.room(100, size, { sizeBytes: size + 1 }), none.names()]).toEqual([false, []]);
  });

  it('is made of what is worth nothing first, all of it: what is done, then what has expired at that moment', () => {
    const { keep, room, names } = opened();
    keep('good');
    keep('late', { expires_at: AT });
    keep('later', { expires_at: '2026-11-21T11:00:00.000Z' });
    keep('used');
    keep('young', { expires_at: '2026-11-21T12:00:00.001Z' });
    expect([room(4, 1e6, { done: ['used'] }), names()]).toEqual([true, ['good', 'young']]);
  });

  it('is not made of what waits for a person, but of what is worth nothing there as well', () => {
    const { keep, ids, room, names } = opened();
    for (const id of ids(3)) keep(id, { approval: 'human' });
    for (let again = 0; again < 2; again += 1) expect(room(3, 1e6, { kind: PERSON })).toBe(false);
    expect([room(3, 1e6, { kind: PERSON, done: ['p01'] }), names()]).toEqual([true, ['p00', 'p02']]);
  });

  it('is not made of another kind', () => {
    const { keep, room, names } = opened();
    keep('person', { approval: 'human' });
    keep('others', { roots: OTHERS });
    keep('own');
    expect([room(1, 1e6), names()]).toEqual([true, ['others', 'person']]);
  });
});

describe.skipIf(!isLinux)('what has expired', () => {
  it('goes at that very moment, of whatever kind, and with its last preview the text', () => {
    const { kept, keep, names, texts } = opened();
    keep('a', { expires_at: AT, texts: ['one', 'both'] });
    keep('b', { expires_at: AT, approval: 'human', roots: OTHERS });
    keep('c', { expires_at: '2026-11-21T12:00:00.001Z', texts: ['both'] });
    texts.write('of nobody', '');
    kept.dropExpired(NOW);
    expect([names(), texts.folder.names()]).toEqual([['c'], [sha256Hex('both')]]);
  });
});
