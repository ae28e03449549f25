// Random calls of every tool, on the files of `twin-files.ts`: with placeholders that they show, with guesses of their secrets, with ids
// of earlier calls, and with what stands around a secret.
import type { Random } from '../../harness/random.ts';
import { NAMES, pathOf } from './twin-files.ts';

export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Files that come to be beside those, so that a call can name them. */
  readonly beside?: Readonly<Record<string, string>>;
}

/** What a call can be made of. */
export interface Known {
  readonly random: Random;
  /** Each file as it is shown, its placeholders as §0; and §1; */
  readonly shown: Readonly<Record<string, string>>;
  /** Secrets of one of the twins. */
  readonly guesses: readonly string[];
  /** How many changes and previews were made: ¶c0; and ¶p0; stand for the ids of the first. */
  readonly changes: number;
  readonly previews: number;
}

const KEYS = 'password|token|note|api_key|x|kind|value|name|my_secret|data|a b|<<'.split('|');
const WORDS = 'x|info|1|true|CHANGEME|""|$'
  .concat('{DB_PASSWORD}|Secret|ConfigMap|DB_PASSWORD|LOG')
  .split('|');
const VALUES = [
  ...WORDS,
  ...[
    '*pw',
    '*db',
    '*t',
    '*block',
    '&pw x',
    '{a: 1}',
    '{<<: *db}',
    '[1, 2]',
    '|',
    '~',
    '"a\\nb"',
    '-7',
    '0x1F2F',
  ],
  '{token: x, n: 1}',
];
const SIGNS = [
  ...[
    '',
    ' ',
    '&',
    '*',
    '!',
    '#',
    '"',
    "'",
    ':',
    ': ',
    '=',
    '- ',
    'x',
    '|',
    '>',
    '\n',
    '\n  ',
    '@',
    '{',
    ',',
    '?',
  ],
  ...['\\', '"""', '{{ .Values.x }}', '}}', '---\n', '[', ']'],
];

/** One of every tool that reads or writes; edits the most. */
export function randomCall(known: Known): Call {
  const { random } = known;
  const MAKE: readonly (readonly [share: number, make: (known: Known) => Call])[] = [
    [50, edits],
    [10, set],
    [8, search],
    [6, compare],
    [6, read],
    [6, validate],
    [4, history],
    [4, revert],
    [4, apply],
    [1, ({ random: { pick } }) => ({ tool: 'config_list', args: pick([{}, { pattern: '*.yaml' }]) })],
    [1, (all) => ({ tool: 'explain_error', args: { message: `${guess(all)}: invalid` } })],
  ];
  let at = random.below(MAKE.reduce((sum, [share]) => sum + share, 0));
  for (const [share, make] of MAKE) {
    if (at < share) return make(known);
    at -= share;
  }
  throw new Error('shares add up');
}

/** A secret of one of the twins, in some form in which it could be recognised. */
function guess({ random, guesses }: Known): string {
  const secret = random.pick(guesses);
  const forms = [secret, `&${secret}`, `*${secret}`, secret.slice(0, 4), `"${secret}"`, `x: ${secret}`];
  return random.pick([...forms, `${secret.slice(0, 3)}*`, `password: ${secret}`, `${secret}\n`]);
}

function value(known: Known): string {
  return known.random.below(4) === 0 ? guess(known) : known.random.pick(VALUES);
}

function json(known: Known): unknown {
  const { random } = known;
  return random.pick([
    1,
    -5,
    'x',
    null,
    guess(known),
    { token: guess(known) },
    ['a'],
    { password: 'CHANGEME' },
  ]);
}

/** A file, and a node that may be in it. */
function place({ random }: Known): { readonly file: string; readonly path: string; readonly doc?: unknown } {
  const file = random.pick(NAMES);
  const path = pathOf(file, random);
  const isOfMany = file === 'secret.yaml' && random.below(5) > 0;
  return { file, path, ...(isOfMany ? { doc: random.pick([0, 1, { kind: 'Secret' }]) } : {}) };
}

