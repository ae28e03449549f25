// Dies at every step, one root a step: from step `n` on, no call reaches the disk any more, as if the process
// had been killed there. For each root named `<n>`, commits a batch or brings the root in order; the process
// ends afterwards, so that whoever comes next finds the locks of the dead. Runs the built code.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pinRoot } from '../../../dist/security/containment/choose.js';
import {
  createLog,
  DEFAULT_ALLOW,
  DEFAULT_LIMITS,
  openSandbox,
  VerifiedEdit,
} from '../../../dist/security/index.js';
import { commit } from '../../../dist/security/writer/commit.js';
import { Recovery } from '../../../dist/security/writer/recovery.js';
import { sweep } from '../../../dist/security/writer/sweep.js';

const [, , task, base, logFile, fileList, stride = '1'] = process.argv;
const log = createLog({ level: 'error', format: 'json', file: logFile });

class Mortal {
  constructor(inner, life) {
    this.inner = inner;
    this.life = life;
    const looking = ['facts', 'hold', 'look', 'entries'];
    for (const name of [...looking, 'createExclusive', 'link', 'rename', 'unlink', 'sync'])
      this[name] = (...args) => this.live(() => inner[name](...args));
  }

  live(act) {
    if (this.life.left <= 0) throw new Error('dead');
    this.life.left -= 1;
    return act();
  }

  enter(name) {
    const inner = this.live(() => this.inner.enter(name));
    return typeof inner === 'string' ? inner : new Mortal(inner, this.life);
  }

  isStillBelow(root) {
    return this.live(() => this.inner.isStillBelow(root.inner));
  }

  close() {
    this.inner.close();
  }
}

function edits(dir) {
  const policy = { roots: [{ name: undefined, dir }], readOnly: true, allow: DEFAULT_ALLOW, deny: [] };
  const rest = { limits: DEFAULT_LIMITS, schemas: [], allowBroadRoot: false, approval: 'direct' };
  const sandbox = openSandbox({ ...policy, ...rest }, log);
  return fileList.split(',').map((file) => {
    const snapshot = sandbox.open(sandbox.parse(file)).read();
    const whole = { start: 0, end: snapshot.text.length, insert: `new: ${file}\n` };
    return VerifiedEdit.prove(snapshot, [whole], () => []);
  });
}

let outlived = 0;
for (const name of readdirSync(base)) {
  const life = { left: Math.floor(Number(name) * Number(stride)) };
  const dir = join(base, name);
  const root = new Mortal(pinRoot('fd-walk', dir), life);
  const recovery = new Recovery({
    log,
    limitBytes: 1e6,
    rootNamed: () => root,
    isAdmitted: () => true,
    isFolderVisible: () => true,
  });
  try {
    const policy = { readOnly: false, approval: 'direct' };
    if (task === 'commit') commit(edits(dir), { policy, log, rootOf: () => root, recovery, about: {} });
    else sweep([{ name: undefined, directory: root }], () => true, { recovery, log });
    outlived += 1;
  } catch (error) {
    if (error.message !== 'dead') throw error;
  }
}
process.stdout.write(String(outlived));
