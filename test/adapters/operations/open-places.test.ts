// Operations that are planned on one tree and proven once: which ones, and that the result is that of one after the other.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { FORMATS } from '../../../src/adapters/formats/registry.ts';
import {
  type ConfigFile,
  OpenPlans,
  type Operation,
  planOn,
  proofOfPlans,
} from '../../../src/adapters/index.ts';
import { DEFAULT_LIMITS, Refusal, splice } from '../../../src/security/index.ts';
import { editedInOrder, type Language, parse } from '../editing/attempt.ts';

const TEXT = `a:
  x: 1 # one
  y: two
list:
  - name: web
    image: web:1
  - name: api
    image: api:1
flow: { p: 1, q: 2 }
tail: &t end
`;

const set = (path: string, json: Operation['json'] = 7): Operation => ({ op: 'set', path, json });

/** The common result; undefined where an operation has to be planned on what those before it leave. */
function together(file: ConfigFile, operations: readonly Operation[]): string | undefined {
  const [first, ...others] = operations;
  const planned = first && planOn(file, first, DEFAULT_LIMITS);
  if (planned === undefined) return undefined;
  const open = new OpenPlans(planned, DEFAULT_LIMITS);
  if (!others.every((operation) => open.isFree(operation) && open.add(operation))) return undefined;
  const { edits, check } = proofOfPlans(
    { base: file, current: file, earlierChanges: [] },
    open.planned,
    DEFAULT_LIMITS,
  );
  const after = splice(file.stream.text, edits);
  check(after);
  return after;
}

function read(text: string, language: Language = 'yaml'): ConfigFile {
  return { format: FORMATS[language], stream: parse(text, language) };
}

const TOGETHER: readonly (readonly [string, readonly Operation[]])[] = [
  ['two values', [set('a.x'), set('list[1].image')]],
  ['values in one pair of braces', [set('flow.p'), set('flow.q')]],
  [
    'a value, a new key, and a key that goes',
    [set('a.x'), set('list[0].port'), { op: 'delete', path: 'flow.p' }],
  ],
  ['a new key beside a value that changes', [set('a.y'), set('a.z')]],
  ['a selector whose field stays', [set('list[0].image'), set('list[name=api].image')]],
  ['two selectors', [set('list[name=web].image'), set('list[name=api].image')]],
  ['a comment and a value elsewhere', [{ op: 'comment', path: 'list', comment: 'c' }, set('a.x')]],
  [
    'two keys that get other names',
    [
      { op: 'rename', path: 'a.x', new_key: 'v' },
      { op: 'rename', path: 'flow.q', new_key: 'w' },
    ],
  ],
  [
    'items of two lists',
    [
      { op: 'append', path: 'list', json: 'z' },
      { op: 'insert', path: 'flow', key: 'r', json: 3 },
    ],
  ],
];

const ONE_BY_ONE: readonly (readonly [string, readonly Operation[]])[] = [
  ['the same node twice', [set('a.x'), set('a.x', 8)]],
  ['a node in what is replaced', [set('a', { x: 1 }), set('a.x')]],
  ['what holds a node that changes', [set('a.x'), { op: 'delete', path: 'a' }]],
  ['an item whose number changes', [{ op: 'delete', path: 'list[0]' }, set('list[1].image')]],
  ['an item of a list that grows', [{ op: 'insert', path: 'list', index: 0, json: 1 }, set('list[0]')]],
  ['a key under a name that is new', [{ op: 'rename', path: 'a.x', new_key: 'z' }, set('a.z')]],
  ['a selector whose field changes', [set('list[0].name', 'api'), set('list[name=web].image')]],
  [
    'a selector behind a structure that changes',
    [set('list[0].name', { a: 1 }), set('list[name=api].image')],
  ],
  [
    'two keys that get one name',
    [
      { op: 'rename', path: 'a.x', new_key: 'z' },
      { op: 'rename', path: 'a.y', new_key: 'z' },
    ],
  ],
  ['two parts at one place', [set('a.v'), set('a.w')]],
  [
    'neighbours that go',
    [
      { op: 'delete', path: 'a.x' },
      { op: 'delete', path: 'a.y' },
    ],
  ],
  [
    'a comment on one node twice',
    [
      { op: 'comment', path: 'a.y', comment: 'c' },
      { op: 'comment', path: 'a.y', comment: 'd' },
    ],
  ],
  ['a value with a template action', [set('a.x'), { op: 'set', path: 'a.y', value: '{{ .Values.y }}' }]],
  ['an operation with two places', [set('a.x'), { op: 'move', path: 'a.y', to: 'flow' }]],
  ['the text of the file', [set('a.x'), { op: 'replace_text', old_text: 'end', new_text: 'END' }]],
];

