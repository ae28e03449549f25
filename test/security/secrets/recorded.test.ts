// What is kept of changes: it is masked by the rules of today whenever it is shown, and what was removed comes back for a person alone.
import { describe, expect, it, onTestFinished } from 'vitest';
import { ReviewService } from '../../../src/review/review-service.ts';
import { DEFAULT_MASKING } from '../../../src/security/policy/policy.ts';
import { inlineAirlock } from '../../harness/inline-airlock.ts';

const TEXT = `db:
  password: canary-one
  host: a
  passphrase: |
    canary-two
      canary-three
pin: canary-four
port: 1
`;

async function open(options: Parameters<typeof inlineAirlock>[1] = {}) {
  const airlock = await inlineAirlock(
    { 'a.yaml': TEXT, 'b.json': '{"password": 48151623, "x": 1}\n' },
    options,
  );
  onTestFinished(() => airlock.close());
  return airlock;
}

type Airlock = Awaited<ReturnType<typeof open>>;

async function made(airlock: Airlock, edits: readonly object[], file = 'a.yaml'): Promise<string> {
  const outcome = await airlock.call('config_edit', {
    edits: edits.map((edit) => ({ file, ...edit })),
    dry_run: false,
  });
  if (outcome.status !== 'ok') throw new Error(JSON.stringify(outcome));
  return String(outcome.data['change_id']);
}

const OFF = { masking: { ...DEFAULT_MASKING, isOff: true } };
const ON = { masking: DEFAULT_MASKING };
const PIN = { masking: { ...DEFAULT_MASKING, keys: ['pin'] } };

describe('a change is shown as masked as its file is today [DIS-9]', () => {
  it.each([
    { why: 'it was made without masking', before: OFF, after: ON, secrets: /canary-(?:one|two|three)/u },
    { why: 'another key is masked since', before: ON, after: PIN, secrets: /canary/u },
    { why: 'both', before: OFF, after: PIN, secrets: /canary/u },
  ])('where $why', async ({ before, after, secrets }) => {
    const first = await open(before);
    const ids = [
      await made(first, [{ op: 'set', path: 'port', value: '2' }]),
      await made(first, [{ op: 'set', path: 'pin', value: 'none' }]),
      await made(first, [
        { op: 'delete', path: 'pin' },
        { op: 'delete', path: 'db' },
      ]),
    ];
    const now = await first.again(after);
    for (const id of ids) {
      const calls = [
        ['config_history', { change_id: id }],
        ['config_history', {}],
        ['config_revert', { change_id: id }],
        ['config_diff', { a: { file: 'a.yaml', before_change: id }, b: { file: 'a.yaml' } }],
      ] as const;
      for (const [tool, args] of calls)
        expect(JSON.stringify(await now.call(tool, args)), `${tool} of ${id}`).not.toMatch(secrets);
      const { policy, sandbox, state } = now.airlock;
      if (state === undefined) throw new Error('a state is kept');
      const details = await new ReviewService({ policy, sandbox, state }).change(id);
      expect(JSON.stringify(details)).not.toMatch(secrets);
      expect(details.files[0]?.diff).toMatch(/^@@/mu);
    }
  });

  it('and is undone under other rules where nothing masked comes back', async () => {
    const first = await open(OFF);
    const id = await made(first, [{ op: 'set', path: 'port', value: '2' }]);
    const outcome = await (await first.again(PIN)).call('config_revert', { change_id: id, dry_run: false });
    expect(outcome).toMatchObject({ status: 'ok' });
    expect(first.disk('a.yaml')).toBe(TEXT);
  });
});

describe('what a change has removed comes back for nobody [EDT-7]', () => {
  it.each([
    { why: 'an entry', edits: [{ op: 'delete', path: 'db' }] },
    { why: 'a value', edits: [{ op: 'set', path: 'db.password', value: 'CHANGEME' }] },
    { why: 'a number', file: 'b.json', edits: [{ op: 'delete', path: 'password' }] },
    { why: 'a file', edits: [{ op: 'delete_file' }] },
    {
      why: 'an entry, after others have changed',
      edits: [{ op: 'delete', path: 'db.passphrase' }],
      later: true,
    },
  ])('$why', async ({ edits, file = 'a.yaml', later = false }) => {
    const airlock = await open();
    const id = await made(airlock, edits, file);
    if (later) await made(airlock, [{ op: 'set', path: 'port', value: '2' }]);
    const now = airlock.disk(file);
    for (const who of [undefined, 'terminal'] as const)
      expect(await airlock.call('config_revert', { change_id: id }, who)).toMatchObject({
        code: 'SECRET_PLACEHOLDER',
      });
    expect(airlock.disk(file)).toBe(now);
  });

  it('and the other files of the change are undone without it', async () => {
    const airlock = await open();
    const id = await made(airlock, [
      { op: 'set', path: 'port', value: '2' },
      { file: 'b.json', op: 'delete', path: 'password' },
    ]);
    const undone = { change_id: id, exclude: ['b.json'] };
    const refused = await airlock.call('config_revert', { change_id: id });
    expect(refused).toMatchObject({ code: 'SECRET_PLACEHOLDER' });
    expect(JSON.stringify(refused)).toContain(JSON.stringify(undone.exclude));
    expect(await airlock.call('config_revert', { ...undone, dry_run: false })).toMatchObject({
      status: 'ok',
    });
    expect(airlock.disk('a.yaml')).toBe(TEXT);
  });
});
