// Files that stay small in bytes and are large in something else: what a call that is served beside the event loop
// might take for ordinary. Each is filled up to `bytes`.
import { lines, TEXTS } from './texts.mjs';

/** name → a text of about so many bytes. */
export const SMALL_TEXTS = {
  ...TEXTS,
  'nested to the limit, again and again': (bytes) => nested(bytes, 90),
  'lists nested to the limit': (bytes) => lines(bytes, (i) => `k${i}: ${'['.repeat(90)}x${']'.repeat(90)}`),
  'one wide mapping below': (bytes) => `top:\n${lines(bytes, (i) => `  key${i}: value`)}`,
  'mappings in a list': (bytes) => lines(bytes, (i) => `- name: n${i}\n  image: x\n  port: 80`),
  'short keys': (bytes) => lines(bytes, (i) => `${i.toString(36)}: 1`),
  'near keys': (bytes) => lines(bytes, (i) => `new_key_${i.toString(36).padStart(4, '0')}: 1`),
  'keys that differ in case': (bytes) => lines(bytes, (i) => `${cased(i)}: 1`),
  'long keys': (bytes) => lines(bytes, (i) => `${'long_key_'.repeat(20)}${i}: 1`),
  'a thousand aliases of one mapping': (bytes) =>
    `base: &base\n${lines(bytes / 2, (i) => `  b${i}: v`)}${Array.from({ length: 1000 }, (_, i) => `u${i}: *base`).join('\n')}\n`,
  'merges of one mapping': (bytes) =>
    `base: &base {a: 1, b: 2}\n${lines(bytes, (i) => `k${i}:\n  <<: *base\n  c: ${i}`)}`,
  'merges of a wide mapping': (bytes) =>
    `base: &base\n${lines(bytes / 2, (i) => `  b${i}: v`)}${lines(bytes / 2, (i) => `k${i}:\n  <<: *base\n  c: ${i}`)}`,
  'merges of lists': (bytes) =>
    `a: &a {a: 1}\nb: &b {b: 1}\n${lines(bytes, (i) => `k${i}: {<<: [*a, *b], c: ${i}}`)}`,
  'anchors and their aliases': (bytes) => lines(bytes, (i) => `k${i}: &a${i} v\nu${i}: *a${i}`),
  'anchors of one name': (bytes) => lines(bytes, (i) => `k${i}: &a v${i}\nu${i}: *a`),
  'numbers that readers differ on': (bytes) =>
    lines(bytes, (i) => `k${i}: ${['no', '1.10', '12:30', '0o17'][i % 4]}`),
  'quoted scalars': (bytes) => lines(bytes, (i) => `"k${i}": "v\\t${i}"`),
  'single-quoted scalars': (bytes) => lines(bytes, (i) => `'k${i}': 'it''s ${i}'`),
  'wide characters': (bytes) => lines(bytes / 3, (i) => `ключ${i}: "значение 😀 ${i}"`),
  'control characters in comments': (bytes) => lines(bytes / 2, (i) => `k${i}: v # \u202e\u200b${i}`),
  'line ends of Windows': (bytes) => lines(bytes, (i) => `k${i}: v\r`),
  'long lines': (bytes) => lines(bytes, (i) => `k${i}: ${'x y '.repeat(5000)}`),
  'one flow mapping': (bytes) =>
    `a: {${Array.from({ length: bytes / 9 }, (_, i) => `k${i}: 1`).join(', ')}}\n`,
  'one block scalar of long lines': (bytes) => `a: |\n${lines(bytes, () => `  ${'word '.repeat(400)}`)}`,
  'comments between': (bytes) => `a: 1\n${'# a comment\n'.repeat(bytes / 12)}b: 2\n`,
  'one directive': (bytes) => `%YAML 1.2\n---\n${lines(bytes, (i) => `k${i}: v`)}`,
  'explicit keys, short': (bytes) => lines(bytes, (i) => `? k${i}\n: v`),
  'tabs for columns': (bytes) => lines(bytes, (i) => `k${i}:\tv\t# c`),
  'documents of one kind': (bytes) => lines(bytes, (i) => `---\nkind: K\nname: n${i}`),
};

function nested(bytes, depth) {
  const branch = (i) =>
    Array.from({ length: depth }, (_, d) => `${' '.repeat(d)}k${d === 0 ? i : d}:\n`).join('');
  return lines(bytes, (i) => `${branch(i)}${' '.repeat(depth)}leaf: 1`);
}

function cased(i) {
  return (
    Array.from('configuration', (letter, at) => ((i >> at) & 1 ? letter.toUpperCase() : letter)).join('') +
    (i >> 13 || '')
  );
}
