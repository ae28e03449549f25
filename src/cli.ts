#!/usr/bin/env node
// The command. It locks the process down before any other module is loaded, because a module that finds eval
// while it loads may keep it for later. The work is in cli/main.ts.
import { lockDown } from './lock-down.ts';

// Whoever started us may have closed stderr: a message that cannot be written is no reason to crash.
process.stderr.on('error', () => undefined);
process.title = 'config-airlock';
if (isLocked()) void import('./cli/main.ts').then(({ main }) => main());

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
