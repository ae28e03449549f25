// The thread of isolated-server.mjs: as src/engine/worker-main.ts, but with the tools of a test.
import { lockDown } from '../../dist/lock-down.js';

lockDown();
const { TOOLS } = await import('./isolated-tools.mjs');
const { serveParent } = await import('../../dist/engine/worker-side.js');
serveParent(TOOLS);
