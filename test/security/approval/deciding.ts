// One trial of `kill -9` while a process proposes, approves, applies and takes back: what it said that it had done must be so
// for whoever comes next.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../../../src/security/audit/log.ts';
import { verifyTrail } from '../../../src/security/audit/verify.ts';
import { openSandbox } from '../../../src/security/sandbox/open-sandbox.ts';
import { backendOf } from '../../../src/security/state/backend.ts';
import { closeStore } from '../../../src/security/state/open-store.ts';
import { openState } from '../../../src/security/state/state.ts';
import { recoverRoots } from '../../../src/security/writer/commit.ts';
import type { Random } from '../../harness/random.ts';
import type { Place } from '../fixture.ts';
import { killedChild } from '../writer/killing.ts';

const SCRIPT = join(import.meta.dirname, '../children/decider.mjs');
/** Of some rounds. */
const MOST_CALLS = 600;

export async function decisionTrial(here: Place, name: string, random: Random) {
  const files = ['reviewers', 'child.jsonl'].map((file) => join(here.base, file));
  const args = [SCRIPT, here.root, JSON.stringify(here.kept), ...files, name];
  const said = await killedChild(args, random, { calls: MOST_CALLS, ms: 100 });
  const lines = said.map((line) => line.split(' '));
  const told = (word: string) => lines.flatMap(([first, id = '']) => (first === word ? [id] : []));
  const [approved, applied] = [told('approved'), told('applied')];
  const policy = here.policy({ approval: 'human' });
  const log = createLog({ level: 'error', format: 'json', file: join(here.base, 'log.jsonl') });
  const state = await openState(
    { location: here.kept, reviewers: join(here.base, 'reviewers') },
    policy,
    log,
  );
  const sandbox = openSandbox(policy, log);
  await recoverRoots(sandbox, state);
  const isApplied = async (id: string) => (await state.store.statusOf(id)).write !== undefined;
  const isDecided = async (id: string) =>
    (await isApplied(id)) ||
    (await backendOf(state, sandbox).decided({ id, needs: [] })).state === 'approved';
  const text = readFileSync(join(here.root, 'a.yaml'), 'utf8');
  const faults: string[] = [];
  for (const id of approved) if (!(await isDecided(id))) faults.push(`the approval of ${id} is lost`);
  for (const id of applied) if (!(await isApplied(id))) faults.push(`${id} is not applied`);
  if (!/^by: [\w ]+\n# kept\n$/u.test(text)) faults.push('a.yaml is torn');
  if (!(await verifyTrail(state.store)).isWhole) faults.push('the trail is damaged');
  for (const { id } of await state.store.open()) faults.push(`${id} is open`);
  // A lock of the dead stays until the next write in its folder, and the file with which it was made may stay: docs/locking.md.
  for (const left of readdirSync(here.root))
    if (/\.config-airlock-[0-9a-f]+\.(?:new|old)$/u.test(left)) faults.push(`${left} is left`);
  sandbox.close();
  await closeStore(state);
  return { faults, approved: approved.length };
}
