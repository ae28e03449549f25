// Files as text: view "raw" and replace_text, on files of no format, on files that cannot be parsed and on those that can.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolServer } from '../harness/tool-server.ts';

const server = toolServer({ flags: ['--allow', '**/*', '--max-reply-chars', '2000'] });

function edit(file: string, old_text: string, new_text: string) {
  return { edits: [{ op: 'replace_text', file, old_text, new_text }] };
}

interface Row {
  readonly why: string;
  readonly extension?: string;
  readonly before: string;
  readonly old: string;
  readonly new: string;
  readonly after: string;
  readonly says?: string;
}

const ROWS: readonly Row[] = [
  {
    why: 'a text of no format',
    extension: 'conf',
    before: 'server {\n  listen 80;\n}\n',
    old: 'listen 80;',
    new: 'listen 81;\n  root /a;',
    after: 'server {\n  listen 81;\n  root /a;\n}\n',
  },
  {
    why: 'line breaks of the file, whichever the call has, and its byte order mark',
    extension: 'conf',
    before: '\uFEFFa\r\nb\r\nc\r\n',
    old: 'a\nb',
    new: 'x\ny\nz',
    after: '\uFEFFx\r\ny\r\nz\r\nc\r\n',
  },
  {
    why: 'line breaks of both kinds',
    extension: 'conf',
    before: 'z\r\na\r\nb\nc\r\n',
    old: '\na\nb\n',
    new: '\nx\n',
    after: 'z\r\nx\r\nc\r\n',
  },
  {
    why: 'a template that has no structure, before and after',
    before: '{{ if .on }}\nimage: web:1\n  tag: 1\n{{ end }}\n',
    old: 'web:1',
    new: 'web:2',
    after: '{{ if .on }}\nimage: web:2\n  tag: 1\n{{ end }}\n',
    says: 'Warning: The file is still not valid YAML',
  },
  {
    why: 'an action of a template',
    before: '{{ if .on }}\nimage: web:1\n{{ end }}\n',
    old: '.on',
    new: '.off',
    after: '{{ if .off }}\nimage: web:1\n{{ end }}\n',
    says: '{{ if .off }}',
  },
  {
    why: 'JSON5, which neither JSON nor JSONC is',
    extension: 'json',
    before: '{\n  a: 1\n}\n',
    old: 'a: 1',
    new: 'a: 2',
    after: '{\n  a: 2\n}\n',
    says: 'Warning: The file is still not valid JSON: line 2',
  },
  {
    why: 'an empty text, which is all that an empty file holds',
    extension: 'json',
    before: '',
    old: '',
    new: '{\n  "a": 1\n}\n',
    after: '{\n  "a": 1\n}\n',
  },
  {
    why: 'an empty text of a file that holds nothing but blanks behind its byte order mark',
    extension: 'conf',
    before: '\uFEFF\r\n\r\n',
    old: '',
    new: 'a\n',
    after: '\uFEFFa\r\n',
  },
  {
    why: 'broken YAML that is mended',
    before: 'a: [1\nb: 2\n',
    old: '[1',
    new: '[1]',
    after: 'a: [1]\nb: 2\n',
  },
  {
    why: 'valid YAML, where an alias follows',
    before: 'a: &x 1 # keep\nb: *x\n',
    old: '&x 1',
    new: '&x 2',
    after: 'a: &x 2 # keep\nb: *x\n',
    says: 'Also changes, through an alias or merge: b',
  },
  {
    why: 'a document more',
    before: 'a: 1\n',
    old: 'a: 1\n',
    new: 'a: 1\n---\nb: 2\n',
    after: 'a: 1\n---\nb: 2\n',
    says: 'Preview: 1 path in 1 file',
  },
];

