// Files of the other formats that cost a parser more than their size; as in texts.mjs, each is filled up to `bytes`.
import { lines } from './texts.mjs';

/** name → a text of about so many bytes, for a file of this format. */
export const FORMAT_TEXTS = [
  ...textsOf('JSONC', 'jsonc', {
    depth: (bytes) => '['.repeat(bytes),
    'depth, closed': (bytes) => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`,
    'objects in each other': (bytes) => '{"a":'.repeat(bytes / 5),
    'comments to the end of the line': (bytes) => `{\n${'//\n'.repeat(bytes / 3)}"k1": 1\n}\n`,
    'comments on one line': (bytes) => `{ "k0": 1, ${'/**/'.repeat(bytes / 4)} "k1": 1 }\n`,
    'comments behind one comma': (bytes) => `{\n"k1": 1, ${'/**/ '.repeat(bytes / 5)}\n"k2": 2\n}\n`,
    'a comment at each key': (bytes) => `{\n${lines(bytes, (i) => `// about\n"k${i}": 1, // why`)}}\n`,
    'a comment that never ends': (bytes) => `{ "k1": 1 /* ${'x '.repeat(bytes / 2)}`,
    'comments that never end': (bytes) => `{ "k1": 1 }${'/*'.repeat(bytes / 2)}`,
    'one long comment': (bytes) => `{ "k1": 1 } //${'x'.repeat(bytes)}`,
    'one block comment over many lines': (bytes) =>
      `{\n  /*${'\n   * x'.repeat(bytes / 7)} */\n  "k1": 1\n}\n`,
    'a string that never ends': (bytes) => `{ "k1": "${'x '.repeat(bytes / 2)}`,
    'one string of escapes': (bytes) => `{ "k1": "${'\\u0041'.repeat(bytes / 6)}" }`,
    'many keys on one line': (bytes) =>
      `{${Array.from({ length: bytes / 12 }, (_, i) => `"k${i}":1`).join(',')},}`,
    'a list of numbers': (bytes) => `{ "k1": [${'1,'.repeat(bytes / 2)}] }`,
    'lists that end with a comma': (bytes) => `{ "k1": [${'[1,],'.repeat(bytes / 5)}] }`,
    slashes: (bytes) => `{ "k1": 1 ${'/ '.repeat(bytes / 2)}`,
    'blank lines': (bytes) => `{\n"k1": 1,\n${'\n'.repeat(bytes)}"k2": 2\n}\n`,
  }),
  ...textsOf('TOML', 'toml', {
    'lists in each other': (bytes) => `k1 = ${'['.repeat(bytes)}`,
    'lists in each other, closed': (bytes) => `k1 = ${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}\n`,
    'inline tables in each other': (bytes) => `k1 = ${'{a='.repeat(bytes / 3)}`,
    'one key of many parts': (bytes) => `a${'.a'.repeat(bytes / 2)} = 1\n`,
    'one header of many parts': (bytes) => `[a${'.a'.repeat(bytes / 2)}]\nk1 = 1\n`,
    'many tables': (bytes) => lines(bytes, (i) => `[t${i}]\nk${i} = 1`),
    'tables below one': (bytes) => lines(bytes, (i) => `[a.b.c.t${i}]\nk = 1`),
    'arrays of tables': (bytes) => lines(bytes, (i) => `[[t]]\nk${i} = 1`),
    'arrays of tables in each other': (bytes) => lines(bytes, () => '[[t]]\n[[t.u]]\nk = 1'),
    'dotted keys of one table': (bytes) => lines(bytes, (i) => `a.b.k${i} = 1`),
    'many keys': (bytes) => lines(bytes, (i) => `k${i} = 1`),
    'one key again and again': (bytes) => 'k1 = 1\n'.repeat(bytes / 7),
    comments: (bytes) => `${'#\n'.repeat(bytes / 2)}k1 = 1\n`,
    'a comment at each key': (bytes) => lines(bytes, (i) => `# about\nk${i} = 1 # why`),
    'one long comment': (bytes) => `k1 = 1 # ${'x'.repeat(bytes)}\n`,
    'a string that never ends': (bytes) => `k1 = "${'x '.repeat(bytes / 2)}`,
    'a text over lines that never ends': (bytes) => `k1 = """${'x\n'.repeat(bytes / 2)}`,
    'quotes within a text over lines': (bytes) => `k1 = """${'x""'.repeat(bytes / 3)}"""\n`,
    'one string of escapes': (bytes) => `k1 = "${'\\u0041'.repeat(bytes / 6)}"\n`,
    'a list of numbers': (bytes) => `k1 = [${'1,'.repeat(bytes / 2)}]\n`,
    'numbers with underscores': (bytes) => `k1 = 1${'_1'.repeat(bytes / 2)}\n`,
    brackets: (bytes) => '[\n'.repeat(bytes / 2),
  }),
  ...textsOf('template', 'yaml', {
    'an action that never ends': (bytes) => `k1: {{ ${'x '.repeat(bytes / 2)}`,
    'actions that never end': (bytes) => `k1: 1\n${'{{ '.repeat(bytes / 3)}`,
    'a comment that never ends': (bytes) => `{{/* ${'x '.repeat(bytes / 2)}`,
    'a string that never ends': (bytes) => `k1: {{ "${'x '.repeat(bytes / 2)}`,
    'a raw string over many lines': (bytes) => `k1: {{ \`${'x\n'.repeat(bytes / 2)}\` }}\n`,
    'many actions': (bytes) => lines(bytes, (i) => `k${i}: {{ .Values.v }}`),
    'actions on one line': (bytes) => `k1: x${'{{.a}}'.repeat(bytes / 6)}\n`,
    'nothing but actions': (bytes) => `{{.a}}\n`.repeat(bytes / 7),
    'branches in each other': (bytes) => `${'{{ if .a }}\n'.repeat(bytes / 12)}k1: 1\n`,
    'branches in each other, closed': (bytes) =>
      `${'{{ if .a }}\n'.repeat(bytes / 24)}k1: 1\n${'{{ end }}\n'.repeat(bytes / 24)}`,
    'a branch at each key': (bytes) =>
      lines(bytes, (i) => `{{- if .a }}\nk${i}: 1\n{{- else }}\nk${i}: 2\n{{- end }}`),
    'one key in many branches': (bytes) => lines(bytes, () => '{{- if .a }}\nk1: 1\n{{- end }}'),
    'ends without a beginning': (bytes) => `k1: 1\n${'{{ end }}\n'.repeat(bytes / 10)}`,
    'strings with braces': (bytes) => lines(bytes, (i) => `k${i}: {{ "}}" | f \`{{\` }}`),
    'blocks that an action begins': (bytes) =>
      lines(bytes, (i) => `k${i}: {{- include "a" . | nindent 2 }}\n  l: 1`),
    braces: (bytes) => `k1: ${'{'.repeat(bytes)}`,
  }),
];

function textsOf(format, extension, texts) {
  return Object.entries(texts).map(([name, make]) => ({ name: `${format}: ${name}`, extension, make }));
}