/** Some of these fields. */
function maybe(random: Random, fields: Call['args']): Call['args'] {
  return Object.fromEntries(Object.entries(fields).filter(() => random.below(3) === 0));
}

function set(known: Known): Call {
  const { random } = known;
  const given = random.below(2) === 0 ? { value: value(known) } : { json: json(known) };
  const more = maybe(random, { create: false, reason: guess(known) });
  return { tool: 'config_set', args: { ...place(known), ...given, dry_run: random.below(3) === 0, ...more } };
}

function edits(known: Known): Call {
  const { random } = known;
  const made = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => edit(known));
  return { tool: 'config_edit', args: { edits: made, dry_run: random.below(3) === 0 } };
}

function edit(known: Known): object {
  const { random } = known;
  const at = place(known);
  const key = () => (random.below(6) === 0 ? guess(known) : random.pick(KEYS));
  const to = () => {
    const to_file = random.below(3) === 0 ? random.pick(NAMES) : undefined;
    return { to: pathOf(to_file ?? at.file, random), ...(to_file === undefined ? {} : { to_file }) };
  };
  const beside = () => maybe(random, { before: key(), after: key() });
  const MAKE: readonly (() => object)[] = [
    () => ({ op: 'set', ...at, value: value(known), ...maybe(random, { create: true, if_missing: true }) }),
    () => ({ op: 'set', ...at, json: json(known) }),
    () => ({ op: 'set', ...at, from: random.pick([...WORDS, guess(known)]), value: value(known) }),
    () => ({ op: 'delete', ...at }),
    () => ({ op: 'rename', ...at, new_key: key() }),
    () => ({ op: 'insert', ...at, key: key(), value: value(known), ...beside() }),
    () => ({ op: 'append', ...at, value: value(known) }),
    () => ({ op: 'merge', ...at, json: { [key()]: json(known) }, ...maybe(random, { create: true }) }),
    () => ({ op: 'copy', ...at, ...to(), key: key() }),
    () => ({ op: 'move', ...at, ...to(), key: key() }),
    () => ({ op: 'move', ...at, ...to() }),
    () => ({
      ...{
        op: 'comment',
        ...at,
        comment: random.pick(['kept', '', guess(known), `password: ${guess(known)}`]),
      },
      place: random.pick(['before', 'line_end']),
    }),
    () => ({
      op: 'add_document',
      file: at.file,
      value: random.pick(['a: 1', `a: ${guess(known)}`, 'b: *pw']),
    }),
    () => ({ op: 'delete_document', file: at.file, doc: random.below(2) }),
    () => ({ op: 'delete_file', file: at.file }),
    () => ({
      op: 'create_file',
      file: random.pick(['new.yaml', at.file]),
      content: `password: ${guess(known)}\n`,
    }),
    ...Array.from({ length: 8 }, () => () => replacement(known, at)),
  ];
  const isText = /properties|broken/u.test(at.file) && random.below(4) > 0;
  return isText ? replacement(known, at) : random.pick(MAKE)();
}

/** Some of what is shown, with something more, something less or something else. */
function replacement(known: Known, { file, path, doc }: ReturnType<typeof place>): object {
  const { random, shown } = known;
  const pieces = shown[file]?.match(/§\d+;|[\w.]+|\s+|[^\s\w]/gu) ?? [];
  const start = random.below(Math.max(pieces.length, 1));
  const old = pieces.slice(start, start + 1 + random.below(9));
  const next = [...old];
  const at = random.below(next.length + 1);
  const chance = random.below(8);
  const secrets = Object.values(shown).join('').match(/§\d+;/gu) ?? ['x'];
  const put = chance === 0 ? guess(known) : chance === 1 ? random.pick(secrets) : undefined;
  next.splice(at, random.below(2), put ?? random.pick([...SIGNS, ...KEYS, ...WORDS]));
  const where = random.below(5) === 0 ? { path, ...(doc === undefined ? {} : { doc }) } : {};
  const more = maybe(random, { expect: 1 });
  return { op: 'replace_text', file, ...where, old_text: old.join(''), new_text: next.join(''), ...more };
}

