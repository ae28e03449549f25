// Every operation that makes sense on a node, with values of every kind.

import type { Json, Language, Operation } from './attempt.ts';
import { isNull, keysOf, type PlaceInFile } from './places.ts';

/** Source fragments by kind. */
const FRAGMENTS = {
  plain: 'x',
  'plain on two lines': 'p\n  q',
  single: "'it''s'",
  double: '"d\\n"',
  'double on two lines': '"m\n  n"',
  'flow list': '[1, 2]',
  'flow mapping': '{k: v}',
  'flow list on three lines': '[\n  1,\n]',
  literal: '|\n  text\n',
  'folded and stripped': '>-\n  f\n  g\n',
  'literal that keeps': '|+\n  t\n\n',
  'literal with an indicator': '|1\n  t\n',
  'block mapping': 'k: 1\nz: 2',
  'block list': '- 1\n- 2',
  'nested block': 'k:\n  - a: 1\n    b: 2\n  - c',
  'compact block': '- - 1\n  - 2\n- k: v',
  tagged: '!t v',
  anchored: '&new w',
  commented: 'v # c',
  nothing: '',
  'with a question mark': 'http://a/b?c=d',
  'flow with a question mark': '[http://a/b?c=d, x]',
  'flow without values': '{a:, b: {c:}}',
  'words of a list': 'x, [y]',
} as const satisfies Record<string, string>;

const VALUES: readonly Json[] = ['no', 'two\nlines\n', 5, null, { a: [1, 'x: y'] }, []];
/** What can stand in a JSON file. */
const JSON_FRAGMENTS = ['1.10', '"s"', 'null', '[1, 2]', '{\n  "k": [\n    true\n  ]\n}'];
const TOML_FRAGMENTS = [
  '1.10',
  '"s"',
  "'C:\\x'",
  '1979-05-27T07:32:00Z',
  '0x1F',
  '[1, 2]',
  '[\n  "a", # one\n  "b",\n]',
  '{ k = [true], "a.b" = 1 }',
  '{ p.q = 1 }',
  '"""\n"t"\n  u\n"""',
  "'''v\n'''",
  '"w" # c',
];
const NEW_PARTS = [
  FRAGMENTS.plain,
  FRAGMENTS.literal,
  FRAGMENTS['block mapping'],
  FRAGMENTS['block list'],
  FRAGMENTS['with a question mark'],
];
const NEW_KEYS = ['renamed', 'x, y', 'no', 'is?'];

export function* operationsOn(place: PlaceInFile, language: Language = 'yaml'): Generator<Operation> {
  const isBlock = language === 'yaml' || language === 'template';
  const [values, parts] = isBlock
    ? [Object.values(FRAGMENTS), NEW_PARTS]
    : language === 'toml'
      ? [TOML_FRAGMENTS, TOML_FRAGMENTS]
      : [JSON_FRAGMENTS, JSON_FRAGMENTS];
  yield* replacements(place, values);
  yield* additions(place, parts);
  if (place.part === undefined) return;
  const { doc, path } = place;
  yield { op: 'delete', doc, path };
  if ('key' in place.part) for (const newKey of NEW_KEYS) yield { op: 'rename', doc, path, new_key: newKey };
  if (language === 'json') return;
  for (const comment of ['hello', '']) {
    yield { op: 'comment', doc, path, comment, place: 'before' };
    yield { op: 'comment', doc, path, comment, place: 'line_end' };
  }
}

/** To a collection of the same document; `others`: all places of the file. */
export function* transfersOn(
  { doc, path, part }: PlaceInFile,
  others: readonly PlaceInFile[],
): Generator<Operation> {
  if (part === undefined) return;
  const name = 'key' in part ? {} : { key: 'moved' };
  for (const { node, doc: otherDoc, path: to } of others) {
    if (otherDoc !== doc || to.startsWith(path)) continue;
    for (const op of ['move', 'copy'] as const) {
      if (node.kind === 'sequence') {
        yield { op, doc, path, to };
        yield { op, doc, path, to, index: 0 };
      }
      if (node.kind === 'mapping') yield { op, doc, path, to, ...name };
    }
  }
}

function* replacements(
  { doc, path, part, container }: PlaceInFile,
  fragments: readonly string[],
): Generator<Operation> {
  // A list in [ ] can have no empty item.
  const needsContent =
    part !== undefined && !('key' in part) && container?.kind === 'sequence' && container.style === 'flow';
  for (const source of fragments) {
    if (source === '' && needsContent) continue;
    yield { op: 'set', doc, path, value: source, create: true };
  }
  for (const json of VALUES) yield { op: 'set', doc, path, json, create: true };
}

function* additions({ doc, path, node }: PlaceInFile, fragments: readonly string[]): Generator<Operation> {
  const items = node.kind === 'sequence' || isNull(node) ? fragments : [];
  for (const source of items) {
    yield { op: 'append', doc, path, value: source };
    const length = node.kind === 'sequence' ? node.items.length : 0;
    for (let index = 0; index <= length; index++) yield { op: 'insert', doc, path, value: source, index };
  }
  if (node.kind !== 'mapping' && !isNull(node)) return;
  const below = path === '' ? 'new.er' : `${path}.new.er`;
  for (const source of fragments) {
    const inserted = { op: 'insert', doc, path, key: 'newkey', value: source } as const;
    yield { op: 'set', doc, path: below, value: source, create: true };
    yield inserted;
    for (const key of keysOf(node)) {
      yield { ...inserted, before: key };
      yield { ...inserted, after: key };
    }
  }
}
