// Appends so many records to the audit trail as fast as it can, each with a "no" to a preview of its own.
import { AuditTrail, openStateDir } from '../../../dist/security/index.js';

const [, , dir, root, count, rotateBytes] = process.argv;
const state = openStateDir(dir, [{ name: undefined, dir: root }]);
const trail = new AuditTrail({
  ...{ folder: state.audit, lock: () => state.lock(), now: () => new Date() },
  kept: () => ({ previews: { has: () => true }, changes: new Set() }),
  isDiskLow: () => false,
  ...(rotateBytes === undefined ? {} : { rotateBytes: Number(rotateBytes) }),
});
process.stdout.write('ready');
for (let n = 0; n < Number(count); n += 1) append(`${process.pid} ${n}`);

/** Another may hold the lock for as long as it is waited for, on a machine that does other things as well. */
function append(preview) {
  for (;;)
    try {
      trail.append(() => [{ action: 'reject', reviewer: 'ann', preview }]);
      return;
    } catch (error) {
      if (error.code !== 'BUSY') throw error;
    }
}
