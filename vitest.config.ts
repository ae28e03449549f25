// Two runs of one suite: `unit` is what `npm test` runs, at each change; `system` starts processes, kills them, races, or
// needs something of the machine. A path names a test of either: `npx vitest run test/review/crash.system.test.ts`.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const SYSTEM = 'test/**/*.system.test.ts';
const LONG = 'test/long/**';

export default defineConfig({
  test: {
    // What a run has transformed is kept in node_modules, for the next one: a third of the time of a short run.
    experimental: { fsModuleCache: true },
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: [SYSTEM, LONG] } },
      { extends: true, test: { name: 'system', include: [SYSTEM], exclude: [LONG] } },
    ],
    setupFiles: ['test/harness/seed.ts', 'test/harness/umask.ts'],
    // Processes: some tests change the working directory, and some measure the process that they are in.
    pool: 'forks',
    // To load everything anew for each file costs as much again as what most files do. They leave nothing behind.
    isolate: false,
    // One for each processor: they wait for the servers that they start more than they work.
    maxWorkers: availableParallelism(),
    // On a machine that does other things as well, slow is not wrong.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