describe('replace_text', () => {
  it.each(ROWS)('changes its span and nothing else: $why', async (row) => {
    const file = server.fresh(row.before, row.extension);
    const call = edit(file, row.old, row.new);
    const preview = await server.ok('config_edit', call);
    expect(preview.text).toContain(row.says ?? 'Preview: ');
    expect(server.disk(file)).toBe(row.before);
    const applied = await server.ok('config_apply', { preview_id: preview.data['preview_id'] });
    expect(server.disk(file)).toBe(row.after);
    const undone = await server.ok('config_revert', {
      change_id: applied.data['change_id'],
      dry_run: false,
    });
    expect(undone.text).toMatch(/^Applied/);
    expect(server.disk(file)).toBe(row.before);
  });

  it.each([
    ['a broken list', '[1', 'the file would no longer be valid YAML: line 2'],
    ['a key that stands twice', '1\nb: 3', 'this key stands earlier'],
  ])('leaves a valid file valid: %s', async (_, next, says) => {
    const file = server.fresh('a: 1\nb: 2\n');
    const { code, text } = await server.refused('config_edit', edit(file, '1', next));
    expect(code).toBe('VERIFICATION_FAILED');
    expect(text).toContain(says);
  });

  it('gives an empty JSON file its first content, as the refusal says', async () => {
    const file = server.fresh('', 'json');
    const refused = await server.refused('config_set', { file, path: 'a', json: 1 });
    expect(refused.code).toBe('SYNTAX_INVALID');
    expect(refused.message).toContain(
      'the file is empty (replace_text with old_text "" gives it its first text)',
    );
    await server.ok('config_edit', { ...edit(file, '', '{}\n'), dry_run: false });
    await server.ok('config_set', { file, path: 'a', json: 1, dry_run: false });
    expect(server.disk(file)).toBe('{\n  "a": 1\n}\n');
  });

  it('gives all empty files of a pattern their first content, and leaves the others', async () => {
    for (const [name, text] of [
      ['one', ''],
      ['two', '\n'],
      ['full', '{}\n'],
    ] as const)
      server.write(`first-${name}.json`, text);
    const edits = [{ op: 'replace_text', file: 'first-*.json', old_text: '', new_text: '[]\n', expect: 2 }];
    await server.ok('config_edit', { edits, dry_run: false });
    const texts = ['one', 'two', 'full'].map((name) => server.disk(`first-${name}.json`));
    expect(texts).toEqual(['[]\n', '[]\n', '{}\n']);
  });

  it('takes an empty old_text in no other file', async () => {
    const { code, text } = await server.refused('config_edit', edit(server.fresh('a: 1\n'), '', 'b'));
    expect(code).toBe('VALUE_INVALID');
    expect(text).toContain('Copy old_text from view "raw"');
    expect(text).not.toContain('json');
  });

  it('names the lines of all places, and the line that is the most like what is not there', async () => {
    const file = server.fresh('a: one\nb: two\nc: one\n');
    const twice = await server.refused('config_edit', edit(file, 'one', '1'));
    expect([twice.code, twice.message]).toEqual([
      'TEXT_AMBIGUOUS',
      'Cannot replace this text: it occurs 2 times in the file, at lines 1, 3',
    ]);
    const all = twice.again;
    expect((await server.ok(all?.tool ?? '', all?.arguments ?? {})).text).toContain('+c: 1');
    const other = await server.refused('config_edit', edit(file, 'B: Two', '1'));
    expect(other.again?.arguments).toMatchObject({ view: 'raw', lines: '1-12' });
    const none = await server.refused('config_edit', edit(file, 'b:  two', '1'));
    expect([none.code, none.message]).toEqual([
      'TEXT_NOT_FOUND',
      'Cannot replace this text: it does not occur in the file; line 2 is the most like its first line',
    ]);
  });

  it('replaces all of its places in all files, where their number is expected', async () => {
    const files = { 'x/a.yaml': 'n: old\n# old, old\n', 'x/b.conf': 'old old\r\nx\r\n', 'x/c.txt': 'none\n' };
    mkdirSync(join(server.root, 'x'));
    for (const [name, text] of Object.entries(files)) server.write(name, text);
    const [replace] = edit('x/*', 'old', 'new').edits;
    const other = await server.refused('config_edit', { edits: [{ ...replace, expect: 4 }] });
    expect([other.code, other.message]).toEqual([
      'TEXT_AMBIGUOUS',
      'Cannot replace this text: it occurs 5 times in 2 files, and 4 are expected',
    ]);
    const step = other.again;
    expect((await server.ok(step?.tool ?? '', step?.arguments)).text).toContain('x/b.conf:1');
    const many = await server.refused('config_edit', { edits: [replace] });
    expect([many.code, many.message]).toEqual([
      'TEXT_AMBIGUOUS',
      'Cannot replace this text: it occurs 5 times in 2 files',
    ]);
    expect(many.again?.arguments).toEqual({ edits: [{ ...replace, expect: 5 }] });
    const args = { edits: [{ ...replace, expect: 5 }], dry_run: false };
    const { data } = await server.ok('config_edit', args);
    const now = Object.keys(files).map((name) => server.disk(name));
    expect(now).toEqual(Object.values(files).map((text) => text.replaceAll('old', 'new')));
    await server.ok('config_revert', { change_id: data['change_id'], dry_run: false });
    expect(Object.keys(files).map((name) => server.disk(name))).toEqual(Object.values(files));
    const lines = edit('x/*', 'old\nx', 'y').edits.map((one) => ({ ...one, expect: 1 }));
    expect((await server.ok('config_edit', { edits: lines })).text).toContain('-old old\r\n-x\r\n+old y\r\n');
  });

  it('says of a text that is not there once what is like it, and of a pattern where to look', async () => {
    const file = server.fresh('aaa\nb: two\n', 'conf');
    const counted = (name: string, old: string) => ({
      edits: edit(name, old, 'x').edits.map((one) => ({ ...one, expect: 1 })),
    });
    expect((await server.refused('config_edit', counted(file, 'b:  two'))).message).toContain('line 2 is');
    const none = await server.refused('config_edit', counted('*.conf', 'nowhere'));
    expect([none.code, none.message]).toEqual([
      'TEXT_NOT_FOUND',
      'Cannot replace this text: it occurs 0 times, and 1 is expected',
    ]);
    expect((await server.ok('config_edit', counted(file, 'aa'))).text).toContain('+xa\n');
    expect((await server.refused('config_edit', counted(file, ''))).code).toBe('VALUE_INVALID');
  });

  it('takes turns with operations on nodes, once the file can be parsed', async () => {
    const file = server.fresh('a: [1\nb: 2\n');
    const mend = edit(file, '[1', '[1]').edits;
    const set = { op: 'set', file, path: 'b', json: 3 };
    await server.ok('config_edit', { edits: [...mend, set], dry_run: false });
    expect(server.disk(file)).toBe('a: [1]\nb: 3\n');
    server.write(file, 'a: [1\nb: 2\n');
    expect((await server.refused('config_edit', { edits: [set, ...mend] })).code).toBe('SYNTAX_INVALID');
  });
});

