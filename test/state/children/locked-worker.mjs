// A thread that is locked down before anything else is loaded, as the one that serves calls is, and then works on a state.
import { workerData } from 'node:worker_threads';

const { lockDown } = await import('../../../dist/lock-down.js');
lockDown();
const { openPostgresStore } = await import('../../../dist/state/index.js');
const { rounds } = await import('./scenario.mjs');
const store = await openPostgresStore({ ...workerData, readFile: () => undefined });
await rounds(store, 3, 'locked', () => undefined);
await store.close();
