// `npm run bundle`: the command and its worker thread with all that they need, in a few readable files under
// bundle/, which is what the published package runs. Nothing is minified and there are no source maps: a line in a
// log is a line of these files. Beside them stand the licences of the packages whose code they hold.
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { LISTED } from '../dist/server/listed.js';
import { noticesOf } from './bundle/notices.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = `${ROOT}bundle`;

const shims = `${ROOT}node_modules/@modelcontextprotocol/server/dist/shimsBrowser.mjs`;
const jsoncParser = `${ROOT}node_modules/jsonc-parser/lib/esm/main.js`;
// As text, because V8 reads JSON faster than code.
const listed = `export const LISTED = JSON.parse(${JSON.stringify(JSON.stringify(LISTED))});`;

const bundle = await rolldown({
  cwd: ROOT,
  input: { cli: 'src/cli.ts', 'worker-main': 'src/engine/worker-main.ts' },
  platform: 'node',
  // The SDK's usual JSON Schema validator makes code from text, which the lock-down forbids. Its other one does not. What
  // Node takes of jsonc-parser asks for its own files when it runs, which are not in the bundle: its modules do not.
  resolve: { alias: { '@modelcontextprotocol/server/_shims': shims, 'jsonc-parser': jsoncParser } },
  plugins: [{ name: 'listed', load: (id) => (id === `${ROOT}src/server/listed.ts` ? listed : undefined) }],
  // Of our own modules only the two that are started do anything when they are loaded.
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
  // Otherwise some of it stands in files that a start would not need: beside the parsers.
  codeSplitting: {
    groups: [
      { name: 'security', test: /\/src\/(?:security|state)\// },
      { name: 'tree', test: /\/src\/adapters\/tree\// },
      // The thread of the calls needs it without the SDK.
      { name: 'zod', test: /\/node_modules\/zod\// },
    ],
  },
  comments: { legal: false, annotation: false, jsdoc: false },
});
writeFileSync(`${OUT}/THIRD_PARTY_NOTICES.md`, noticesOf(output));
const kilobytes = output.reduce((sum, { code = '' }) => sum + code.length, 0) / 1_000;
process.stdout.write(`bundle: ${output.length} files, ${kilobytes.toFixed(0)} KB\n`);
