// Runs the command that follows as a user who is nobody: node as-nobody.mjs node cli.js --root DIR
import { spawn } from 'node:child_process';

const NOBODY = 65_534;
const [command, ...args] = process.argv.slice(2);
process.setgroups([]);
process.setgid(NOBODY);
process.setuid(NOBODY);
const child = spawn(command, args, { stdio: 'inherit' });
child.on('exit', (code) => process.exit(code ?? 1));
