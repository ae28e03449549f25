// No edit may unmask, and none may say what is masked: what tells of a secret must tell of it afterwards, whatever its bytes are, and the
// result as it is shown must be what was planned. There is one answer to all that is refused.
import { expect, it } from 'vitest';
import { maskText } from '../../../src/adapters/secrets/mask-text.ts';
import { splice } from '../../../src/security/edits/edit.ts';
import { DEFAULT_LIMITS, DEFAULT_MASKING, Masking, SafePath } from '../../../src/security/index.ts';
import { exactEdits } from '../../../src/security/secrets/masked-text.ts';
import { requireStillMasked } from '../../../src/security/secrets/still-masked.ts';
import { place, refusalOf } from '../fixture.ts';

const path = SafePath.parse('a.yaml', [undefined]);

/** The first text of each pair becomes the second. */
function edit(text: string, ...pairs: readonly (readonly [string, string])[]) {
  const policy = place().policy({ masking: { ...DEFAULT_MASKING, keys: ['door'] }, limits: DEFAULT_LIMITS });
  const masking = new Masking(maskText(policy), 'k'.repeat(32));
  const masked = masking.of(path, text);
  const edits = pairs.map(([old, insert]) => {
    const start = masked.shown.indexOf(old);
    if (start === -1) throw new Error(`${old} is not shown in ${masked.shown}`);
    return { start, end: start + old.length, insert };
  });
  const after = splice(masked.shown, edits);
  const result = splice(text, exactEdits(masked, edits));
  return refusalOf(() => requireStillMasked(masking, { path, shown: masked.shown, edits, after, result }));
}

const SECRET = 'kind: Secret\ndata:\n  any: §\n';

it.each([
  { why: 'a neighbour', text: 'password: §\nport: 1\n', pair: ['port: 1', 'port: 2'] },
  { why: 'a key that is a name of a secret', text: 'password: §\n', pair: ['password', 'api_token'] },
  { why: 'a key that the operator has named', text: 'password: §\n', pair: ['password', 'door'] },
  { why: 'a kind that tells no less', text: 'kind: X\npassword: §\n', pair: ['kind: X', 'kind: Secret'] },
  { why: 'the key of a value without a name', text: `${SECRET}x: 1\n`, pair: ['any', 'other'] },
] as const)('a result in which all is told as before is let pass: $why', ({ text, pair }) => {
  for (const secret of ['hunter2', 'ghp_0123456789abcdefghijABCDEFGHIJ0123456789', '48151623'])
    expect(edit(text.replace('§', secret), pair), secret).toBeUndefined();
});

it.each([
  { why: 'a key that is none', text: 'password: §\n', pair: ['password', 'note'] },
  { why: 'a key that tells less than the operator', text: 'door: §\n', pair: ['door', 'password'] },
  { why: 'another kind', text: SECRET, pair: ['Secret', 'ConfigMap'] },
  {
    why: 'another kind, where the name would mask what is no path',
    text: SECRET.replace('any', 'password'),
    pair: ['Secret', 'ConfigMap'],
  },
  { why: 'a guess', text: 'password: §\nb: 1\n', pair: ['b: 1', 'b: 1\napi_token: hunter2'] },
  { why: 'an anchor', text: 'password: §\n', pair: ['password: ', 'password: &'] },
  { why: 'a comment', text: 'password: §\n', pair: ['password: ', 'password: #'] },
] as const)(
  'a result is refused in the same words, whatever the secret is: $why [DIS-10]',
  ({ text, pair }) => {
    const secrets = [
      'hunter2',
      'ghp_0123456789abcdefghijABCDEFGHIJ0123456789',
      '48151623',
      '/run/secrets/db',
      'none',
    ];
    const answers = secrets.map((secret) => {
      const refusal = edit(text.replace('§', secret), pair);
      return JSON.stringify([refusal?.code, refusal?.message, refusal?.where, refusal?.clues]);
    });
    // Below a name of a secret a path is none: it is shown, and nothing of it is kept from anybody.
    const masked = text.includes('kind: Secret') || text.includes('door') ? answers : answers.slice(0, 3);
    expect(new Set(masked).size).toBe(1);
    expect(masked[0]).toContain('SECRET_PLACEHOLDER');
  },
);
