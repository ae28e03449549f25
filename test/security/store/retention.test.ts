// What goes where there are too many previews, in which order, and what is left behind of it.
import fs, { chmodSync, existsSync, mkdirSync, statSync, utimesSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { canonicalJson } from '../../../src/security/index.ts';
import { idsIn, idsWith, KeptPreviews, whyGone } from '../../../src/security/store/retention.ts';
import { isLinux, openedFolder } from './disk.ts';
import { AT } from './ground.ts';

afterEach(() => vi.restoreAllMocks());

const [ROOTS, OTHERS] = ['0'.repeat(64), '1'.repeat(64)];
const NOW = new Date(AT);
const LATER = '2026-11-21T12:15:00.000Z';

interface Kept {
  readonly approval?: string;
  readonly expires_at?: string;
  readonly roots?: string;
  /** Seconds since 1970. */
  readonly since?: number;
  readonly request?: unknown;
  readonly base?: string;
}

function opened() {
  const at = openedFolder();
  const keep = (
    id: string,
    {
      approval = 'preview',
      expires_at = LATER,
      roots = ROOTS,
      since = 1_000,
      request = {},
      base = '',
    }: Kept = {},
  ) => {
    const line = canonicalJson({
      ...{ approval, caller: { name: 'c', version: '1' }, created_at: AT, expires_at },
      ...{ request, roots, tool: 'config_set', v: 1, warnings: [] },
    });
    at.write(`${id}.json`, `${line}\n${base}`);
    utimesSync(at.at(`${id}.json`), since, since);
    return statSync(at.at(`${id}.json`)).size;
  };
  return { ...at, keep };
}

describe.skipIf(!isLinux)('the previews that are kept', () => {
  it('are known by the ends of their names', () => {
    const { folder, write } = openedFolder();
    for (const name of ['b.json', 'a.json', 'a.used']) write(name, '');
    expect([idsWith(folder, '.json'), idsWith(folder, '.used'), idsIn(['a.json', 'x'], '.json')]).toEqual([
      ...[['a', 'b'], ['a'], ['a']],
    ]);
  });

  it('are looked at: for whom, until when, of which roots', () => {
    const { folder, keep } = opened();
    const sizes = [keep('a', { approval: 'human' }), keep('b', { since: 2, expires_at: AT, roots: OTHERS })];
    expect(new KeptPreviews(folder).all()).toEqual([
      {
        id: 'a',
        sizeBytes: sizes[0],
        since: 1_000_000_000_000n,
        expiresAt: LATER,
        isForPerson: true,
        roots: ROOTS,
      },
      {
        id: 'b',
        sizeBytes: sizes[1],
        since: 2_000_000_000n,
        expiresAt: AT,
        isForPerson: false,
        roots: OTHERS,
      },
    ]);
  });

  it('say of which roots they are once, whatever was asked for and whatever their files say', () => {
    const { folder, keep } = opened();
    const fake = { roots: OTHERS, tool: 'x' };
    keep('a', { request: fake, base: `"roots":"${OTHERS}","tool":` });
    keep('b', { request: { ...fake, z: 'ä'.repeat(200_000) }, base: '\n\n' });
    keep('c', { roots: ROOTS.slice(1) });
    keep('d', { roots: `${ROOTS}0` });
    expect(new KeptPreviews(folder).all().map(({ roots }) => roots)).toEqual([ROOTS, ROOTS, '', '']);
  });

  it('may be no previews at all, and then are of nobody and nothing', () => {
    const { folder, keep, write, at } = opened();
    keep('a');
    chmodSync(at('a.json'), 0o666);
    write('b.json', 'nonsense');
    write('c.json', `x${canonicalJson({ approval: 'human', expires_at: LATER, roots: ROOTS, tool: 'x' })}\n`);
    write('d.json', canonicalJson({ approval: '!', expires_at: LATER, roots: ROOTS, tool: 'x' }));
    write('e.json', canonicalJson({ approval: 'human', expires_at: `${LATER}0`, roots: ROOTS, u: 'x' }));
    mkdirSync(at('f.json'));
    const nothing = { expiresAt: '', isForPerson: false, roots: '' };
    expect(new KeptPreviews(folder).all()).toMatchObject([
      ...[
        { id: 'a', ...nothing },
        { id: 'b', ...nothing },
        { id: 'c', ...nothing },
      ],
      ...[
        { id: 'd', ...nothing },
        { id: 'e', ...nothing },
      ],
    ]);
    expect(new KeptPreviews(folder).all()).toHaveLength(5);
  });

  it('are looked at once', () => {
    const { folder, keep } = opened();
    const kept = new KeptPreviews(folder);
    for (const id of ['a', 'b']) keep(id);
    expect(kept.all().map(({ roots }) => roots)).toEqual([ROOTS, ROOTS]);
    keep('a', { roots: OTHERS });
    keep('c');
    folder.remove('b.json');
    expect(kept.all()).toMatchObject([
      { id: 'a', roots: ROOTS },
      { id: 'c', roots: ROOTS },
    ]);
  });

  it('may go while they are looked at', () => {
    const { folder, keep } = opened();
    keep('a');
    vi.spyOn(fs, 'lstatSync').mockReturnValue(undefined);
    expect(new KeptPreviews(folder).all()).toEqual([]);
  });
});

describe.skipIf(!isLinux)('what has expired', () => {
  it('goes at that very moment, of whatever kind, and leaves a note for its own roots', () => {
    const { folder, keep, text } = opened();
    keep('a', { expires_at: AT });
    keep('b', { expires_at: AT, approval: 'human', roots: OTHERS });
    keep('c', { expires_at: '2026-11-21T12:00:00.001Z' });
    expect(new KeptPreviews(folder).dropExpired(NOW)).toEqual(['a', 'b']);
    expect(folder.names()).toEqual(['a.gone', 'b.gone', 'c.json']);
    expect(text('a.gone')).toBe(`{"reason":"too old","roots":"${ROOTS}","v":1}`);
    expect([whyGone(folder, 'a', ROOTS), whyGone(folder, 'b', ROOTS), whyGone(folder, 'b', OTHERS)]).toEqual([
      ...['too old', undefined, 'too old'],
    ]);
  });

  it.each([
    { why: 'nothing is left of it', note: undefined },
    { why: 'the note is none', note: '{"v":1}' },
    { why: 'the reason is none', note: `{"reason":"else","roots":"${ROOTS}","v":1}` },
    { why: 'it says more', note: `{"more":1,"reason":"done","roots":"${ROOTS}","v":1}` },
    { why: 'it is not as we write', note: `{"reason": "done","roots":"${ROOTS}","v":1}` },
  ])('is not known to have gone where $why', ({ note }) => {
    const { folder, write } = openedFolder();
    if (note !== undefined) write('a.gone', note);
    expect(whyGone(folder, 'a', ROOTS)).toBeUndefined();
    for (const reason of ['too old', 'no room', 'done']) {
      write('a.gone', `{"reason":"${reason}","roots":"${ROOTS}","v":1}`);
      expect(whyGone(folder, 'a', ROOTS)).toBe(reason);
    }
  });

  it('is remembered by the 2,000 youngest notes and marks; a mark of a preview that is kept stays', () => {
    const { folder, keep, write, at } = opened();
    keep('kept');
    write('kept.used', '');
    utimesSync(at('kept.used'), 1, 1);
    for (let n = 0; n < 1_998; n += 1) for (const ending of ['gone', 'used']) write(`n${n}.${ending}`, '');
    new KeptPreviews(folder).dropExpired(NOW);
    expect(folder.names()).toHaveLength(3_998);
    const age = (name: string, seconds: number) => {
      write(name, '');
      utimesSync(at(name), seconds, seconds);
    };
    for (const name of ['old.gone', 'old.used']) age(name, 20);
    for (const name of ['z.gone', 'z.used']) age(name, 30);
    new KeptPreviews(folder).dropExpired(NOW);
    expect(folder.names()).toHaveLength(4_002);
    for (const name of ['m.gone', 'm.used']) age(name, 10);
    for (const name of ['y.gone', 'y.used']) age(name, 15);
    const real = fs.lstatSync;
    const isGone = (path: unknown) => String(path).endsWith('n7.used');
    vi.spyOn(fs, 'lstatSync').mockImplementation((...args: unknown[]) =>
      isGone(args[0]) ? undefined : Reflect.apply(real, fs, args),
    );
    new KeptPreviews(folder).dropExpired(NOW);
    const names = [
      'm.gone',
      'y.gone',
      'old.gone',
      'z.gone',
      'm.used',
      'y.used',
      'old.used',
      'n7.used',
      'kept.used',
    ];
    expect(names.filter((name) => existsSync(at(name)))).toEqual([
      'old.gone',
      'z.gone',
      'y.used',
      'old.used',
      'kept.used',
    ]);
  });
});
