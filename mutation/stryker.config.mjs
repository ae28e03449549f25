// Judges the tests of src/security by breaking the code. MUTATION_ROOM=checks takes one folder and its own tests.
// No mutant is excluded, message texts neither: what an agent is told is held by tests too.
const room = process.env.MUTATION_ROOM ?? '**';

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'mutation/vitest.config.mjs', related: false },
  coverageAnalysis: 'perTest',
  mutate: [`src/security/${room}/*.ts`],
  ignorePatterns: ['**', '!src/**', '!test/**', '!mutation/*.mjs', '!package.json', '!dist/**'],
  tempDirName: 'mutation/.stryker-tmp',
  tsconfigFile: 'none',
  concurrency: 2,
  incremental: true,
  incrementalFile: 'mutation/reports/incremental.json',
  reporters: ['json', 'clear-text'],
  jsonReporter: { fileName: 'mutation/reports/mutation.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  timeoutMS: 3000,
  timeoutFactor: 1.5,
};
