// What one hostile file and one call do not show: many files, many edits, large diffs, schemas, pages of replies.
import { lines } from './texts.mjs';

const MB = 1_000_000;
const keys = (bytes) => lines(bytes, (i) => `key${i}: value`);
const file = 'a.yaml';
const one = (text) => () => [[file, text]];

/** Each: `files` [name, text], and `calls`; `next` makes the arguments of what the call before answered. */
export const TASKS = [
  {
    name: 'a list of 12,000 files',
    files: () =>
      Array.from({ length: 12_000 }, (_, i) => [`file-${String(i).padStart(5, '0')}.yaml`, `n: ${i}\n`]),
    calls: () => [
      { job: 'list', tool: 'config_list', args: {} },
      {
        job: 'next page',
        tool: 'config_list',
        next: (data) => ({ cursor: data?.next_cursor ?? data?.cursor ?? '' }),
      },
      { job: 'list by pattern', tool: 'config_list', args: { pattern: '*a*a*a*a*a*a*9*' } },
      { job: 'search', tool: 'config_search', args: { key: 'n', value: '*' } },
      { job: 'search for nothing', tool: 'config_search', args: { value: 'zzz' } },
      { job: 'a file that is not there', tool: 'config_get', args: { file: 'file-1234.yaml' } },
    ],
  },
  {
    name: 'many hits',
    files: one(keys(MB)),
    calls: () => [
      { job: 'search', tool: 'config_search', args: { value: '*' } },
      {
        job: 'next page',
        tool: 'config_search',
        next: (data) => ({ value: '*', cursor: data?.next_cursor ?? data?.cursor ?? '' }),
      },
      { job: 'all of them', tool: 'config_search', args: { value: '*', limit: 1000 } },
      { job: 'by path', tool: 'config_search', args: { key: '*.*a*a*a*a*a*b' } },
    ],
  },
  {
    name: 'a wide file',
    files: one(lines(1_990_000, (i) => `k${i}: {a: 1, b: [1, 2]}`)),
    calls: () => [
      { job: 'outline', tool: 'config_get', args: { file, view: 'outline' } },
      { job: 'source', tool: 'config_get', args: { file } },
      { job: 'value', tool: 'config_get', args: { file, view: 'value' } },
      { job: 'set', tool: 'config_set', args: { file, path: 'k500.a', value: '2' } },
      { job: 'apply', tool: 'config_apply', next: (data) => ({ preview_id: data?.preview_id ?? 'none' }) },
    ],
  },
  edits('100 sets in a big file', keys(MB), (i) => ({
    op: 'set',
    file,
    path: `key${i * 400}`,
    value: `${i}`,
  })),
  edits('100 new keys in a big file', keys(MB), (i) => ({ op: 'set', file, path: `new${i}`, value: `${i}` })),
  edits('100 deletes in a big file', keys(MB), (i) => ({ op: 'delete', file, path: `key${i * 400}` })),
  edits('100 renames in a big file', keys(MB), (i) => ({
    op: 'rename',
    file,
    path: `key${i}`,
    new_key: `other${i}`,
  })),
  edits('100 appends to a big list', `a:\n${'  - x\n'.repeat(MB / 6)}`, () => ({
    op: 'append',
    file,
    path: 'a',
    value: 'y',
  })),
  edits(
    '10 edits of the widest mapping',
    keys(1_990_000),
    (i) => ({ op: 'set', file, path: `key${i * 9000}`, value: 'other' }),
    10,
  ),
  {
    name: 'big diffs',
    files: one(keys(MB)),
    calls: () => [
      {
        job: 'all of it replaced',
        tool: 'config_set',
        args: { file, path: '', value: keys(MB).replaceAll('value', 'other') },
      },
      {
        job: 'all of it replaced by comments',
        tool: 'config_set',
        args: { file, path: '', value: `a: 1\n${'# x\n'.repeat(MB / 4)}` },
      },
      {
        job: 'a large value',
        tool: 'config_set',
        args: { file, path: 'key1', value: `\n${lines(MB, (i) => `  k${i}: v`)}` },
      },
      {
        job: '5,000 keys',
        tool: 'config_set',
        args: {
          file,
          path: 'key1',
          json: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i])),
        },
      },
      { job: 'the root by one key', tool: 'config_set', args: { file, path: '', value: 'a: 1' } },
    ],
  },
  {
    name: 'comments that go',
    files: one(lines(1_990_000, (i) => `# about ${i}\nk${i}: v # why`)),
    calls: () => [
      { job: 'the root by one key', tool: 'config_set', args: { file, path: '', value: 'a: 1' } },
      { job: 'the root by other text', tool: 'config_set', args: { file, path: '', value: `\n${keys(MB)}` } },
    ],
  },
  merges(
    'one merge in each of many',
    `base: &base {a: 1, b: 2}\n${lines(MB, (i) => `k${i}:\n  <<: *base\n  c: ${i}`)
      .split('\n')
      .slice(0, 18_000)
      .join('\n')}\n`,
    'k5',
  ),
  merges(
    'merges of a wide mapping',
    `base: &base\n${lines(MB, (i) => `  b${i}: v`)}${Array.from({ length: 5_000 }, (_, i) => `k${i}:\n  <<: *base\n  c: ${i}`).join('\n')}\n`,
    'k5',
  ),
  merges(
    'merges of long lists',
    `${Array.from({ length: 90 }, (_, i) => `m${i}: &m${i} {a${i}: 1}`).join('\n')}\n${Array.from({ length: 90 }, (_, i) => `k${i}: {<<: [${Array.from({ length: 90 }, (_, j) => `*m${j}`).join(', ')}], c: 1}`).join('\n')}\n`,
    'k5',
  ),
  {
    name: 'a schema',
    files: () => [
      [file, lines(MB, (i) => `k${i}: {port: x}`)],
      ['list.yaml', `a:\n${lines(MB, (i) => `  - {n: ${i}}`)}`],
      [
        'schema.json',
        JSON.stringify({
          type: 'object',
          additionalProperties: {
            type: 'object',
            properties: { port: { type: 'integer', pattern: '^(a+)+$' } },
            required: ['port', 'name'],
            additionalProperties: false,
          },
        }),
      ],
      [
        'unique.json',
        JSON.stringify({
          properties: {
            a: { uniqueItems: true, items: { anyOf: [{ required: ['x'] }, { required: ['y'] }] } },
          },
        }),
      ],
    ],
    calls: () => [
      { job: 'validate, wrong everywhere', tool: 'config_validate', args: { file, schema: 'schema.json' } },
      {
        job: 'validate, uniqueItems',
        tool: 'config_validate',
        args: { file: 'list.yaml', schema: 'unique.json' },
      },
    ],
  },
];

