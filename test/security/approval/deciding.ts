// One trial of `kill -9` while a process proposes, approves, applies and takes back: what it said that it had done must be so
// for whoever comes next.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createLog,
  finishedChanges,
  openSandbox,
  openState,
  recoverRoots,
  verifyTrail,
} from '../../../src/security/index.ts';
import type { Random } from '../../harness/random.ts';
import type { Place } from '../fixture.ts';
import { killedChild } from '../writer/killing.ts';

const SCRIPT = join(import.meta.dirname, '../children/decider.mjs');
/** Of some rounds. */
const MOST_CALLS = 600;

export async function decisionTrial(here: Place, name: string, random: Random) {
  const files = ['state', 'reviewers', 'child.jsonl'].map((file) => join(here.base, file));
  const args = [SCRIPT, here.root, ...files, name];
  const said = await killedChild(args, random, { calls: MOST_CALLS, ms: 100 });
  const lines = said.map((line) => line.split(' '));
  const told = (word: string) => lines.flatMap(([first, id = '']) => (first === word ? [id] : []));
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
    state.decisions.status(id, { origin: { kind: 'edit' }, caller: { name: 'x', version: '1' } }).state ===
      'approved';
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
