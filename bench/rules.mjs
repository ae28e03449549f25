// What a change policy of fifty rules costs: the same dry-run set on two servers, of which one has to ask them. The rules are
// of every kind; 35 of them are about all files, and so about this one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { race, roundsFor } from './measure.mjs';
import { airlockCommand, start, WORDS } from './servers.mjs';

const RULE_COUNT = 50;

/** Medians in milliseconds, of both. */
export async function costOfRules({ root, sample, target }, isQuick) {
  const folder = mkdtempSync(join(tmpdir(), 'airlock-bench-policy-'));
  const clients = {};
  try {
    const policy = join(folder, 'policy.yaml');
    writeFileSync(policy, policyText());
    const command = (name) => airlockCommand(root, join(folder, name), sample.text.length);
    clients.without = await start(command('without'));
    clients.with = await start([...command('with'), '--policy', policy]);
    const [rounds, warmUps] = roundsFor(sample.text.length, isQuick);
    const set = (client) => ({ run: (round) => WORDS.airlock.set(client, target, 100 + round) });
    // More rounds than others have: it is a small difference of two times that are nearly the same.
    return await race({ without: set(clients.without), with: set(clients.with) }, 4 * rounds, 2 * warmUps);
  } finally {
    await Promise.all(Object.values(clients).map((client) => client.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each lets the set of a number pass: what is refused takes another way. A rule about people asks for `client`, as nobody signs here. */
const KINDS = [
  (n) => `paths: service-${n}.replicaCount, value: { type: integer, minimum: 1 }, then: preview`,
  (n) => `paths: "**.replicaCount", value: { type: integer, maximum: ${1e6 + n} }, then: preview`,
  (n) =>
    `paths: ["**.image-${n}.tag", "**.containers[*].image"], change: { semver: patch }, then: preview, else: client`,
  (n) => `doc: { kind: [Secret, Kind${n}] }, then: deny`,
  (n) => `paths: ["**.env[name=LOG_LEVEL_${n}].value", "**.securityContext"], then: client`,
  (n) => `files: ["charts/${n}/**", "**/secrets*.yaml"], then: deny`,
  (n) => `files: ["deploy/${n}/*.yaml"], paths: spec.replicas, change: { max_step: 2 }, then: preview`,
  (n) => `paths: "**.limits.cpu-${n}", value: { pattern: "^[0-9]+m$" }, then: preview, else: client`,
  (n) => `paths: service-${n}, ops: [comment, layout], then: direct`,
  (n) => `files: ["**/*-${n}.yaml"], ops: [create, delete, text], then: client`,
];

function policyText() {
  const rules = Array.from(
    { length: RULE_COUNT },
    (_, n) => `  - { id: rule-${n}, ${KINDS[n % KINDS.length](n)} }\n`,
  );
  return `default: preview\nrules:\n${rules.join('')}`;
}
