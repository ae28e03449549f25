// A batch whose server died between its files, where the policy can ask a person: it is completed where the rules of now need
// nobody for it, or a reviewer has signed exactly what is written, and never by what its record says of itself.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { recomputePreview } from '../../src/adapters/index.ts';
import { openAirlock } from '../../src/server.ts';
import { humanFlags, person, preview, type Stage, stage } from '../harness/previews.ts';
import { sha256 } from '../harness/sha256.ts';
import { trailOf } from '../harness/trail.ts';

type State = NonNullable<ReturnType<typeof openAirlock>['state']>;
/** What a change does to the bytes of its files. */
type Exact = NonNullable<Parameters<State['changes']['draft']>[0]['exact']>;

const CHILD = fileURLToPath(new URL('./children/mortal-apply.mjs', import.meta.url));
const FILES = { 'a.yaml': 'a: 1\n', 'b.yaml': 'x: 1\nsecure: true\n' };
const BOTH = {
  edits: [
    { op: 'set', file: 'a.yaml', path: 'a', json: 7 },
    { op: 'set', file: 'b.yaml', path: 'x', json: 7 },
  ],
};
const HALF = ['a: 7\n', FILES['b.yaml']];
const WHOLE = ['a: 7\n', 'x: 7\nsecure: true\n'];

const textsOf = (at: Stage) => ['a.yaml', 'b.yaml'].map((file) => at.disk(file));
const recovered = (at: Stage) =>
  trailOf(at).flatMap(({ action, outcome, file }) => (action === 'recover' ? [`${outcome} ${file}`] : []));

function policyFlags(at: Stage, text: string): readonly string[] {
  const file = join(at.place, 'policy.yaml');
  writeFileSync(file, `${text}\n`, { mode: 0o600 });
  const [, , ...reviewers] = humanFlags(at, [person('ann')]);
  return ['--policy', file, ...reviewers];
}

/** It has a preview, and dies between its files, whatever the rules say of it. */
async function halved(at: Stage, flags: readonly string[]): Promise<void> {
  const server = await at.start(flags);
  const id = await preview(server, BOTH, 'config_edit');
  await server.close();
  const { signal, stderr } = spawnSync(process.execPath, [CHILD, at.root, at.state, id, 'halved'], {
    encoding: 'utf8',
  });
  expect([signal, signal === 'SIGKILL' ? '' : stderr, textsOf(at)]).toEqual(['SIGKILL', '', HALF]);
}

/** As its server would have begun it, or somebody who writes to the state directory. */
function begin({ root, state }: Stage, id: string, exact: Exact): void {
  const airlock = await openAirlock({ roots: [root], stateDir: state });
  const { sandbox, state: { previews, changes, log, dir } = missing(), policy } = airlock;
  const look = recomputePreview((file) => sandbox.parse(file), policy.limits);
  const { caller, policy: fingerprint, origin, files } = previews.load(id, look).record;
  const by = { preview: id, confirmed_by: 'human' as const, caller };
  const change = changes.draft({ ...by, policy: fingerprint, origin, files, exact });
  changes.keep(change);
  for (const { file } of files)
    log.audit({ ...by, action: 'commit', outcome: 'intent', file, change_id: change.id });
  dir.close();
  sandbox.close();
}

function missing(): never {
  throw new Error('a server that writes has a state');
}

const SECURE = '{ id: secure, paths: secure, then: human }';

describe('a batch that died between its files is', () => {
  it('completed where it needs a preview alone, beside a rule that asks for a reviewer [WRT-6]', async () => {
    const policy = `{default: preview, rules: [${SECURE}]}`;
    const at = stage(FILES);
    const flags = policyFlags(at, policy);
    await halved(at, flags);
    await at.start(flags);
    expect(textsOf(at)).toEqual(WHOLE);
    expect(recovered(at)).toEqual(['intent a.yaml', 'intent b.yaml', 'applied a.yaml', 'applied b.yaml']);
  });

  it.each([
    {
      why: 'a rule asks for a reviewer',
      policy: '{default: direct, rules: [{ id: x, paths: x, then: human }]}',
    },
    { why: 'the default does', policy: '{rules: [{ id: a, paths: a, then: direct }]}' },
    {
      why: 'one denies a file of it',
      policy: `{default: direct, rules: [{ id: b, files: b.yaml, then: deny }, ${SECURE}]}`,
    },
  ])(
    'left as it is where $why, and its record says that nobody was needed [WRT-6] [APR-3]',
    async ({ policy }) => {
      const at = stage(FILES);
      const lenient = policyFlags(at, `{default: preview, rules: [${SECURE}]}`);
      await halved(at, lenient);
      await at.start(policyFlags(at, policy));
      expect(textsOf(at)).toEqual(HALF);
      expect(recovered(at)).toEqual(['unknown a.yaml', 'unknown b.yaml']);
    },
  );

  it.each([
    { why: 'as it was signed', insert: '7', isWhole: true },
    {
      why: 'not by a signature where its record does something else to the bytes than what is shown',
      insert: '9',
      isWhole: false,
    },
  ])('completed $why, in a file with secrets [APR-1] [APR-3]', async ({ insert, isWhole }) => {
    const secret = 'password: 0ld-Canary-77\nx: 1\n';
    const at = stage({ ...FILES, 'b.yaml': secret });
    const ann = person('ann');
    const flags = humanFlags(at, [ann]);
    const server = await at.start(flags);
    const id = await preview(server, BOTH, 'config_edit');
    await server.close();
    await ann.decide(at, id, 'approve');
    const span = { start: secret.indexOf('1'), end: secret.indexOf('1') + 1, insert };
    const result = secret.replace('x: 1', `x: ${insert}`);
    const own = { base_sha256: sha256(secret), result_sha256: sha256(result), edits: [span], removed: [] };
    begin(at, id, [{ file: 'b.yaml', ...own }]);
    at.write('a.yaml', 'a: 7\n');
    await at.start(flags);
    expect(at.disk('b.yaml')).toBe(isWhole ? result : secret);
    expect(recovered(at).at(-1)).toBe(isWhole ? 'applied b.yaml' : 'unknown b.yaml');
  });
});
