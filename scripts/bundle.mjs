// `npm run bundle`: the command and its serving thread with all that they need, in a few readable files under
// bundle/, which is what the published package runs. Nothing is minified and there are no source maps: a line
// in a log is a line of these files. The licences of what was taken in stand beside them.
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { noticesOf } from './bundle/notices.mjs';
import { withoutCodeGeneration } from './bundle/shims.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = `${ROOT}bundle`;
// Their names are part of the product: package.json starts one, the other is started beside it.
const ENTRIES = { cli: `${ROOT}src/cli.ts`, 'worker-main': `${ROOT}src/engine/worker-main.ts` };

const bundle = await rolldown({
  cwd: ROOT,
  input: ENTRIES,
  platform: 'node',
  plugins: [withoutCodeGeneration()],
  // Nothing in src happens on import but in the two files that are started.
  treeshake: {
    moduleSideEffects: [{ test: /\/src\/(?!cli\.ts|engine\/worker-main\.ts)/, sideEffects: false }],
  },
  onwarn: (warning) => {
    throw new Error(`bundle: ${warning.message}`);
  },
});
rmSync(OUT, { recursive: true, force: true });
const { output } = await bundle.write({
  dir: OUT,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  comments: { legal: false, annotation: false, jsdoc: false },
});
writeFileSync(`${OUT}/THIRD_PARTY_NOTICES.md`, noticesOf(output));
const kilobytes = output.reduce((sum, { code = '' }) => sum + code.length, 0) / 1_000;
process.stdout.write(`bundle: ${output.length} files, ${kilobytes.toFixed(0)} KB\n`);
