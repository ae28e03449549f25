// Commits one to six files of its root over and over until it is killed, by its parent or by its own hand at
// a disk call of its own choice (`lastCall`; 0: never). Says what it is about to write, a line each, before it
// begins. The task `recover` opens the root and brings it in order. Runs the built code.
import { readFileSync, writeSync } from 'node:fs';
import { createLog } from '../../../dist/security/audit/log.js';
import { fileWriteOf, VerifiedEdit } from '../../../dist/security/edits/verified-edit.js';
import { NO_RULES } from '../../../dist/security/policy/change-policy.js';
import { DEFAULT_LIMITS, DEFAULT_MASKING } from '../../../dist/security/policy/policy.js';
import { openSandbox } from '../../../dist/security/sandbox/open-sandbox.js';
import { backendOf } from '../../../dist/security/state/backend.js';
import { closeStore } from '../../../dist/security/state/open-store.js';
import { openState } from '../../../dist/security/state/state.js';
import { recoverRoots } from '../../../dist/security/writer/commit.js';
import { directWrite } from '../../harness/change-draft.mjs';
import { onDiskCalls } from '../../harness/disk-calls.mjs';

const [, , task, root, kept, logFile, batches, lastCall] = process.argv;
const log = createLog({ level: 'error', format: 'json', file: logFile });
const place = JSON.parse(kept);
// Other machines know a root by its name.
const name = 'postgres' in place ? 'shop' : undefined;
const roots = [{ name, dir: root }];
const rest = {
  readOnly: false,
  allow: ['**/*.{yaml,yml,json}'],
  deny: [],
  limits: DEFAULT_LIMITS,
  schemas: [],
};
const more = { approval: 'direct', masking: DEFAULT_MASKING, changes: NO_RULES };
const policy = { roots, ...rest, allowBroadRoot: false, ...more };
const state = await openState({ location: place }, policy, log);
const sandbox = openSandbox(policy, log);

let calls = 0;
const count = () => {
  calls += 1;
  if (calls === Number(lastCall)) process.kill(process.pid, 'SIGKILL');
};

if (task === 'recover') {
  onDiskCalls(count);
  writeSync(1, 'ready\n');
  await recoverRoots(sandbox, state);
} else {
  for (const { id, files, text } of JSON.parse(readFileSync(batches, 'utf8'))) {
    const edits = files.map((file) => {
      const snapshot = sandbox.open(sandbox.parse(name === undefined ? file : `@${name}/${file}`)).read();
      const whole = { start: 0, end: snapshot.text.length, insert: text };
      return VerifiedEdit.prove(snapshot, [whole], () => []);
    });
    writeSync(1, `${id}\n`);
    const stop = onDiskCalls(count);
    await backendOf(state, sandbox).write(directWrite(edits, fileWriteOf));
    stop();
  }
}
// What is left of a connection would keep the process alive.
await closeStore(state);
