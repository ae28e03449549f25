#!/usr/bin/env node
// The command: locks the process down before any other module is loaded, for a module that finds eval
// at hand while it loads may count on it later. The work is in cli/main.ts. Before it come, of Node itself, which is
// trusted, the modules that every start needs: V8 takes what Node brings along of them compiled only until the
// lock-down sets a flag.
import 'node:crypto';
import 'node:inspector';
import 'node:os';
import 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import 'node:vm';
import 'node:worker_threads';
import { loadMain } from './cli/load-main.ts';
import { lockDown } from './lock-down.ts';

// Whoever started us may have closed stderr: what cannot be said is not worth a crash.
process.stderr.on('error', () => undefined);
process.title = 'config-airlock';
// Made here, as the modules above.
void process.stdin;
if (isLocked()) void loadMain().then(({ main }) => main());

function isLocked(): boolean {
  // V8 would look for what nobody needs any more as soon as its first space for it is nearly full: just when the client is
  // to be heard for the first time. When it is full is soon enough.
  setFlagsFromString('--no-minor-gc-task');
  try {
    lockDown();
    return true;
  } catch (error) {
    process.stderr.write(`config-airlock: ${error instanceof Error ? error.message : 'cannot lock down'}\n`);
    process.exitCode = 1;
    return false;
  }
}
