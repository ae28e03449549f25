// One trial of `kill -9` while a process proposes, approves, applies and takes back: what it said that it had done must be so
// for whoever comes next.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import {
  createLog,
  finishedChanges,
  openSandbox,
  openState,
  recoverRoots,
  verifyTrail,
} from '../../../src/security/index.ts';
import { end } from '../../harness/end.ts';
import type { Random } from '../../harness/random.ts';
import type { Place } from '../fixture.ts';

const SCRIPT = join(import.meta.dirname, '../children/decider.mjs');
/** Of some rounds. */
const MOST_CALLS = 600;

export async function decisionTrial(here: Place, name: string, random: Random) {
  const lines = (await killed(here, name, random)).map((line) => line.split(' '));
  const told = (word: string) => lines.flatMap(([said, id = '']) => (said === word ? [id] : []));
  const [approved, applied] = [told('approved'), told('applied')];
  const policy = here.policy({ approval: 'human' });
  const log = createLog({ level: 'error', format: 'json', file: join(here.base, 'log.jsonl') });
  const state = openState(
    { dir: join(here.base, 'state'), reviewers: join(here.base, 'reviewers') },
    policy,
    log,
  );
  const sandbox = openSandbox(policy, state.log);
  recoverRoots(sandbox, state);
  const isDecided = (id: string) =>
    state.trail.statusOf(id).changeId !== undefined ||
    state.decisions.status(id, { kind: 'edit' }).state === 'approved';
  const text = readFileSync(join(here.root, 'a.yaml'), 'utf8');
  const faults = [
    ...approved.filter((id) => !isDecided(id)).map((id) => `the approval of ${id} is lost`),
    ...applied
      .filter((id) => state.trail.statusOf(id).changeId === undefined)
      .map((id) => `${id} is not applied`),
    ...(/^by: [\w ]+\n# kept\n$/u.test(text) ? [] : ['a.yaml is torn']),
    ...(verifyTrail(state.dir.audit, finishedChanges(state.dir.changes, state.dir.previews)).isWhole
      ? []
      : ['the trail is damaged']),
    ...state.changes.unfinished().map((id) => `${id} is open`),
    ...readdirSync(here.root)
      .filter((left) => left.includes('.config-airlock'))
      .map((left) => `${left} is left`),
  ];
  sandbox.close();
  state.dir.close();
  return { faults, approved: approved.length };
}

/** What it said before its death: half of the time at an instant, half at a call. */
async function killed(here: Place, name: string, random: Random): Promise<readonly string[]> {
  const byOwnHand = random.below(2) === 0;
  const lastCall = byOwnHand ? 1 + random.below(MOST_CALLS) : 0;
  const [stateDir, reviewers, log] = ['state', 'reviewers', 'child.jsonl'].map((file) =>
    join(here.base, file),
  );
  const args = [SCRIPT, here.root, stateDir, reviewers, log, name, lastCall].map(String);
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => end(child));
  const said: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), closed]);
  if (!byOwnHand) {
    await setTimeout(random.below(100));
    await end(child);
  }
  await closed;
  return Buffer.concat(said).toString().split('\n').filter(Boolean);
}
