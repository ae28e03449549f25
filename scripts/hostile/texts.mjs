// Files that cost a parser more than their size: each is filled up to `bytes`, so that one list serves the
// sizes that are read and those that are refused.

/** name → a text of about so many bytes. */
export const TEXTS = {
  'flow depth': (bytes) => 'a: '.padEnd(bytes, '['),
  'flow depth, closed': (bytes) => `a: ${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}\n`,
  'flow mappings in each other': (bytes) => `${'{a: '.repeat(bytes / 4)}`,
  'block depth': (bytes) => deepBlock(Math.floor(Math.sqrt(bytes * 2))),
  'lists on one line': (bytes) => `${'- '.repeat(bytes / 2)}x\n`,
  'explicit keys': (bytes) => '? '.repeat(bytes / 2),
  'an alias tree': (bytes) => aliasTree(Math.floor(bytes / 30)),
  'aliases of one anchor': (bytes) => `a: &a x\nb:\n${'- *a\n'.repeat(bytes / 5)}`,
  'anchors everywhere': (bytes) => lines(bytes, (i) => `k${i}: &a${i} v`),
  'a chain of merges': (bytes) =>
    `k0: &k0 {a: 1}\n${lines(bytes, (i) => `k${i + 1}: &k${i + 1} {<<: *k${i}}`)}`,
  'one key again and again': (bytes) => 'key: value\n'.repeat(bytes / 11),
  'many keys': (bytes) => lines(bytes, (i) => `key${i}: value`),
  'many items': (bytes) => '- x\n'.repeat(bytes / 4),
  'empty entries': (bytes) => lines(bytes, (i) => `${i.toString(36)}:`),
  'many documents': (bytes) => '---\n'.repeat(bytes / 4),
  'documents with contents': (bytes) => '---\na: 1\n'.repeat(bytes / 9),
  'comments only': (bytes) => '# a comment\n'.repeat(bytes / 12),
  'a comment at each key': (bytes) => lines(bytes, (i) => `# about\nk${i}: v # why`),
  'empty lines': (bytes) => `a: 1\n${'\n'.repeat(bytes)}b: 2\n`,
  spaces: (bytes) => `a: 1\n${' '.repeat(bytes)}\nb: 2\n`,
  tabs: (bytes) => `a:\n${'\t'.repeat(bytes)}`,
  'one plain scalar': (bytes) => `a: ${'x'.repeat(bytes)}\n`,
  'one plain scalar over many lines': (bytes) => `a:\n${'  word word\n'.repeat(bytes / 12)}`,
  'one double-quoted scalar of escapes': (bytes) => `a: "${'\\u0041'.repeat(bytes / 6)}"\n`,
  'one quoted scalar over many lines': (bytes) => `a: "${'x\n  '.repeat(bytes / 4)}"\n`,
  'a quote that never ends': (bytes) => `a: "${'x '.repeat(bytes / 2)}`,
  'quotes that never end': (bytes) => `a: '\n`.repeat(bytes / 5),
  'one block scalar': (bytes) => `a: |\n${'  line\n'.repeat(bytes / 7)}`,
  'block scalars': (bytes) => lines(bytes, (i) => `k${i}: |\n  x`),
  'one long key': (bytes) => `${'k'.repeat(bytes)}: 1\n`,
  colons: (bytes) => ': '.repeat(bytes / 2),
  'colons in a row of plain text': (bytes) => `a${': a'.repeat(bytes / 3)}`,
  'errors on every line': (bytes) => 'a: b: c: [\n'.repeat(bytes / 11),
  'wrong indents': (bytes) => lines(bytes, (i) => `${' '.repeat(i % 7)}k${i}: v`),
  tags: (bytes) => lines(bytes, (i) => `k${i}: !!str v`),
  'unknown tag handles': (bytes) => lines(bytes, (i) => `k${i}: !h${i}!t v`),
  directives: (bytes) => `${'%TAG !a! tag:x,2000:\n'.repeat(bytes / 21)}---\na: 1\n`,
  'a flow list of numbers': (bytes) => `a: [${'1,'.repeat(bytes / 2)}1]\n`,
  'empty flow items': (bytes) => `a: [${','.repeat(bytes)}]\n`,
  'a flow mapping of nothing': (bytes) => `a: {${'?,'.repeat(bytes / 2)}}\n`,
  'carriage returns': (bytes) => 'a: 1\r'.repeat(bytes / 5),
  'a pattern for backtracking': (bytes) => `a: ${'aaaaaaaaab '.repeat(bytes / 11)}!\n`,
};

export function lines(bytes, line) {
  const all = [];
  for (let i = 0, size = 0; size < bytes; i += 1) {
    all.push(line(i));
    size += all[i].length + 1;
  }
  return `${all.join('\n')}\n`;
}

function deepBlock(levels) {
  let text = '';
  for (let i = 0; i < levels; i += 1) text += `${' '.repeat(i)}a:\n`;
  return text;
}

function aliasTree(levels) {
  return lines(levels * 30, (i) => (i === 0 ? 'a0: &a0 [x, x]' : `a${i}: &a${i} [*a${i - 1}, *a${i - 1}]`));
}