function search(known: Known): Call {
  const { random } = known;
  const where = () =>
    random.pick(['<5', '>=100000', `!=${guess(known)}`, `>${guess(known)}`, 'missing', '<1.2.3']);
  const fields = maybe(random, {
    pattern: random.pick(NAMES),
    key: random.pick([pathOf('', random), '*', 'pass*', guess(known)]),
    value: random.pick([guess(known), '*', 'q*', '<secret:*', '§1;', 'x']),
    text: random.pick([guess(known), 'password', '§0;', ':']),
    where: where(),
    limit: 3,
    cursor: '1.0.3.000000',
  });
  return { tool: 'config_search', args: fields };
}

function compare(known: Known): Call {
  const { random, changes } = known;
  const side = () => {
    const change = changes > 0 ? { before_change: `¶c${random.below(changes)};` } : {};
    const { path, ...at } = place(known);
    return { ...at, ...maybe(random, { path }), ...(random.below(3) === 0 ? change : {}) };
  };
  const a = side();
  return {
    tool: 'config_diff',
    args: { a, b: random.below(2) === 0 ? { ...side(), file: a.file } : side() },
  };
}

function read(known: Known): Call {
  const { random } = known;
  const { file, path, doc } = place(known);
  const view = random.pick(['source', 'outline', 'value', 'raw']);
  const fields = maybe(random, {
    path: random.below(8) === 0 ? guess(known) : path,
    doc: doc ?? 0,
    lines: '3-9',
  });
  return { tool: 'config_get', args: { file, view, ...fields } };
}

function validate(known: Known): Call {
  const { random } = known;
  const { file, doc } = place(known);
  const subject = random.pick([
    { file },
    { file },
    { text: `password: ${guess(known)}\nb: *a\n` },
    { pattern: '**' },
  ]);
  const schema = { schema: 'guess.schema.json' };
  const beside = { 'guess.schema.json': JSON.stringify(guessing(known)) };
  const isNamed = 'file' in subject && random.below(2) === 0;
  const more = doc === undefined ? {} : { doc };
  return { tool: 'config_validate', args: { ...subject, ...more, ...(isNamed ? schema : {}) }, beside };
}

/** What any value would have to be. */
function guessing(known: Known): object {
  const { random, guesses } = known;
  const secret = random.pick(guesses);
  const what = random.pick([
    { const: secret },
    { enum: [secret, Number(secret)] },
    { pattern: `^${secret.slice(0, 2).replaceAll(/\W/gu, '.')}` },
    { minLength: 12 },
    { maxLength: 14 },
    { minimum: Number(secret) || 0 },
    { multipleOf: 2 },
    { type: random.pick(['string', 'integer', 'null']) },
    { uniqueItems: true },
    { format: random.pick(['uri', 'email', 'date']) },
  ]);
  return { ...what, additionalProperties: { $ref: '#' }, items: { $ref: '#' } };
}

function history(known: Known): Call {
  const { random, changes, previews } = known;
  const fields = maybe(random, {
    file: random.pick(NAMES),
    since: '2h',
    limit: 5,
    ...(changes > 0 ? { change_id: `¶c${random.below(changes)};` } : {}),
    ...(previews > 0 ? { preview_id: `¶p${random.below(previews)};` } : {}),
  });
  return { tool: 'config_history', args: fields };
}

function revert(known: Known): Call {
  const { random, changes } = known;
  const change_id = changes > 0 ? `¶c${random.below(changes)};` : 'ch_0000000000';
  return { tool: 'config_revert', args: { change_id, dry_run: random.below(2) === 0 } };
}

/** The last of them, for others are likely to be about files that have changed since. */
function apply({ random, previews }: Known): Call {
  const last = Math.max(previews - 1 - random.below(3), 0);
  return { tool: 'config_apply', args: { preview_id: previews > 0 ? `¶p${last};` : 'pv_0000000000' } };
}