const remove = (path: string): Operation => ({ op: 'delete', path });
const rename = (path: string, key: string): Operation => ({ op: 'rename', path, new_key: key });
const give = (path: string, value: string): Operation => ({ op: 'set', path, value });
const insert = (key: string): Operation => ({ op: 'insert', path: '', key, json: 5 });
const EQUAL = 'k: 1\nk: 2\nk: 3\n';
const DOTTED = 'x: { b: 5 }\ny: 1\na.b: 1\nz: 1\n';
const DOTTED_ITEMS = 'list:\n- { a.name: web, v: 1 }\n- { a.name: db, v: 1 }\n';
const DOCUMENTS = 'a.b: 1\nm: { name: p }\nv: 1\n---\na.b: 2\nm: { name: q }\nv: 1\n';
const ANCHORS = 'a: &x 1\nm: &x 2\nz: 3\nb: 0\nc: 0\n';
const LISTED = 'v: &v 1\nlist:\n  # one\n  - *v\n  - 2\n';

/** The first operation changes what the second path, document, alias or list is read by. */
const READ_BY_OTHERS: readonly (readonly [string, string, readonly Operation[]])[] = [
  ['an equal key goes', EQUAL, [remove('k[#1]'), set('k[#2]')]],
  ['an equal key gets another name', EQUAL, [rename('k[#1]', 'n'), set('k[#2]')]],
  ['a key comes that a part of another one is like', DOTTED, [set('a', { q: 1 }), set('a.b')]],
  ['a key gets the name of a part of another one', DOTTED, [rename('x', 'a'), set('a.b')]],
  ['a longer key with dots comes', 'a.b: { c: 1 }\nz: 1\n', [insert('a.b.c'), set('a.b.c')]],
  ['a key with a slash comes', 'spec: { x: 1 }\nz: 1\n', [insert('spec/x'), set('spec/x')]],
  ['a key with a leading dot comes', 'z: 1\nb: 2\nc: 3\n', [insert('.b'), set('.b')]],
  ['a field with dots changes', DOTTED_ITEMS, [set('list[0]["a.name"]', 'api'), set('list[a.name=web].v')]],
  [
    'a key with dots changes',
    DOCUMENTS,
    [
      { ...set('["a.b"]', 3), doc: 0 },
      { ...set('v'), doc: { 'a.b': 1 } },
    ],
  ],
  [
    'a field behind a slash changes',
    DOCUMENTS,
    [
      { ...set('m.name', 'r'), doc: 0 },
      { ...set('v'), doc: { 'm/name': 'p' } },
    ],
  ],
  ['an alias comes, and its anchor goes', ANCHORS, [give('b', '*x'), remove('m')]],
  ['an alias comes, and a nearer anchor', ANCHORS, [give('c', '*x'), give('z', '&x 4')]],
  ['an anchor goes, and an alias comes', ANCHORS, [remove('m'), give('b', '*x')]],
  ['an alias comes, and its key gets another name', '&k k: 1\nb: 0\n', [give('b', '*k'), rename('k', 'n')]],
  ['an anchor in a list changes', LISTED, [set('v', 5), set('list', [1, 2])]],
  [
    'an anchor in a list that is merged changes',
    LISTED,
    [set('v', 5), { op: 'merge', path: '', json: { list: [1, 2] } }],
  ],
];

