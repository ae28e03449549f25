// The package as a user gets it: the tarball of `npm pack`, installed into a folder where no other package is, and without
// a network, since it needs none.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

export interface InstalledPackage {
  /** The folder into which it was installed. */
  readonly home: string;
  /** Its own place in there. */
  readonly folder: string;
  readonly program: string;
  readonly unpackedSize: number;
  readonly files: readonly string[];
}

interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** Into `dir`, which exists. */
export function installPackage(dir: string): InstalledPackage {
  // `prepack` would build `dist` and `bundle` under the other tests.
  const options = ['--ignore-scripts', '--json', '--pack-destination', dir];
  const [packed]: readonly Packed[] = JSON.parse(run('npm', ['pack', ...options], REPOSITORY));
  if (packed === undefined) throw new Error('npm packed nothing');
  const home = join(dir, 'home');
  mkdirSync(home);
  const offline = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  run('npm', ['install', ...offline, join(dir, packed.filename)], home);
  const folder = join(home, 'node_modules/config-airlock');
  const files = packed.files.map(({ path }) => path);
  const program = join(folder, 'bundle/cli.js');
  return { home, folder, program, files, unpackedSize: packed.unpackedSize };
}

/** What it printed. Throws with all of that where it fails. */
export function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}${stdout}`);
  return stdout;
}
