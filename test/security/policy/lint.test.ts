// A policy that is not understood, contradicts itself or could never match is refused with the place that is wrong, and what was
// hardly meant so is said: the rows of test/tables/policy-faults.yaml, through `policy lint` and the start of a server.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { runCommand } from '../../harness/run-command.ts';
import { startServer } from '../../harness/start-server.ts';
import { tempRoot } from '../../harness/temp-root.ts';

const Pair = z.tuple([z.string(), z.string()]);
const TABLE = z
  .strictObject({
    rules: z.array(Pair),
    policies: z.array(Pair),
    fine: z.array(z.string()),
    doubts: z.array(
      z.strictObject({ why: z.string(), rules: z.array(z.unknown()), says: z.array(z.string()) }),
    ),
  })
  .parse(parse(readFileSync(new URL('../../tables/policy-faults.yaml', import.meta.url), 'utf8')));

const Said = z.array(z.object({ line: z.number(), path: z.string(), message: z.string() }));
const Linted = z.object({ faults: Said, warnings: Said });

function policyFile(text: string): string {
  const operator = tempRoot({ 'policy.yaml': text });
  onTestFinished(() => operator.remove());
  return join(operator.dir, 'policy.yaml');
}

async function lint(text: string) {
  const { stdout, stderr } = await runCommand(['policy', 'lint', policyFile(text), '--json']);
  expect(stderr).toBe('');
  return Linted.parse(JSON.parse(stdout));
}

/** A policy of these rules, one on a line from the second on, each with an id of its own. */
function policyOf(rules: readonly string[]): string {
  const named = rules.map((rule, at) => `  - { ${rule.replace(/^id: a(?=,|$)/u, `id: a${at}`)} }\n`);
  return `rules:\n${named.join('')}`;
}

const AT_ONCE = 40;

it('every fault of every rule is found at its place [POL-4]', async () => {
  for (let from = 0; from < TABLE.rules.length; from += AT_ONCE) {
    const rows = TABLE.rules.slice(from, from + AT_ONCE);
    const { faults } = await lint(policyOf(rows.map(([, rule]) => rule)));
    for (const [at, [place, rule]] of rows.entries()) {
      const path = place === '' ? `rules[${at}]` : `rules[${at}].${place}`;
      expect(faults.find(({ line }) => line === at + 2)?.path, rule).toBe(path);
    }
  }
});

it.each([
  ...TABLE.policies,
  ['rules', `rules:\n${'- 1\n'.repeat(1_001)}`] as const,
  ['rules[0]', `rules:\n${'- 1\n'.repeat(1_000)}`] as const,
])(
  'at %j a policy is wrong, and its first fault stops the start of a server [POL-4]',
  async (place, text) => {
    const [first] = (await lint(text)).faults;
    expect(first?.path).toBe(place);
    const started = startServer({ flags: ['--policy', policyFile(text)] });
    const where = `line ${first?.line}${place === '' ? '' : `, ${place}`}: `;
    await expect(started).rejects.toThrow(where);
  },
);

it('what is just within each bound is read, in YAML and in JSON [POL-4]', async () => {
  expect((await lint(policyOf(TABLE.fine))).faults).toEqual([]);
  const json =
    '{"default":"client","rules":[{"id":"a","files":"deploy/**","paths":["**.image"],"then":"direct"}]}';
  expect(await lint(json)).toEqual({ faults: [], warnings: [] });
});

it.each(TABLE.doubts)('what is doubtful is said with its place: $why', async ({ rules, says }) => {
  const { faults, warnings } = await lint(JSON.stringify({ default: 'human', rules }));
  expect(faults).toEqual([]);
  const found = warnings.map(({ path, message }) => `${path}: ${message}`);
  expect(found).toEqual(says.map((text) => expect.stringContaining(text)));
});

it('a default that lets everything pass is doubtful, and so is a policy without rules', async () => {
  expect((await lint('# ours\ndefault: direct\n')).warnings).toEqual([
    { line: 2, path: 'default', message: expect.stringContaining('nobody is asked') },
    { line: 2, path: 'rules', message: 'there are no rules, so that every change is direct' },
  ]);
});

it.each([
  { policy: 'default: human', isRefused: true },
  { policy: 'default: preview\nrules: [{ id: a, then: human }]', isRefused: true },
  {
    policy:
      'default: preview\nrules: [{ id: a, paths: x, value: { maximum: 1 }, then: direct, else: human }]',
    isRefused: true,
  },
  { policy: 'default: preview\nrules: [{ id: a, then: client }, { id: b, then: deny }]', isRefused: false },
])('a policy by which a change can need a person needs reviewers: $policy [POL-4]', async (row) => {
  const started = startServer({ flags: ['--policy', policyFile(row.policy)] });
  const stopped = started.then(
    (server) => server.close().then(() => 'it starts'),
    (error: unknown) => String(error),
  );
  expect(await stopped).toContain(row.isRefused ? 'needs reviewers' : 'it starts');
});