describe('operations on one file', () => {
  test.each(TOGETHER)('%s are proven together', (_, operations) => {
    expect(together(read(TEXT), operations)).toBe(editedInOrder(TEXT, operations));
  });

  test.each(ONE_BY_ONE)('%s: each is planned on what the one before has left', (_, operations) => {
    expect(together(read(TEXT), operations)).toBeUndefined();
  });

  it('sees a text within one that another plan replaces, and inserts before', () => {
    const text = 'a: 1\nlist:\n- |\n  text without a last line break';
    expect(together(read(text), [set('list', '1.10'), set('new.b')])).toBeUndefined();
  });

  it('puts a comment into the column of one that comes beside it', () => {
    const text = 'a: 1      # one\nbbb: 2    # two\nc: 3\nd: 4\n';
    const note = (path: string) => ({ op: 'comment', path, comment: path, place: 'line_end' }) as const;
    expect(together(read(text), [note('c'), note('d')])).toBeUndefined();
  });

  it('chooses no document by a value that changes', () => {
    const text = 'kind: A\nname: x\nv: 1\n---\nkind: A\nname: y\nv: 1\n';
    const ask = (first: Operation) => [first, { ...set('v'), doc: 'A/y' }];
    expect(together(read(text), ask({ ...set('v'), doc: 0 }))).toBe(text.replaceAll('v: 1', 'v: 7'));
    expect(together(read(text), ask({ ...set('name', 'y'), doc: 0 }))).toBeUndefined();
  });

  it('chooses no item by a value that may stand at an anchor', () => {
    const text = 'n: &n web\nlist:\n  - { name: *n, v: 1 }\n';
    expect(together(read(text), [set('n', 'api'), set('list[name=web].v')])).toBeUndefined();
  });

  test.each(READ_BY_OTHERS)('%s: each is planned on what the one before has left', (_, text, operations) => {
    expect(together(read(text), operations)).toBeUndefined();
  });

  it('takes a path through keys that stay as what it is', () => {
    const text = 'labels:\n  app.io/name: x\n  tier: y\nz: 1\n';
    const operations = [set('new'), set('labels["app.io/name"]'), set('labels.tier')];
    expect(together(read(text), operations)).toBe(editedInOrder(text, operations));
  });

  it('comes to what comes one by one', () => {
    const paths = [
      'a',
      'a.x',
      'a.y',
      'a.new',
      'list',
      'list[0]',
      'list[1].image',
      'list[name=api].name',
      'flow.p',
      'flow',
    ];
    const operation = fc.oneof(
      fc.record({
        op: fc.constant('set' as const),
        path: fc.constantFrom(...paths),
        json: fc.constantFrom(5, true),
      }),
      fc.record({ op: fc.constant('delete' as const), path: fc.constantFrom(...paths) }),
      fc.record({
        op: fc.constant('comment' as const),
        path: fc.constantFrom(...paths),
        comment: fc.constant('c'),
      }),
      fc.record({
        op: fc.constant('rename' as const),
        path: fc.constantFrom('a.x', 'flow.q', 'list[0].image'),
        new_key: fc.constantFrom('k', 'y'),
      }),
    );
    const language = fc.constantFrom('yaml', 'json', 'toml');
    fc.assert(
      fc.property(language, fc.array(operation, { minLength: 2, maxLength: 5 }), (format, operations) => {
        const text = TEXTS[format];
        const common = orUndefined(() => together(read(text, format), operations));
        if (common !== undefined) expect(common).toBe(editedInOrder(text, operations, format));
      }),
      { numRuns: 400 },
    );
  });
});

const TEXTS = {
  yaml: TEXT,
  json: `{
  "a": { "x": 1, "y": 2 },
  "list": [
    { "name": "web", "image": 1 },
    { "name": "api", "image": 2 }
  ],
  "flow": { "p": 1, "q": 2 }
}
`,
  toml: `[a]
x = 1 # one
y = 2

[[list]]
name = "web"
image = 1

[[list]]
name = "api"
image = 2

[flow]
p = 1
q = 2
`,
};

/** A refusal makes the operations go one by one. */
function orUndefined(make: () => string | undefined): string | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
