// Applies a stored preview as config_apply does, step by step, and is killed at the step that it is told: `unrecorded`, before the
// change is recorded; `recorded`, before anything is written; `staged`, before the first file is replaced; `halved`, before
// the second one is; `replaced`, before the end is recorded; `committed`. Runs the built code.
import { withMasking } from '../../../dist/adapters/secrets/mask-text.js';
import { createLog } from '../../../dist/security/audit/log.js';
import { fileWriteOf, VerifiedEdit } from '../../../dist/security/edits/verified-edit.js';
import { backendOf } from '../../../dist/security/state/backend.js';
import { openAirlock } from '../../../dist/server.js';
import { onDiskCalls } from '../../harness/disk-calls.mjs';

// With the file of the reviewers where one of them has approved it.
const [, , root, stateDir, id, last, reviewers] = process.argv;
const log = createLog({ level: 'error', format: 'json' });
const { sandbox, state, policy } = await openAirlock({
  ...{ roots: [root], stateDir, log },
  ...(reviewers === undefined ? { approval: 'preview' } : { approval: 'human', reviewers }),
});

function dieAt(step) {
  if (step === last) process.kill(process.pid, 'SIGKILL');
}

/** As the store that it is, but for the deaths around what a commit asks of it. */
const store = new Proxy(state.store, {
  get(target, name) {
    const member = Reflect.get(target, name);
    if (name !== 'begin' && name !== 'end') return member;
    return async (...args) => {
      dieAt(name === 'begin' ? 'unrecorded' : 'replaced');
      const answer = await member.apply(target, args);
      dieAt(name === 'begin' ? 'recorded' : 'ended');
      return answer;
    };
  },
});

const masked = withMasking({ sandbox, policy, maskingKey: state.store.maskingKey });
const preview = await backendOf(state, sandbox).load({ name: id });
const writes = preview.record.files.map(({ file, edits: spans, changes }) => {
  const snapshot = masked.open(masked.parse(file)).read();
  return fileWriteOf(VerifiedEdit.prove(snapshot, spans, () => changes));
});
const verdict = { level: reviewers === undefined ? 'preview' : 'human', needs: [] };
const stop = onDiskCalls((name, [, to]) => {
  if (name === 'renameSync' && to.endsWith('/a.yaml')) dieAt('staged');
  if (name === 'renameSync' && to.endsWith('/b.yaml')) dieAt('halved');
});
const { caller } = preview.record;
const asked = { id, writes, verdict, needs: [], confirmed: undefined, caller, requestId: 'apply' };
await backendOf({ ...state, store }, sandbox).apply(asked);
stop();
dieAt('committed');
