// Tests run in processes of their own: some change the working directory, some are killed on purpose.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/long/**', 'node_modules/**'],
    setupFiles: ['test/harness/seed.ts', 'test/harness/umask.ts'],
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
