import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/adapters/index.ts';
import { applied, undone } from './undoing.ts';

const set = (path: string, source: string, doc?: number): Operation => ({
  op: 'set',
  path,
  doc,
  value: source,
  create: true,
});
const remove = (path: string): Operation => ({ op: 'delete', path });

const WEB = `# the shop
web:
  image: shop:1   # pinned
  # how many
  replicas: 2
  ports: [80, 443]
db: &db
  host: a
jobs:
  - name: mail
    every: 5m
  - name: tidy
    every: 1h
copy: *db
`;

describe('undoing a change of a file that is as the change left it', () => {
  it.each([
    { why: 'CRLF', base: 'a: 1\r\n# c\r\nb: 2\r\n', operation: remove('b') },
    { why: 'a byte order mark', base: '\uFEFFa: 1\nb: 2\n', operation: set('a', '9') },
    { why: 'no final line break', base: 'a: 1\nb: 2', operation: set('c', '3') },
    { why: 'characters beyond the plane', base: 'a: "😀"\nb: 😀 # 😀\n', operation: set('b', '😀😀') },
    {
      why: 'a comment',
      base: WEB,
      operation: { op: 'comment', path: 'web.replicas', comment: 'fewer', place: 'before' } as const,
    },
  ])('gives the very bytes back: $why', ({ base, operation }) => {
    const change = applied(base, operation);
    expect(change.after).not.toBe(base);
    expect(undone(change, change.after)).toEqual({ after: base });
  });

  it('does nothing where it is undone already', () => {
    const change = applied(WEB, set('web.replicas', '3'));
    expect(undone(change, WEB)).toEqual({ after: WEB });
  });
});

