// Only while the bundle is made: keeps writing down what V8 has made of a script so far, in NAME.cache beside it.
// What was called until then is in it, so that it need not be compiled at the next start.
import { renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const EVERY_MS = 100;

export function keepCache(script, url) {
  const file = fileURLToPath(url);
  setInterval(() => {
    // V8 takes it under the flags only that it was made under, and this one the server sets later: src/engine/young-space.ts.
    setFlagsFromString('--semi-space-growth-factor=2');
    // Both threads may hold the same script.
    const draft = `${file}.${process.getBuiltinModule('node:worker_threads').threadId}.new`;
    writeFileSync(draft, script.createCachedData());
    // Never half of it: the thread may be ended at any moment.
    renameSync(draft, `${file}.cache`);
  }, EVERY_MS).unref();
}