describe('view "raw"', () => {
  it('numbers the lines of a file that cannot be parsed', async () => {
    const file = server.fresh('a: [1\r\n\r\nb: "\n');
    const { text, data } = await server.ok('config_get', { file, view: 'raw' });
    expect(text).toBe('1\ta: [1\n2\t\n3\tb: "');
    expect(data).toMatchObject({ source: text, line_count: 3 });
  });

  it('answers a range, and says what follows where it is too long for a reply', async () => {
    const lines = Array.from({ length: 500 }, (_, i) => `line ${i + 1}`);
    const file = server.fresh(`${lines.join('\n')}\n`, 'txt');
    const some = await server.ok('config_get', { file, view: 'raw', lines: '120-122' });
    expect(some.text).toBe('120\tline 120\n121\tline 121\n122\tline 122\n(lines 120-122 of 500)');
    let next: unknown = '1-';
    const seen: string[] = [];
    while (typeof next === 'string') {
      const { data } = await server.ok('config_get', { file, view: 'raw', lines: next });
      seen.push(String(data['source']));
      next = data['next_lines'];
    }
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.join('\n')).toBe(lines.map((line, i) => `${i + 1}\t${line}`).join('\n'));
  });

  it('answers the lines of a node', async () => {
    const file = server.fresh('a: 1\n---\nb:\n  c: 1\n  d: |\n    x\n\ne: 1\n');
    const { text } = await server.ok('config_get', { file, view: 'raw', doc: '1', path: 'b.d' });
    expect(text).toBe('5\t  d: |\n6\t    x\n(lines 5-6 of 8)');
    expect((await server.refused('config_get', { file, view: 'raw', doc: '1', path: 'f' })).code).toBe(
      'NODE_NOT_FOUND',
    );
  });

  it.each(['0-3', '5-3', 'a', '600'])('refuses the lines %s', async (lines) => {
    const file = server.fresh('a\nb\n', 'txt');
    expect((await server.refused('config_get', { file, view: 'raw', lines })).code).toBe('ARGUMENT_INVALID');
  });
});