describe('undoing a change of a file that has moved on', () => {
  const replicas = applied(WEB, set('web.replicas', '3'));
  const without = applied(WEB, remove('web.replicas'));
  const item = applied(WEB, set('jobs[1].every', '2h'));

  it.each([
    {
      why: 'a comment that came behind the value',
      change: replicas,
      by: (text: string) => text.replace(/(replicas: \d)/, '$1 # as agreed'),
    },
    { why: 'an entry comes back with its comment', change: without, by: (text: string) => `${text}z: 1\n` },
    {
      why: 'something new right where the entry stood',
      change: without,
      by: (text: string) => text.replace('  ports:', '  cpu: 1\n  ports:'),
    },
    {
      why: 'another anchor of its name, which must stay behind it',
      change: applied(`${WEB}last: 1\n`, remove('copy')),
      base: `${WEB}last: 1\n`,
      by: (text: string) => text.replace('last:', 'late: &db 0\nlast:'),
    },
    {
      why: 'another item of the list, each known by its name',
      change: item,
      by: (text: string) => text.replace('5m', '6m'),
    },
    {
      why: 'another key of the item, known by its name',
      change: item,
      by: (text: string) => text.replace('- name: tidy\n', '- name: tidy\n    quiet: true\n'),
    },
    {
      why: 'a new item behind, each known by its name',
      change: item,
      by: (text: string) => text.replace('copy:', '  - name: late\ncopy:'),
    },
    {
      why: 'a key beside it has another name',
      change: replicas,
      by: (text: string) => text.replace('ports:', 'open:'),
    },
    {
      why: 'a key beside it has another name, and another one came',
      change: applied(WEB, set('web.ports[0]', '81')),
      by: (text: string) => text.replace('image:', 'picture:').replace('db:', 'cache: 1\ndb:'),
    },
    {
      why: 'an entry comes back beside a key that has another name',
      change: without,
      by: (text: string) => text.replace('image:', 'picture:'),
    },
    {
      why: 'a renamed key gets its name back, and the entry beside it has changed',
      change: applied(WEB, { op: 'rename', path: 'web.replicas', new_key: 'count' }),
      by: (text: string) => text.replace('shop:1', 'shop:2'),
    },
    {
      why: 'a renamed key gets its name back, and the key beside it has another name',
      change: applied(WEB, { op: 'rename', path: 'web.replicas', new_key: 'count' }),
      by: (text: string) => text.replace('ports:', 'open:'),
    },
    {
      why: 'a renamed key of an item that is known by its name',
      change: applied(WEB, { op: 'rename', path: 'jobs[1].every', new_key: 'each' }),
      by: (text: string) => text.replace('5m', '6m').replace('image:', 'picture:'),
    },
  ])('takes back the change alone: $why', ({ change, by, base }) => {
    const now = by(change.after);
    expect(now).not.toBe(change.after);
    expect(undone(change, now)).toEqual({ after: by(base ?? WEB) });
  });

  it('takes a key back that stood on the same line as another that changed since', () => {
    const change = applied('{a: 1, b: 2, c: 3}\n', set('b', '9'));
    expect(undone(change, '{a: 0, b: 9, c: 4}\n')).toEqual({ after: '{a: 0, b: 2, c: 4}\n' });
  });

  it('takes back a change of a nameless document, where no other has changed', () => {
    const base = 'a: 1\nb: 2\n---\na: 1\nb: 2\n';
    const change = applied(base, set('a', '9', 0));
    expect(undone(change, 'a: 9\nb: 7\n---\na: 1\nb: 2\n')).toEqual({ after: base.replace('2', '7') });
    expect(undone(change, 'a: 9\nb: 7\n---\na: 5\nb: 2\n')).toEqual({ reason: 'same place' });
  });

  it('keeps what came below a last line without a break', () => {
    const change = applied('a: 1', set('b', '2'));
    expect(undone(change, `${change.after}\nc: 3\n`)).toEqual({ after: 'a: 1\nc: 3\n' });
  });

  it('stays where more has changed on both sides than can be told apart', () => {
    const base = (k: string, m: string) =>
      Array.from({ length: 1_100 }, (_, i) => `k${i}: ${k}\nm${i}: ${m}\n`).join('');
    const change = applied(base('1', '1'), set('', base('2', '1')));
    expect(undone(change, base('2', '2'))).toEqual({ reason: 'same place' });
  });

  it.each([
    { why: 'the same value', by: ['replicas: 3', 'replicas: 4'], reason: 'same place' },
    { why: 'the same value, back by hand', by: ['replicas: 3', 'replicas: 2 '], reason: 'same place' },
    { why: 'the key above', by: [/web:[\s\S]*(?=db:)/, 'web: none\n'], reason: 'same place' },
    { why: 'the key went', by: [/ +replicas: 3\n/, ''], reason: 'same place' },
    { why: 'the key was renamed', by: ['replicas:', 'copies:'], reason: 'same place' },
    { why: 'the key above was renamed', by: ['web:', 'shop:'], reason: 'same place' },
    { why: 'a document came', by: [/$/, '---\nx: 1\n'], reason: 'same place' },
  ] as const)('stays where it meets what came since: $why', ({ by: [from, to], reason }) => {
    const now = replicas.after.replace(from, to);
    expect(now).not.toBe(replicas.after);
    expect(undone(replicas, now)).toEqual({ reason });
  });

  it.each([
    {
      why: 'an item came before it',
      base: 'l:\n  - a\n  - b\n',
      operation: set('l[1]', 'c'),
      by: ['l:\n', 'l:\n  - new\n'],
      reason: 'same place',
    },
    {
      why: 'two nameless items changed places',
      base: 'l:\n  - { x: a, v: 1 }\n  - { x: b, v: 1 }\n',
      operation: set('l[0].v', '2'),
      by: [/^[\s\S]*$/, 'l:\n  - { x: b, v: 2 }\n  - { x: a, v: 1 }\n'],
      reason: 'same place',
    },
    {
      why: 'two named items changed their names',
      base: 'l:\n  - { name: a, v: 1 }\n  - { name: b, v: 1 }\n',
      operation: set('l[0].v', '2'),
      by: [/^[\s\S]*$/, 'l:\n  - { name: b, v: 2 }\n  - { name: a, v: 1 }\n'],
      reason: 'same place',
    },
    {
      why: 'two nameless documents changed places',
      base: 'x: a\nv: 1\n---\nx: b\nv: 1\n',
      operation: set('v', '2', 0),
      by: [/^[\s\S]*$/, 'x: b\nv: 2\n---\nx: a\nv: 1\n'],
      reason: 'same place',
    },
    {
      why: 'another key came that has the name which would come back',
      base: 'm: { a: 1, b: 2 }\n',
      operation: { op: 'rename', path: 'm.a', new_key: 'c' } as const,
      by: ['b:', 'a:'],
      reason: 'same place',
    },
    {
      why: 'the renamed key has yet another name',
      base: 'm: { a: 1, b: 2 }\n',
      operation: { op: 'rename', path: 'm.a', new_key: 'c' } as const,
      by: ['c:', 'd:'],
      reason: 'same place',
    },
    {
      why: 'the value of a renamed key has changed',
      base: 'm: { a: 1, b: 2 }\n',
      operation: { op: 'rename', path: 'm.a', new_key: 'c' } as const,
      by: ['1', '9'],
      reason: 'same place',
    },
    {
      why: 'an alias came that means what would go',
      base: 'a: 1\nb: 2\n',
      operation: set('c', '&c 3'),
      by: [/$/, 'd: *c\n'],
      reason: 'not the same change',
    },
    {
      why: 'the entry would come back behind another anchor of its name',
      base: 'a: &x 1\nm: 0\nb: *x\nc: 0\n',
      operation: remove('b'),
      by: ['m: 0', 'm: &x 0'],
      reason: 'not the same change',
    },
    {
      why: 'the lines were broken in another way since',
      base: 'a: 1\nb: 2\nc: 3\n',
      operation: remove('b'),
      by: [/\n/g, '\r\n'],
      reason: 'not the same change',
    },
    {
      why: 'the same comment was changed since',
      base: 'a: 1 # one\nb: 2\n',
      operation: { op: 'comment', path: 'a', comment: 'two', place: 'line_end' } as const,
      by: ['# two', '# two or three'],
      reason: 'same lines',
    },
  ] as const)(
    'stays where it would be another change: $why',
    ({ base, operation, by: [from, to], reason }) => {
      const change = applied(base, operation);
      const now = change.after.replace(from, to);
      expect(now).not.toBe(change.after);
      expect(undone(change, now)).toEqual({ reason });
    },
  );
});
