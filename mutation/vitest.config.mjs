// The unit tests, and of the others those of the writer that stay in their process, with the mutants that run.mjs has chosen in the
// code that they import.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { instrumented } from './mutants.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const mutants = JSON.parse(readFileSync(`${process.env.MUTATION_FOLDER}/mutants.json`, 'utf8'));

const plugin = {
  name: 'mutants',
  enforce: 'pre',
  transform: (code, id) => {
    const own = mutants.filter(({ file }) => id === root + file);
    return own.length === 0 ? undefined : { code: instrumented(code, own), map: null };
  },
};

export default defineConfig({
  root,
  plugins: [plugin],
  test: {
    include: ['test/**/!(*.system).test.ts', 'test/security/writer/!(kill|two-writers).system.test.ts'],
    exclude: ['test/long/**', 'test/smoke.test.ts'],
    setupFiles: ['mutation/setup.mjs', 'test/harness/seed.ts', 'test/harness/umask.ts'],
    env: { PROPERTY_RUNS: process.env.PROPERTY_RUNS ?? '' },
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
