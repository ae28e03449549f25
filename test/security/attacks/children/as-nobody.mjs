// Runs the command that follows as a user who is nobody: node as-nobody.mjs node cli.js --root DIR
import { spawn } from 'node:child_process';
import { chownSync } from 'node:fs';

const NOBODY = 65_534;
const [command, ...args] = process.argv.slice(2);
const state = process.env['AIRLOCK_STATE_DIR'];
if (state !== undefined) chownSync(state, NOBODY, NOBODY);
process.setgroups([]);
process.setgid(NOBODY);
process.setuid(NOBODY);
const child = spawn(command, args, { stdio: 'inherit' });
child.on('exit', (code) => process.exit(code ?? 1));
