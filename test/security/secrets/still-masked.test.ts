// No edit may unmask, and none may say what is masked: what tells of a secret must tell of it afterwards, whatever its bytes are, and the
// result as it is shown must be what was planned. There is one answer to all that is refused.
import { afterAll, expect, it } from 'vitest';
import { DEFAULT_MASKING } from '../../../src/security/policy/policy.ts';
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

async function raw(): Promise<{ readonly text: string }> {
  const outcome = await airlock.call('config_get', { file: 'a.yaml', view: 'raw' });
  return outcome.status === 'ok' ? outcome : { text: '' };
}

const SECRET = 'kind: Secret\ndata:\n  any: §\n';

/** Secrets of each kind that some rule shows. The first is the guess. */
const KINDS = [
  'adminpassword1',
  'hunter2Xy',
  'correct-horse-battery',
  'admin_pass_word',
  'database-key',
  'Meet me at the old bridge tonight',
  "it's9x",
  'pa$w0rd9',
  'a b,c9',
  'abc)x9',
  '12345',
  '-1234',
];

it.each<{ why: string; text: string; pair: readonly [string, string]; secrets?: readonly string[] }>([
  { why: 'a name that also names Secrets', text: 'password: §\n', pair: ['password', 'dbSecret'] },
  { why: 'a name that also names keys', text: 'password: §\n', pair: ['password', 'dbSecretKey'] },
  { why: 'a name with instructions below it', text: 'passphrase: §\n', pair: ['passphrase', 'password'] },
  {
    why: 'a guess for a name in a call',
    text: 'c: f(a=b, password=§)\n',
    pair: ['password=', 'adminpassword1='],
  },
  { why: 'the same in a comment', text: '# f(a=b, password=§, x)\n', pair: ['password=', 'adminpassword1='] },
  { why: 'another name in a call', text: 'c: f(a=b, password=§)\n', pair: ['a=b', 'b=b'] },
  {
    why: 'another key above a default',
    text: 'password: $' + '{DB_PASSWORD:-§}\n',
    pair: ['password:', 'notes:'],
  },
  {
    why: 'a name that is too long',
    text: 'c: "X=1;Server=db;Password=§;Y=1"\n',
    pair: ['Password=', `${'a'.repeat(100)}Password=`],
  },
  { why: 'another kind', text: SECRET.replace('any', 'dbSecret'), pair: ['Secret\n', 'ConfigMap\n'] },
  { why: 'another saying', text: '# requirepass "§"\n', pair: ['requirepass', 'password'] },
  {
    why: 'a value below a name of Secrets',
    text: 'e:\n  - name: DB_PASSWORD\n    value: §\n',
    pair: ['value:', 'dbSecret:'],
  },
  { why: 'lines above that hold it', text: '# password: |\n#   §\n', pair: ['password: |', 'password:'] },
])(
  'a rename is answered alike for every kind of secret that is masked: $why [DIS-10]',
  async ({ text, pair }) => {
    const answers = new Set<string>();
    for (const secret of KINDS) {
      airlock.write('a.yaml', text.replace('§', secret));
      const { text: shown } = await raw();
      if (shown.includes('<secret:') && !shown.includes(secret))
        answers.add(JSON.stringify(await edit(text.replace('§', secret), pair)));
    }
    expect([...answers]).toHaveLength(1);
  },
);
