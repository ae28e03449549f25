// The thread of isolated-server.mjs: as src/engine/worker-main.ts, but with the tools of a test.
import { lockDown } from '../../dist/lock-down.js';
import { onDiskCalls } from './disk-calls.mjs';

lockDown();
// A file that keeps the thread busy for ever, whatever is to be done with it.
onDiskCalls((_, [path]) => {
  while (/\/hang-[^/]*$/u.test(String(path)));
});
const { TOOLS } = await import('./isolated-tools.mjs');
const { serveParent } = await import('../../dist/engine/worker-side.js');
serveParent(TOOLS);
