// A second server: for every round that it is told, applies an edit on the base that it read before, and
// says whether it won. With `lastCall` it kills itself at that disk call of its commit. Runs the built code,
// because Node 20 cannot load TypeScript.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
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

const [, , root, kept, logFile, name, lastCall = '0'] = process.argv;
const log = createLog({ level: 'warn', format: 'json', file: logFile });
const place = JSON.parse(kept);
// Other machines know a root by its name.
const rootName = 'postgres' in place ? 'shop' : undefined;
const roots = [{ name: rootName, dir: root }];
const policy = {
  roots,
  readOnly: false,
  allow: ['**/*.{yaml,yml,json}'],
  deny: [],
  limits: DEFAULT_LIMITS,
  schemas: [],
  ...{ allowBroadRoot: false, approval: 'direct', masking: DEFAULT_MASKING, changes: NO_RULES },
};
const state = await openState({ location: place }, policy, log);
const sandbox = openSandbox(policy, log);
let prepared = [];

let calls = 0;
if (lastCall !== '0') {
  onDiskCalls(() => {
    calls += 1;
    if (calls === Number(lastCall)) process.kill(process.pid, 'SIGKILL');
  });
}

function prepare(file) {
  const snapshot = sandbox.open(sandbox.parse(rootName === undefined ? file : `@${rootName}/${file}`)).read();
  const insert = `by: ${name}\nafter: ${snapshot.sha256}\n`;
  return VerifiedEdit.prove(snapshot, [{ start: 0, end: snapshot.text.length, insert }], () => []);
}

/** As often as it is told to try again. Each time it first does what a server does that is started anew: it may be a dead one's batch. */
async function write() {
  for (;;) {
    try {
      await backendOf(state, sandbox).write(directWrite(prepared, fileWriteOf));
      return 'won';
    } catch (error) {
      if (error.code !== 'BUSY') return error.code ?? String(error);
      await recoverRoots(sandbox, state);
    }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const [task, what] = line.split(' ');
  if (task === 'read') {
    prepared = what.split(',').map(prepare);
    calls = 0;
    writeSync(1, 'prepared\n');
  } else {
    // All wait for the same instant.
    while (Date.now() < Number(what));
    writeSync(1, `${await write()}\n`);
  }
}
// What is left of a connection would keep the process alive.
await closeStore(state);
