// A seam of the tests: says every call that would change the disk, in this thread, before it is made. What
// `heed` throws is what the call throws; what it answers, other than undefined, is what the call answers.
import fs from 'node:fs';

const CALLS = ['openSync', 'writeSync', 'fsyncSync', 'fchmodSync', 'fchownSync'];
const CHANGES = [
  ...CALLS,
  'fsync',
  'linkSync',
  'renameSync',
  'unlinkSync',
  'mkdirSync',
  'rmdirSync',
  'ftruncateSync',
];

/** Answers the function that takes it back. */
export function onDiskCalls(heed) {
  const real = Object.fromEntries(CHANGES.map((name) => [name, fs[name]]));
  for (const name of CHANGES) fs[name] = (...args) => heed(name, args) ?? real[name](...args);
  return () => Object.assign(fs, real);
}
