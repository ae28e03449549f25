import { afterAll, describe, expect, it } from 'vitest';
import { inlineAirlock } from '../../harness/inline-airlock.ts';

const KEY = [
  '-----BEGIN RSA PRIVATE KEY-----',
  'MIIEcanaryAoneIBAA',
  '',
  '//canary+two',
  '-----END RSA PRIVATE KEY-----',
];
const pem = (indent: string) => KEY.map((line) => (line === '' ? '' : indent + line)).join('\n');

/** In each file `end` is on the last line and has the value 1. */
const ROWS: readonly { why: string; file: string; text: string }[] = [
  { why: 'a literal block', file: 'a.yaml', text: `key: |\n${pem('  ')}\nend: 1\n` },
  { why: 'a kept block with its blank lines', file: 'a.yaml', text: `key: |+\n${pem('  ')}\n\n\nend: 1\n` },
  { why: 'a stripped block', file: 'a.yaml', text: `key: |-\n${pem('  ')}\nend: 1\n` },
  { why: 'a folded block', file: 'a.yaml', text: 'a_secret: >-\n  canary one\n    two\n\n  three\nend: 1\n' },
  {
    why: 'a block that says its indentation',
    file: 'a.yaml',
    text: 'a_secret: |2\n    canary\n  two\nend: 1\n',
  },
  { why: 'a plain text', file: 'a.yaml', text: 'a_secret: canary\n  two\n\n  three\nend: 1\n' },
  {
    why: 'a text in double quotes',
    file: 'a.yaml',
    text: 'a_secret: "canary\n  two\\\n\n  three\n  "\nend: 1\n',
  },
  { why: 'a text in single quotes', file: 'a.yaml', text: "a_secret: 'canary\n\n  two'\nend: 1\n" },
  { why: 'a comment', file: 'a.yaml', text: `# a\n${pem('# ')}\nend: 1\n`.replace('\n\n', '\n#\n') },
  { why: 'a block among items', file: 'a.yaml', text: `list:\n- tls.key: |\n${pem('    ')}\nend: 1\n` },
  {
    why: 'lines that end in CRLF',
    file: 'a.yaml',
    text: `key: |\n${pem('  ')}\nend: 1\n`.replaceAll('\n', '\r\n'),
  },
  { why: 'a template', file: 't.yaml', text: `{{- if .a }}\nkey: |\n${pem('  ')}\n{{- end }}\nend: 1\n` },
  { why: 'a text of TOML', file: 'a.toml', text: `key = """\n${pem('')}\n"""\nend = 1\n` },
  { why: 'a literal text of TOML', file: 'a.toml', text: "a_secret = '''canary\n\n two'''\nend = 1\n" },
  { why: 'a comment of JSONC', file: 'a.jsonc', text: `{\n/*\n${pem(' ')}\n*/\n"end": 1}\n` },
];

const airlock = await inlineAirlock({ 'a.conf': '' }, { allow: ['**'] });
afterAll(() => airlock.close());

async function called(tool: string, args: Readonly<Record<string, unknown>>): Promise<string> {
  const outcome = await airlock.call(tool, args);
  return 'text' in outcome ? outcome.text : JSON.stringify(outcome);
}

describe('behind a secret of several lines', () => {
  it.each(ROWS)(
    'lines are counted as in the file, and an edit changes its own: $why [DIS-9]',
    async ({ file, text }) => {
      airlock.write(file, text);
      const lines = text.split(/\r?\n/u);
      const number = lines.findLastIndex((line) => line.includes('end')) + 1;
      const shown = await called('config_get', { file, view: 'raw', lines: `${number}-${number}` });
      expect(shown).toContain(`${number}\t${lines[number - 1]}`);
      const whole = await called('config_get', { file, view: 'raw' });
      expect(whole).not.toMatch(/canary|BEGIN|three/u);
      expect(whole).toContain('<secret:more>');
      const edits = [{ op: 'set', file, path: 'end', json: 2 }];
      const diff = await called('config_edit', { edits });
      const first = Math.max(1, number - 3);
      expect(diff).toContain(`@@ -${first},`);
      await called('config_edit', { edits, dry_run: false });
      expect(airlock.disk(file)).toBe(text.replace(/(end"?\s?[:=]\s)1/u, '$12'));
    },
  );

  it('a problem is reported where it is [DIS-9]', async () => {
    airlock.write('a.yaml', `key: |\n${pem('  ')}\nend: 1\nend: 2\n`);
    expect(await called('config_validate', { file: 'a.yaml' })).toMatch(/\b8\b/u);
  });

  it('a text file has its lines as well [DIS-9]', async () => {
    airlock.write('a.conf', `x=1\n${pem('')}\nend=1\n`);
    const shown = await called('config_get', { file: 'a.conf', view: 'raw' });
    expect(shown.split('\n').at(6)).toBe('7\tend=1');
    expect(shown).not.toContain('canary');
  });
});

describe('a secret of several lines', () => {
  const TEXT = `a: 1\nkey: |\n${pem('  ')}\nend: 1\n`;
  const edit = async (args: Readonly<Record<string, unknown>>) => {
    airlock.write('a.yaml', TEXT);
    const outcome = await airlock.call('config_edit', {
      edits: [{ file: 'a.yaml', ...args }],
      dry_run: false,
    });
    return [outcome.status === 'refused' ? outcome.code : outcome.status, airlock.disk('a.yaml')];
  };

  it('goes as a whole [DIS-10]', async () => {
    expect(await edit({ op: 'delete', path: 'key' })).toEqual(['ok', 'a: 1\nend: 1\n']);
  });

  it('is replaced as a whole [DIS-10]', async () => {
    expect(await edit({ op: 'set', path: 'key', value: 'CHANGEME' })).toEqual([
      'ok',
      'a: 1\nkey: CHANGEME\nend: 1\n',
    ]);
  });

  it.each([
    {
      why: 'one of its further lines',
      old_text: '<secret:more>\n  <secret:more>\nend',
      new_text: '<secret:more>\nend',
    },
    { why: 'its indentation', old_text: '  <secret:more>\nend', new_text: '   <secret:more>\nend' },
    { why: 'a line between', old_text: '  <secret:more>\nend', new_text: '  x\n  <secret:more>\nend' },
    { why: 'a line behind it', old_text: 'end: 1', new_text: '  <secret:more>\nend: 1' },
  ])('cannot be changed in part: $why [DIS-10]', async ({ old_text, new_text }) => {
    expect(await edit({ op: 'replace_text', old_text, new_text })).toEqual(['SECRET_PLACEHOLDER', TEXT]);
  });
});
