// Tests run in processes of their own: some change the working directory, some are killed on purpose.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/long/**', 'node_modules/**'],
    pool: 'forks',
    testTimeout: 30_000,
  },
});
