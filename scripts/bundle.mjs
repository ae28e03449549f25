// `npm run bundle`: the command and its serving thread with all that they need, in a few readable files under
// bundle/, which is what the published package runs. Nothing is minified and there are no source maps: a line
// in a log is a line of these files. Beside them stand the licences of what was taken in, and what V8 made of it.
import { rmSync, writeFileSync } from 'node:fs';
import { asScript } from './bundle/as-script.mjs';
import { writeCaches } from './bundle/caches.mjs';
import { listed } from './bundle/listed.mjs';
import { loadedAtOnce, make, ROOT } from './bundle/make.mjs';
import { noticesOf } from './bundle/notices.mjs';
import { prepared } from './bundle/prepared.mjs';

const OUT = `${ROOT}bundle`;
const MAIN = 'cli/main.ts';
const LISTED = { 'server/listed.ts': await listed() };
const PINO = 'security/audit/load-pino.ts';
const PICOMATCH = 'security/paths/load-picomatch.ts';
const LATE = {
  [PINO]: "const load = require; export const loadPino = () => load('./pino.cjs').pino;",
  [PICOMATCH]: "const load = require; export const loadPicomatch = () => load('./picomatch.cjs').picomatch;",
};
const STAND_INS = { ...LISTED, ...LATE, 'stdio/prepared.ts': await prepared(LISTED) };
const atOnce = await loadedAtOnce({ main: MAIN }, STAND_INS);

rmSync(OUT, { recursive: true, force: true });
const output = [
  ...(await start(OUT, '')),
  ...(await script('main', MAIN, STAND_INS, {
    // Left alone, Rolldown puts some of it beside what is asked for later.
    groups: [{ name: 'start', test: (id) => atOnce.has(id) }],
    includeDependenciesRecursively: false,
  })),
  // On its own, though much of it is in the other as well: each thread loads what it needs, and no more.
  ...(await script('thread', 'engine/thread.ts', LATE, false)),
  ...(await script('pino', PINO, { [PINO]: "export { pino } from 'pino';" }, false)),
  ...(await script(
    'picomatch',
    PICOMATCH,
    { [PICOMATCH]: "export { default as picomatch } from 'picomatch';" },
    false,
  )),
];
// The quicker way to start, whatever the package says of its other files.
writeFileSync(`${OUT}/package.json`, '{ "type": "commonjs" }\n');
writeFileSync(`${OUT}/THIRD_PARTY_NOTICES.md`, noticesOf(output));
const cached = await writeCaches(OUT, (dir) => start(dir, 'keepCache'));
const kilobytes = output.reduce((sum, { code = '' }) => sum + code.length, 0) / 1_000;
process.stdout.write(
  `bundle: ${output.length} files, ${kilobytes.toFixed(0)} KB, and ${(cached / 1_000).toFixed(0)} KB of caches\n`,
);

/** What is started: the lock-down, and then a script. package.json names the one, the engine starts the other. */
function start(dir, compiled) {
  const from = (file) => JSON.stringify(`${ROOT}scripts/bundle/${file}`);
  const imports = `import { runScript } from ${from('run-script.mjs')}; import { keepCache } from ${from('keep-cache.mjs')};`;
  const load = (name, file) =>
    `${imports} export const ${name} = async () => runScript('./${file}'${compiled && `, ${compiled}`});`;
  return make(
    { cli: 'cli.ts', 'worker-main': 'engine/worker-main.ts' },
    {
      'cli/load-main.ts': load('loadMain', 'main.cjs'),
      'engine/load-thread.ts': load('loadThread', 'thread.cjs'),
    },
    { dir, format: 'cjs', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
  );
}

async function script(name, file, standIns, codeSplitting) {
  const names = { entryFileNames: '[name].cjs', chunkFileNames: `${name}-[name].cjs` };
  const format = { format: 'cjs', dynamicImportInCjs: false };
  const output = await make({ [name]: file }, standIns, { dir: OUT, ...format, ...names, codeSplitting });
  for (const { fileName, code } of output) writeFileSync(`${OUT}/${fileName}`, asScript(code));
  return output;
}