it('leads on from a node that is no text to the text of the file, where that is clear', async () => {
  const file = server.fresh('jobs:\n  a: {x: 1}\n  b: {x: 1}\n');
  const asked = (old: string) => ({
    edits: [
      { op: 'set', file, path: 'c', json: 1 },
      { op: 'replace_text', file, path: 'jobs', old_text: old, new_text: '  # ok\n' },
    ],
  });
  const { again } = await server.refused('config_edit', asked('  a: {x: 1}\n'));
  expect((await server.ok('config_edit', again?.arguments)).text).toContain('+  # ok');
  const unclear = await server.refused('config_edit', asked('{x: 1}'));
  expect(unclear.again?.tool).toBe('config_get');
});

it('a file of no format is read whole, and has no keys', async () => {
  const file = server.fresh('listen 80;\n', 'conf');
  expect((await server.ok('config_get', { file })).text).toBe('listen 80;\n');
  for (const [name, args] of [
    ['config_get', { file, path: 'a' }],
    ['config_get', { file, view: 'outline' }],
    ['config_set', { file, path: 'a', json: 1 }],
  ] as const) {
    const { code, again } = await server.refused(name, args);
    expect(code).toBe('UNSUPPORTED_FORMAT');
    expect(again).toMatchObject({ tool: 'config_get', arguments: { file, view: 'raw' } });
  }
});

describe('replace_text in a text that is YAML or JSON itself', () => {
  const CONFIG = 'data:\n  conf: |\n    a:\n      b: 1\n      c: 2\n  json: \'{"a": [1]}\'\n';
  const inScalar = (path: string, old: string, next: string) => {
    const file = server.fresh(CONFIG);
    return { file, edits: [{ op: 'replace_text', file, path, old_text: old, new_text: next }] };
  };

  it.each([
    { why: 'YAML', path: 'data.conf', old: 'b: 1', next: 'b: 1\n      d: 3', says: 'valid YAML' },
    { why: 'JSON', path: 'data.json', old: '[1]', next: '[1', says: 'valid JSON' },
    { why: 'JSON that YAML takes', path: 'data.json', old: '[1]', next: '[1,]', says: 'valid JSON' },
  ])('asks where it is no longer: $why', async ({ path, old, next, says }) => {
    const { edits } = inScalar(path, old, next);
    const { text } = await server.ok('config_edit', { edits });
    expect(text).toContain(`${path}: the text was ${says} and no longer is. Did you mean`);
    expect((await server.refused('config_edit', { edits, dry_run: false })).code).toBe('PREVIEW_REQUIRED');
  });

  it.each([
    { why: 'with the first line', old: '      b: 1\n      c: 2', next: '      b: 1\n      d: 3\n      c: 2' },
    { why: 'without it', old: 'b: 1\n      c: 2', next: 'b: 1\n      d: 3\n      c: 2' },
  ])('takes lines with the indentation of the file for those of the text: $why', async ({ old, next }) => {
    const { file, edits } = inScalar('data.conf', old, next);
    const { text } = await server.ok('config_edit', { edits, dry_run: false });
    expect(text).not.toContain('Did you mean');
    expect(server.disk(file)).toBe(CONFIG.replace('      b: 1\n', '      b: 1\n      d: 3\n'));
  });
});

describe('texts that are replaced one after the other', () => {
  const SPEC = 'kind: Job\nspec:\n  a: 1\n';
  const put = (old_text: string, new_text: string) => ({ op: 'replace_text', old_text, new_text });
  const begun = put('kind: Job\n', '{{- if .Values.on }}\nkind: Job\n');
  const ended = put('  a: 1\n', '  a: 1\n{{- end }}\n');
  const step = { op: 'set', path: 'spec.b', json: 2 };

  it.each([
    { why: 'are proven together', edits: [begun, ended], says: '+{{- end }}' },
    { why: 'whatever comes before', edits: [step, begun, ended], says: '+{{- end }}\n+  b: 2' },
    { why: 'and behind', edits: [begun, ended, step], says: '+{{- end }}' },
    { why: 'see what the one before has made', edits: [begun, put('.on', '.off'), ended], says: '.off' },
    { why: 'are refused where something is open in the end', edits: [begun], says: 'in the same call' },
    { why: 'or before another step', edits: [begun, step, ended], says: 'In edits[0]' },
    { why: 'and the one that is at fault is named', edits: [begun, put('x: 9', 'y')], says: 'In edits[1]' },
  ])('$why', async ({ edits, says }) => {
    server.write('run.yaml', SPEC);
    const { text } = await server.callTool('config_edit', {
      edits: edits.map((edit) => ({ file: 'run.yaml', ...edit })),
    });
    expect(text).toContain(says);
  });
});