function edits(name, text, edit, count = 100) {
  return {
    name,
    files: one(text),
    calls: () => [
      {
        job: 'preview',
        tool: 'config_edit',
        args: { edits: Array.from({ length: count }, (_, i) => edit(i)) },
      },
      { job: 'apply', tool: 'config_apply', next: (data) => ({ preview_id: data?.preview_id ?? 'none' }) },
      { job: 'revert', tool: 'config_revert', next: (data) => ({ change_id: data?.change_id ?? 'none' }) },
    ],
  };
}

function merges(name, text, key) {
  return {
    name,
    files: one(text),
    calls: () => [
      { job: 'value', tool: 'config_get', args: { file, view: 'value' } },
      { job: 'new key', tool: 'config_set', args: { file, path: `${key}.a`, value: '9' } },
      {
        job: 'in the base',
        tool: 'config_set',
        args: { file, path: text.startsWith('base') ? 'base.new' : 'm0.new', value: '9' },
      },
      {
        job: 'the merge away',
        tool: 'config_edit',
        args: { edits: [{ op: 'delete', file, path: `${key}["<<"]` }] },
      },
      {
        job: 'a hundred keys',
        tool: 'config_edit',
        args: {
          edits: [
            {
              op: 'set',
              file,
              path: `${key}.c`,
              json: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`b${i}`, i])),
            },
          ],
        },
      },
      { job: 'search', tool: 'config_search', args: { value: '*' } },
    ],
  };
}
