// The built server whose calls are served in a thread of its own, with tools that only a test has: see
// isolated-worker.mjs. Run as `node isolated-server.mjs --root DIR`; the rest is as in src/cli/main.ts.
import { onEndSignal } from '../../dist/cli/process/signals.js';
import { WorkerEngine } from '../../dist/engine/worker-engine.js';
import { createLog } from '../../dist/security/audit/log.js';
import { openAirlock } from '../../dist/server.js';
import { serveOverStdio } from '../../dist/transports/stdio/index.js';
import { onDiskCalls } from './disk-calls.mjs';
import { TOOLS } from './isolated-tools.mjs';

const log = createLog({ level: 'info', format: 'json' });
const limits = { stepMs: 1_000, callMs: 8_000 };
const airlock = await openAirlock({
  roots: [process.argv.at(-1)],
  stateDir: process.env.AIRLOCK_STATE_DIR,
  log,
  limits,
});
const entry = new URL('./isolated-worker.mjs', import.meta.url);
const engine = new WorkerEngine({ ...airlock, tools: TOOLS }, { entry });
/** Signals this process before its first disk call of this name to this path. */
const [call, path, signal] = (process.env.SIGNAL_AT ?? '').split(' ');
let isOver = signal === undefined;
onDiskCalls((name, args) => {
  if (isOver || name !== call || !String(args[1]).endsWith(path)) return;
  isOver = true;
  process.kill(process.pid, signal);
});
const connection = serveOverStdio({ ...airlock, tools: TOOLS, engine });
onEndSignal(() => void connection.end());
await connection.ended;
await engine.close();
log.event('info', 'stopped');
process.exit(0);
