// What the serving thread is started with: locks it down before any other module of it is loaded, then
// serves the tools of this version, and nothing else.
import { lockDown } from '../lock-down.ts';

// Where it throws, the thread ends, and nothing is served.
lockDown();
const { TOOLS } = await import('../tools/index.ts');
const { serveParent } = await import('./worker-side.ts');
serveParent(TOOLS);
