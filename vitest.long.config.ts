// What takes minutes: all of the YAML test suite, and random operations by the ten thousand.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    experimental: { fsModuleCache: true },
    include: ['test/long/**/*.test.ts'],
    setupFiles: ['test/harness/umask.ts'],
    pool: 'forks',
    execArgv: ['--min-semi-space-size=128', '--max-semi-space-size=128'],
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
  },
});
