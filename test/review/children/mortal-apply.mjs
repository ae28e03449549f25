// Applies a stored preview as config_apply does, step by step, and is killed after the step that it is told:
// begun, intended, halved, replaced, written or committed. Runs the built code.
import { recomputePreview } from '../../../dist/adapters/index.js';
import {
  approvedByPreview,
  commitEdits,
  createLog,
  Verdict,
  VerifiedEdit,
} from '../../../dist/security/index.js';
import { openAirlock } from '../../../dist/server.js';
import { onDiskCalls } from '../../harness/disk-calls.mjs';
import { judged } from '../../harness/verdict.mjs';

const [, , root, stateDir, id, last] = process.argv;
const log = createLog({ level: 'error', format: 'json' });
const { sandbox, state, policy } = await openAirlock({ roots: [root], stateDir, approval: 'preview', log });

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
const approved = approvedByPreview(preview);
const verdict = judged(Verdict, sandbox, edits);
const stop = onDiskCalls((name, [path, to]) => {
  if (name === 'renameSync' && to.endsWith('/a.yaml')) dieAfter('intended');
  if (name === 'renameSync' && to.endsWith('/b.yaml')) dieAfter('halved');
  if (name === 'writeSync' && String(to).includes('"outcome":"intent"')) dieAfter('begun');
  if (name === 'writeSync' && String(to).includes('"outcome":"applied"')) dieAfter('replaced');
  if (name === 'renameSync' && path.endsWith('.open')) dieAfter('written');
});
commitEdits(sandbox, edits, { state, draft: about, verdict, approved });
stop();
dieAfter('committed');
