// The built command in a situation of the machine that CONFINEMENT names: `file-size`, where no file may
// grow beyond a kilobyte; `full-disk`, where the folder `full` of the root is a disk without room.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const args = process.argv.slice(2);
const root = args[args.indexOf('--root') + 1];
const { CONFINEMENT, ...env } = process.env;

const FULL_DISK = `mount -t tmpfs -o size=8k,mode=777 none "$0/full" &&
  printf 'a: CANARY\\n' > "$0/full/a.yaml" && exec "$@"`;

const namespace = process.getuid?.() === 0 ? ['-m'] : ['-Urm'];
const [command, ...rest] =
  CONFINEMENT === 'full-disk'
    ? ['unshare', ...namespace, 'sh', '-c', FULL_DISK, root, process.execPath, CLI, ...args]
    : ['sh', '-c', 'ulimit -f 2 && exec "$@"', root, process.execPath, CLI, ...args];

// Without a server to start, `--root DIR --probe` only asks whether the situation can be made.
const isProbe = args.includes('--probe');
const words = isProbe ? [...rest.slice(0, rest.indexOf(CLI)), '--version'] : rest;
spawn(command, words, { stdio: 'inherit', env }).on('exit', (code) => process.exit(code ?? 1));
