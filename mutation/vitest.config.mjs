// The tests that judge mutants: those of src/security that are fast and repeatable, in one process. Without races,
// kill loops and whatever needs the built server, for each mutant would run them again.
import { defineConfig } from 'vitest/config';

/** One room of src/security is judged by the tests of that room alone: faster, and stricter. */
const room = process.env.MUTATION_ROOM ?? '**';

export default defineConfig({
  plugins: [
    {
      name: 'forks',
      // Stryker asks for threads, in which the working directory cannot be changed: the walk by chdir needs a process.
      configureVitest: ({ project }) => {
        project.config.pool = 'forks';
      },
    },
  ],
  resolve: { alias: { 'fast-check': new URL('few-runs.mjs', import.meta.url).pathname } },
  test: {
    setupFiles: ['mutation/setup.mjs'],
    include: [`test/security/${room}/*.test.ts`],
    exclude: [
      'test/security/attacks/**',
      'test/security/canaries.test.ts',
      'test/security/commit/{kill,race,two-writers}.test.ts',
    ],
    isolate: false,
    testTimeout: 10_000,
  },
});
