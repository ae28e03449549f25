// Limits and masked values: what is masked does not depend on how long it took to read the file, and no limit of size tells how
// long a masked value is.
import { expect, it, onTestFinished } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/security/policy/policy.ts';
import { inlineAirlock } from '../../harness/inline-airlock.ts';

const SECRET = 'canary-of-structure';
/** Only the slower reader reads explicit keys. */
const SLOW = `shared: &pw ${SECRET}
db: {password: *pw}
passwords:
  ann: ${SECRET}2
big:
${Array.from({ length: 5_000 }, (_, index) => `  ? k${index}\n  : v\n`).join('')}`;

it('what only the structure tells to be a secret is masked, however little time there is to read it [DIS-9]', async () => {
  const airlock = await inlineAirlock({ 'a.yaml': SLOW }, { limits: { ...DEFAULT_LIMITS, parseMs: 1 } });
  onTestFinished(() => airlock.close());
  for (const _ of [1, 2]) {
    const shown = JSON.stringify([
      await airlock.call('config_get', { file: 'a.yaml', view: 'raw' }),
      await airlock.call('config_search', { text: '*canary*' }),
    ]);
    expect(shown).toContain('<secret:');
    expect(shown).not.toContain(SECRET);
  }
});

const [FILE, PARSED] = [4_000, 2_000];

/** The answers to every call that a limit of size may refuse, about files that are filled up to each of these sizes. */
async function answers(
  secret: string,
  limits: { readonly fileSizeBytes: number; readonly parsedSizeBytes: number },
) {
  const airlock = await inlineAirlock(
    { 'b.yaml': 'b: 1\n' },
    { allow: ['**'], limits: { ...DEFAULT_LIMITS, ...limits } },
  );
  const said: string[] = [];
  const ask = async (tool: string, args: Readonly<Record<string, unknown>>) => {
    const outcome = await airlock.call(tool, args);
    const isWritten = outcome.status === 'ok' && tool === 'config_edit';
    said.push(`${tool} ${'text' in outcome && !isWritten ? outcome.text : outcome.status}`);
  };
  const files = {
    'a.yaml': `kind: Secret\ndata:\n  blob: ${secret}\nnotes: x\n`,
    'a.txt': `password=${secret}\nnotes x\n`,
    'a.toml': `password = "${secret}"\nnotes = "x"\n`,
  };
  for (const size of [...around(limits.fileSizeBytes), ...around(limits.parsedSizeBytes)])
    for (const [file, text] of Object.entries(files)) {
      airlock.write(file, text);
      const fill = 'x'.repeat(size - text.length + secret.length);
      const edits = [{ op: 'replace_text', file, old_text: file === 'a.yaml' ? ': x' : 'x', new_text: fill }];
      await ask('config_edit', {
        edits: file === 'a.yaml' ? [{ ...edits[0], new_text: `: ${fill}` }] : edits,
        dry_run: false,
      });
      for (const view of ['outline', 'raw']) await ask('config_get', { file, view });
    }
  for (const args of [{ pattern: '**' }, { text: 'notes*' }, { key: 'password' }])
    await ask('pattern' in args ? 'config_list' : 'config_search', args);
  airlock.close();
  return said;
}

/** Sizes within the length of a secret from the limit. */
function around(limit: number): readonly number[] {
  return Array.from({ length: 16 }, (_, index) => limit - 130 + index * 9);
}

it.each([
  { why: 'of files and of what is parsed', limits: { fileSizeBytes: FILE, parsedSizeBytes: PARSED } },
  { why: 'that are the same', limits: { fileSizeBytes: PARSED, parsedSizeBytes: PARSED } },
])('limits $why answer alike, however long a secret is [DIS-10]', async ({ limits }) => {
  const short = await answers('aGFsZi1hLXNlY3JldA', limits);
  const long = await answers(`${'bG9uZ2VyLXNlY3JldA'.repeat(5)}Zx`, limits);
  expect(masked(long)).toEqual(masked(short));
  expect(short.join('\n')).toContain('FILE_TOO_LARGE');
});

/** The fingerprints differ, as the secrets do. */
function masked(said: readonly string[]): readonly string[] {
  return said.map((one) => one.replaceAll(/secret:\w{8}/gu, '*'));
}
