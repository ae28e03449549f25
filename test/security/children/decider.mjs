// Proposes changes of a.yaml, approves them with a key of its own, applies some of them and takes those back, over and over
// until it is killed, by its parent or by its own hand at a disk call of its own choice (`lastCall`; 0: never). Says what has
// happened, a line each, once it has. Runs the built code.
import { appendFileSync, writeSync } from 'node:fs';
import { InlineEngine } from '../../../dist/engine/inline-engine.js';
import { ReviewService } from '../../../dist/review/review-service.js';
import { makeReviewerKey } from '../../../dist/security/approval/reviewer-key.js';
import { createLog } from '../../../dist/security/audit/log.js';
import { openAirlock } from '../../../dist/server.js';
import { onDiskCalls } from '../../harness/disk-calls.mjs';

const [, , root, kept, reviewers, logFile, name, lastCall] = process.argv;
const { directory, postgres, journal } = JSON.parse(kept);
const { key, line } = makeReviewerKey(name);
appendFileSync(reviewers, `${line}\n`);
const airlock = await openAirlock({
  ...(directory === undefined
    ? { roots: [{ name: 'shop', dir: root }], postgres, stateDir: journal }
    : { roots: [root], stateDir: directory }),
  ...{ reviewers, approval: 'human' },
  log: createLog({ level: 'error', format: 'json', file: logFile }),
});
const engine = new InlineEngine(airlock);
const service = new ReviewService(airlock);

async function call(tool, args, writes) {
  const asked = { requestId: name, tool, args, writes, caller: { name: 'test', version: '1' } };
  const { status, data, code } = await engine.run(asked, { signal: new AbortController().signal });
  if (status !== 'ok') throw new Error(`${tool}: ${code}`);
  return data;
}

async function applied(preview) {
  // The full id, which the trail knows; the agent is told a short one.
  const id = (await airlock.state.store.find((await preview).preview_id)).id;
  writeSync(1, `proposed ${id}\n`);
  await service.approve(id, key);
  writeSync(1, `approved ${id}\n`);
  const { change_id: change } = await call('config_apply', { preview_id: id }, true);
  writeSync(1, `applied ${id}\n`);
  return change;
}

let calls = 0;
onDiskCalls(() => {
  calls += 1;
  if (calls === Number(lastCall)) process.kill(process.pid, 'SIGKILL');
});
writeSync(1, 'ready\n');
for (let round = 1; ; round += 1) {
  const set = {
    file: directory === undefined ? '@shop/a.yaml' : 'a.yaml',
    path: 'by',
    value: `${name} ${round}`,
  };
  const change = await applied(call('config_set', set, false));
  if (round % 2 === 0) await applied(call('config_revert', { change_id: change }, false));
}
