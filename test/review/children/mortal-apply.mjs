// Applies a stored preview as config_apply does, step by step, and is killed after the step that it is told:
// begun, claimed, intended or committed. Runs the built code.
import { recomputePreview } from '../../../dist/adapters/index.js';
import { approvedByPreview, commitEdits, createLog, VerifiedEdit } from '../../../dist/security/index.js';
import { openAirlock } from '../../../dist/server.js';

const [, , root, stateDir, id, last] = process.argv;
const log = createLog({ level: 'error', format: 'json' });
const { sandbox, state, policy } = openAirlock({ roots: [root], stateDir, approval: 'preview', log });

function dieAfter(step) {
  if (step === last) process.kill(process.pid, 'SIGKILL');
}

const look = recomputePreview((file) => sandbox.parse(file), policy.limits);
const preview = state.previews.load(id, look);
const { caller, policy: fingerprint, origin, files } = preview.record;
const edits = files.map(({ file, edits: spans, changes }) => {
  const snapshot = sandbox.open(sandbox.parse(file)).read();
  return VerifiedEdit.prove(snapshot, spans, () => changes);
});
const about = { caller, policy: fingerprint, origin, files, preview: id, confirmed_by: 'preview' };
const change = state.changes.draft(about);
state.changes.begin(change);
dieAfter('begun');
const claim = state.previews.claim(approvedByPreview(preview, 'preview'), change.id);
dieAfter('claimed');
commitEdits(sandbox, edits, { claim, onWriting: () => dieAfter('intended') });
dieAfter('committed');
