// Appends so many records to the audit trail as fast as it can.
import { AuditTrail, openStateDir } from '../../../dist/security/index.js';

const [, , dir, root, count] = process.argv;
const state = openStateDir(dir, [{ name: undefined, dir: root }]);
const trail = new AuditTrail({ folder: state.audit, lock: () => state.lock(), now: () => new Date() });
process.stdout.write('ready');
for (let n = 0; n < Number(count); n += 1) trail.append({ action: 'apply', client: String(process.pid) });
