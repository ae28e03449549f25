// No edit may unmask, and none may say what is masked: what tells of a secret must tell of it afterwards, whatever its bytes are, and the
// result as it is shown must be what was planned. There is one answer to all that is refused.
import { afterAll, expect, it } from 'vitest';
import { DEFAULT_MASKING } from '../../../src/security/index.ts';
import { inlineAirlock } from '../../harness/inline-airlock.ts';

const airlock = await inlineAirlock({ 'b.yaml': '' }, { masking: { ...DEFAULT_MASKING, keys: ['door'] } });
afterAll(() => airlock.close());

/** The first text of the pair becomes the second. */
async function edit(text: string, [old_text, new_text]: readonly [string, string]): Promise<unknown> {
  airlock.write('a.yaml', text);
  const edits = [{ op: 'replace_text', file: 'a.yaml', old_text, new_text }];
  const outcome = await airlock.call('config_edit', { edits });
  return outcome.status === 'ok' ? 'made' : outcome;
}

const SECRET = 'kind: Secret\ndata:\n  any: §\n';

it.each([
  { why: 'a neighbour', text: 'password: §\nport: 1\n', pair: ['port: 1', 'port: 2'] },
  { why: 'a key that is a name of a secret', text: 'password: §\n', pair: ['password', 'api_token'] },
  { why: 'a key that the operator has named', text: 'password: §\n', pair: ['password', 'door'] },
  { why: 'a kind that tells no less', text: 'kind: X\npassword: §\n', pair: ['kind: X', 'kind: Secret'] },
  {
    why: 'another kind, where the name tells it as well',
    text: SECRET.replace('any', 'password'),
    pair: ['Secret', 'ConfigMap'],
  },
  { why: 'the key of a value without a name', text: `${SECRET}x: 1\n`, pair: ['any', 'other'] },
] as const)('a result in which all is told as before is let pass: $why', async ({ text, pair }) => {
  for (const secret of ['hunter2', 'ghp_0123456789abcdefghijABCDEFGHIJ0123456789', '48151623'])
    expect(await edit(text.replace('§', secret), pair), secret).toBe('made');
});

it.each([
  { why: 'a key that is none', text: 'password: §\n', pair: ['password', 'note'] },
  { why: 'a key that tells less than the operator', text: 'door: §\n', pair: ['door', 'password'] },
  { why: 'another kind', text: SECRET, pair: ['Secret', 'ConfigMap'] },
  { why: 'a guess', text: 'password: §\nb: 1\n', pair: ['b: 1', 'b: 1\napi_token: hunter2'] },
  { why: 'an anchor', text: 'password: §\n', pair: ['password: ', 'password: &'] },
  { why: 'a comment', text: 'password: §\n', pair: ['password: ', 'password: #'] },
] as const)(
  'a result is refused in the same words, whatever the secret is: $why [DIS-10]',
  async ({ text, pair }) => {
    const secrets = [
      'hunter2',
      'ghp_0123456789abcdefghijABCDEFGHIJ0123456789',
      '48151623',
      '/run/secrets/db',
      'none',
    ];
    const answers: string[] = [];
    for (const secret of secrets) answers.push(JSON.stringify(await edit(text.replace('§', secret), pair)));
    // Only the operator masks what is no secret to anybody else: a path, a word.
    const masked = text.includes('door') ? answers : answers.slice(0, 3);
    expect(new Set(masked).size).toBe(1);
    expect(masked[0]).toContain('SECRET_PLACEHOLDER');
  },
);
