// The built server with one tool more, which has a bug: what the client learns of it, and can do then.
import { z } from 'zod';
import { createLog } from '../../../dist/security/audit/log.js';
import { openAirlock } from '../../../dist/server.js';
import { TOOLS } from '../../../dist/tools/index.js';
import { serveOverStdio } from '../../../dist/transports/stdio/index.js';

const fail = {
  name: 'fail',
  title: 'Fail',
  description: 'Has a bug.',
  input: z.strictObject({}),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: () => {
    throw new Error('CANARY in a message');
  },
};

const log = createLog({ level: 'error', format: 'json' });
const airlock = await openAirlock({
  roots: [process.argv.at(-1)],
  stateDir: process.env.AIRLOCK_STATE_DIR,
  log,
});
await serveOverStdio({ ...airlock, tools: [...TOOLS, fail] }).ended;
