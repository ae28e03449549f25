// What is attacked: a root with files that may be read and changed, a neighbour that holds canaries, and names that nobody
// expects an agent to touch. Made anew for each group of attacks, and looked at afterwards.
import { createHash, randomBytes } from 'node:crypto';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export function makeGround() {
  const base = mkdtempSync(join(realpathSync(tmpdir()), 'redteam-'));
  const root = join(base, 'root');
  const canary = `canary-${randomBytes(8).toString('hex')}`;
  const write = (name, text) => {
    mkdirSync(dirname(join(base, name)), { recursive: true });
    writeFileSync(join(base, name), text);
  };
  write('root/a.yaml', 'key: inside\nother: 1\n');
  write('root/d/e/s.yaml', 'key: inside\n');
  for (const folder of ['outside', 'root-evil'])
    write(`${folder}/s.yaml`, `key: inside\nsecret: ${canary}\n`);
  symlinkSync(join(base, 'outside/s.yaml'), join(root, 'link.yaml'));
  symlinkSync(join(base, 'outside'), join(root, 'folder'));
  symlinkSync('/proc/self/root', join(root, 'machine'));
  linkSync(join(base, 'outside/s.yaml'), join(root, 'hard.yaml'));
  const outside = () => stateOf(base, ['outside', 'root-evil']);
  const before = outside();
  return {
    ...{ base, root, canary, write },
    state: join(base, 'state'),
    /** Whether anything beside the root is not as it was. */
    isOutsideTouched: () => outside() !== before,
    restore: () => {
      write('outside/s.yaml', `key: inside\nsecret: ${canary}\n`);
      write('root-evil/s.yaml', `key: inside\nsecret: ${canary}\n`);
    },
    removeNew: () => rmSync(join(base, 'outside/new.yaml'), { force: true }),
    read: (name) => {
      try {
        return readFileSync(join(base, name), 'utf8');
      } catch {
        return undefined;
      }
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** The names and contents below the folders. */
function stateOf(base, folders) {
  const hash = createHash('sha256');
  for (const folder of folders) {
    for (const name of readdirSync(join(base, folder), { recursive: true, encoding: 'utf8' }).sort()) {
      const file = join(base, folder, name);
      hash.update(`${folder}/${name}\0`);
      if (lstatSync(file).isFile()) hash.update(readFileSync(file));
    }
  }
  return hash.digest('hex');
}
