#!/usr/bin/env node
// The command: locks the process down before any other module is loaded, for a module that finds eval
// at hand while it loads may count on it later. The work is in cli/main.ts.
import { loadMain } from './cli/load-main.ts';
import { lockDown } from './lock-down.ts';

// Whoever started us may have closed stderr: what cannot be said is not worth a crash.
process.stderr.on('error', () => undefined);
process.title = 'config-airlock';
if (isLocked()) void loadMain().then(({ main }) => main());

function isLocked(): boolean {
  try {
    lockDown();
    return true;
  } catch (error) {
    process.stderr.write(`config-airlock: ${error instanceof Error ? error.message : 'cannot lock down'}\n`);
    process.exitCode = 1;
    return false;
  }
}
