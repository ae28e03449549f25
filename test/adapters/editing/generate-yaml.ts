// YAML texts in every style that people write: a text, not data printed by some library. Valid by
// construction, but for rare meetings of styles; callers skip what does not parse.
import { type Random, randomFrom } from '../../harness/random.ts';

/** The same text for the same seed; `size` bounds the parts of each collection. */
export function generateYaml(seed: number, size: number): string {
  return new Writer(randomFrom(seed), size).file();
}

const PLAIN = [
  ...['x', 'two words', '1', '1.10', '0x1f', '017', '1_000', 'no', '~', 'null', '2024-01-01', '12:30'],
  ...['a#b', 'http://example.com:80/x', '-1', 'it\'s "so"', 'naïve', '日本語', '😀 wide', 'e\u0301'],
  ...[
    'a:b',
    '-x',
    '?y',
    ':z',
    'http://a/b?c=d',
    'is it?',
    'x, y',
    'a[0]',
    '<<',
    '=',
    'very long words in a row that go on and on and on',
  ],
];
const QUOTED = [
  "'single'",
  "'it''s'",
  "'x: y # z'",
  '"double"',
  '"a\\tb\\u00e9"',
  '""',
  "''",
  '"😀"',
  '"no"',
  '" x "',
];
const KEYS = [
  'key',
  'on',
  '1',
  'a.b/c',
  'two words',
  'ключ',
  '😀',
  '"quoted"',
  "'it''s'",
  'k#x',
  '"x: y"',
  'no',
  'is?',
];
const FLOW = [
  ...['[]', '{}', '[1, 2]', '[ a, b ]', '{k: v}', '{ k: v, "l": [1, {m: n}] }', '["x":1, y: z]', '[a,b,]'],
  ...['{a, b: , "c":1}', '[\'q\', "d", [p, [q]]]', '{a,b}', '{x: }', '{n: 1, m: }'],
];
const FLOW_LINES = [
  ['[', '  1,', '  2', ']'],
  ['{', '  a: 1, # one', '  # two', '  b: [x, y],', '}'],
  ['[a,', '  b', '  ]'],
];
const BODY = ['text', 'more text # no comment', '  indented', '- no item', 'key: no key', '', 'täxt 😀', '"'];

interface Written {
  /** Behind the indicator, on its line. */
  readonly head: string;
  readonly below: readonly string[];
}

class Writer {
  readonly #random: Random;
  readonly #size: number;
  readonly #unit: number;
  readonly #isIndentless: boolean;
  #anchors: string[] = [];
  #count = 0;

  constructor(random: Random, size: number) {
    this.#random = random;
    this.#size = size;
    this.#unit = random.pick([2, 2, 2, 4, 3]);
    this.#isIndentless = random.below(3) === 0;
  }

