// Writes old and new contents over each other until it is killed.
import {
  createLog,
  DEFAULT_ALLOW,
  DEFAULT_LIMITS,
  openSandbox,
  VerifiedEdit,
} from '../../../dist/security/index.js';

const [, , root, logFile, size] = process.argv;
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
const files = ['a.yaml', 'd/b.yaml'].map((file) => sandbox.parse(file));
for (let round = 0; ; round += 1) {
  const insert = String.fromCharCode(97 + (round % 2)).repeat(Number(size));
  const edits = files.map((path) => {
    const snapshot = sandbox.open(path).read();
    return VerifiedEdit.prove(snapshot, [{ start: 0, end: snapshot.text.length, insert }], () => []);
  });
  sandbox.commit(edits);
  if (round === 0) process.stdout.write('ready');
}
