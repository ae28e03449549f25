// Says whether V8 takes the cache beside a script of the bundle: run as `node check-cache.mjs SCRIPT`. Another
// program has to ask, for V8 looks at the flags of its process.
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

const file = process.argv[2];
// As src/cli.ts and the lock-down do; the rest is as in scripts/bundle/run-script.mjs.
setFlagsFromString('--disallow-code-generation-from-strings');
setFlagsFromString('--no-minor-gc-task');
const script = new Script(readFileSync(file, 'latin1'), { cachedData: readFileSync(`${file}.cache`) });
process.stdout.write(script.cachedDataRejected ? 'rejected\n' : 'taken\n');