  file(): string {
    const lineBreak = this.#chance(5) ? '\r\n' : '\n';
    const documents = this.#chance(5) ? 1 + this.#random.below(3) : 1;
    const lines: string[] = [];
    for (let i = 0; i < documents; i++) lines.push(...this.#document(i, documents > 1));
    const text = lines.map((line) => line + (this.#chance(200) ? '\r\n' : lineBreak)).join('');
    const mark = this.#chance(8) ? '\uFEFF' : '';
    return mark + (this.#chance(6) ? text.replace(/\r?\n$/, '') : text);
  }

  #document(index: number, isOneOfMany: boolean): string[] {
    this.#anchors = [];
    const directives = index === 0 && this.#chance(12) ? ['%YAML 1.2'] : [];
    const needsMarker = index > 0 || directives.length > 0 || this.#chance(6);
    const marker = needsMarker ? [`---${this.#chance(4) ? ' # start' : ''}`] : [];
    const head = this.#chance(4) ? ['# file', ''] : [];
    const end = isOneOfMany && this.#chance(4) ? ['...'] : [];
    const foot = this.#chance(6) ? ['# end'] : [];
    return [...directives, ...marker, ...head, ...this.#root(), ...foot, ...end];
  }

  #root(): string[] {
    switch (this.#random.below(8)) {
      case 0:
        return this.#sequence(0, 0);
      case 1:
        return [this.#random.pick([...FLOW, ...QUOTED, 'plain'])];
      default:
        return this.#mapping(0, 0);
    }
  }

  #mapping(column: number, depth: number): string[] {
    const used = new Set<string>();
    const parts = 1 + this.#random.below(this.#size);
    return Array.from({ length: parts }).flatMap((_, i) => [
      ...this.#before(column, i),
      ...this.#entry(column, depth, used),
    ]);
  }

  #sequence(column: number, depth: number): string[] {
    const parts = 1 + this.#random.below(this.#size);
    return Array.from({ length: parts }).flatMap((_, i) => [
      ...this.#before(column, i),
      ...this.#item(column, depth),
    ]);
  }

  /** A collection may begin on the line of its indicator: nothing stands before its first part. */
  #before(column: number, index: number): string[] {
    if (index === 0) return [];
    const blank = this.#chance(8) ? [this.#chance(5) ? ' ' : ''] : [];
    return [...blank, ...(this.#chance(6) ? [`${pad(column)}# about it`] : [])];
  }

  #entry(column: number, depth: number, used: Set<string>): string[] {
    if (this.#chance(20) && this.#anchors.length > 0 && !used.has('<<')) {
      used.add('<<');
      return [`${pad(column)}<<: *${this.#random.pick(this.#anchors)}`];
    }
    const base = this.#random.pick(KEYS);
    this.#count += 1;
    const key = used.has(base) ? `key${this.#count}` : base;
    used.add(key);
    const { head, below } = this.#value(column, depth + 1, this.#isIndentless);
    return [`${pad(column)}${key}:${head === '' ? '' : this.#gap()}${head}`, ...below];
  }

  #item(column: number, depth: number): string[] {
    const gap = this.#random.pick([1, 1, 1, 3]);
    if (depth < 3 && this.#chance(3)) {
      const inner = column + 1 + gap;
      const lines = this.#chance(3) ? this.#sequence(inner, depth + 1) : this.#mapping(inner, depth + 1);
      return [`${pad(column)}-${pad(gap)}${(lines[0] ?? '').trimStart()}`, ...lines.slice(1)];
    }
    const { head, below } = this.#value(column, depth + 1, undefined);
    return [`${pad(column)}-${head === '' ? '' : pad(gap)}${head}`, ...below];
  }

  /** `isIndentless`: whether a list may stand in the column of its key; undefined where it must not. */
  #value(column: number, depth: number, isIndentless: boolean | undefined): Written {
    const anchor = this.#chance(10) ? `a${this.#random.below(5)}` : undefined;
    const tag = this.#chance(12) ? '!t ' : '';
    const properties = `${anchor === undefined ? '' : `&${anchor} `}${tag}`;
    const written = this.#content(column, depth, isIndentless, properties);
    if (anchor !== undefined) this.#anchors.push(anchor);
    return written;
  }

  #content(column: number, depth: number, isIndentless: boolean | undefined, properties: string): Written {
    const deeper = column + this.#unit;
    switch (this.#random.below(depth > 3 ? 9 : 14)) {
      case 0:
        return this.#oneLine(properties + this.#random.pick(QUOTED));
      case 1:
        return { head: `${properties}"m`, below: [`${pad(deeper)}n"${this.#note()}`] };
      case 2:
        return { head: `${properties}plain`, below: [`${pad(deeper)}goes on`] };
      case 3:
        return this.#blockScalar(column, properties);
      case 4:
        return this.#oneLine(properties + this.#random.pick(FLOW));
      case 5: {
        const [first = '', ...rest] = this.#random.pick(FLOW_LINES);
        return { head: properties + first, below: rest.map((line) => pad(deeper) + line) };
      }
      case 6:
        return this.#anchors.length > 0
          ? this.#oneLine(`*${this.#random.pick(this.#anchors)}`)
          : this.#oneLine(properties.trimEnd());
      case 7:
      case 8:
        return this.#oneLine(properties + this.#random.pick(PLAIN));
      case 9:
      case 10: {
        const isBeside = isIndentless === true;
        const lines = this.#sequence(isBeside ? column : deeper, depth);
        return { head: properties.trimEnd() + this.#note(), below: lines };
      }
      default:
        return { head: properties.trimEnd() + this.#note(), below: this.#mapping(deeper, depth) };
    }
  }

  #blockScalar(column: number, properties: string): Written {
    const indent = 1 + this.#random.below(4);
    const chomp = this.#random.pick(['', '', '-', '+']);
    const isMarked = this.#chance(4);
    const first = isMarked ? this.#random.pick([' lead', 'text']) : 'text';
    const body = [first, ...Array.from({ length: this.#random.below(4) }, () => this.#random.pick(BODY))];
    const trailing = Array.from({ length: this.#chance(3) ? 1 + this.#random.below(2) : 0 }, () => '');
    const header = `${this.#random.pick(['|', '|', '>'])}${isMarked ? indent : ''}${chomp}`;
    const lines = [...body, ...trailing].map((line) => (line === '' ? '' : pad(column + indent) + line));
    return { head: `${properties}${header}${this.#note()}`, below: lines };
  }

  #oneLine(head: string): Written {
    return { head: head + (head === '' ? '' : this.#note()), below: [] };
  }

  #note(): string {
    return this.#chance(8) ? ' # note' : '';
  }

  #gap(): string {
    return this.#random.pick([' ', ' ', ' ', '   ']);
  }

  #chance(oneIn: number): boolean {
    return this.#random.below(oneIn) === 0;
  }
}

function pad(column: number): string {
  return ' '.repeat(column);
}
