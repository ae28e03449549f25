// A second server: for every round that it is told, applies an edit on the base that it read before, and
// says whether it won. Runs the built code, because Node 20 cannot load TypeScript.
import { createInterface } from 'node:readline';
import {
  createLog,
  DEFAULT_ALLOW,
  DEFAULT_LIMITS,
  openSandbox,
  VerifiedEdit,
} from '../../../dist/security/index.js';

const [, , root, logFile, name] = process.argv;
const log = createLog({ level: 'error', format: 'json', file: logFile });
const roots = [{ name: undefined, dir: root }];
const policy = {
  roots,
  readOnly: false,
  allow: DEFAULT_ALLOW,
  deny: [],
  limits: DEFAULT_LIMITS,
  schemas: [],
  allowBroadRoot: false,
};
const sandbox = openSandbox({ ...policy, approval: 'direct' }, log);
let prepared;

for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'read') {
    const snapshot = sandbox.open(sandbox.parse('a.yaml')).read();
    const edits = [
      { start: 0, end: snapshot.text.length, insert: `by: ${name}\nafter: ${snapshot.sha256}\n` },
    ];
    prepared = VerifiedEdit.prove(snapshot, edits, () => []);
    process.stdout.write('prepared\n');
  } else {
    // Both wait for the same instant.
    while (Date.now() < Number(line));
    try {
      sandbox.commit([prepared]);
      process.stdout.write('won\n');
    } catch (error) {
      process.stdout.write(`${error.code ?? error}\n`);
    }
  }
}
