// Judges the tests of src/security by breaking the code. MUTATION_ROOM=sandbox takes one folder, MUTATION_ROOM=. the files beside them.
// No mutant is excluded, message texts neither: what an agent is told is held by tests too.
const room = process.env.MUTATION_ROOM ?? '**';

export default {
  plugins: [new URL('./runner.mjs', import.meta.url).pathname],
  testRunner: 'in-process',
  coverageAnalysis: 'perTest',
  mutate: [room === '.' ? 'src/security/*.ts' : `src/security/${room}/*.ts`],
  ignorePatterns: ['**', '!src/**', '!test/**', '!mutation/*.mjs', '!examples/**', '!package.json'],
  tempDirName: 'mutation/.stryker-tmp',
  tsconfigFile: 'none',
  concurrency: 2,
  incremental: false,
  reporters: ['json', 'clear-text', 'progress-append-only'],
  jsonReporter: { fileName: `mutation/reports/${room === '**' ? 'all' : room === '.' ? 'top' : room}.json` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  timeoutMS: 10_000,
  timeoutFactor: 2,
};
