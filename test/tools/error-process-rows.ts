// Errors that only a process of its own can bring about: no room on the disk, a call without end, a fault in a tool.
import { fileURLToPath } from 'node:url';
import { ISOLATED } from '../harness/start-process.ts';
import type { OwnServerRow } from './error-contract.ts';

/** `confinement` names the situation that `confined-server.mjs` makes. */
export const PROCESS_ROWS: readonly (OwnServerRow & { readonly confinement?: string })[] = [
  {
    code: 'NO_SPACE',
    why: 'no file may grow that large',
    call: ['config_set', { file: 'a.yaml', path: 'a', value: '2', dry_run: false }],
    suggests: ['Ask the operator to free some space'],
    options: { files: { 'a.yaml': `a: 1\nb: ${'x'.repeat(5_000)}\n` } },
    confinement: 'file-size',
  },
  {
    code: 'NO_SPACE',
    why: 'a disk without room',
    call: ['config_set', { file: 'full/a.yaml', path: 'a', value: '2', dry_run: false }],
    suggests: ['Ask the operator to free some space'],
    options: { files: { 'full/seed.yaml': '' } },
    confinement: 'full-disk',
  },
  {
    code: 'TIMEOUT',
    why: 'a step that would never end',
    call: ['spin', {}],
    suggests: ['Use a smaller file, or ask for a smaller part of it'],
    options: { program: ISOLATED },
  },
  {
    code: 'INTERNAL',
    why: 'a bug in a tool',
    call: ['fail', {}],
    suggests: ['Tell the operator the id'],
    options: { program: child('failing-server.mjs') },
  },
];

export function child(name: string): string {
  return fileURLToPath(new URL(`./children/${name}`, import.meta.url));
}
