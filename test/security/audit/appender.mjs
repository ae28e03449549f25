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
for (let n = 0; n < Number(count); n += 1)
  trail.append(() => [{ action: 'reject', reviewer: 'ann', preview: `${process.pid} ${n}` }]);
