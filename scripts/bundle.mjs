// `npm run bundle`: the command, its worker thread and what programs import, with all that they need, in a few readable
// files under bundle/, which is what the published package runs. Nothing is minified and there are no source maps: a line
// in a log is a line of these files. Beside them stand the types of what is imported, and of the packages whose code they
// hold a list and the licences.
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { HTTP_OPTIONS } from '../dist/cli/settings/http-options.js';
import { ALL_OPTIONS, OPTIONS } from '../dist/cli/settings/options.js';
import { LISTED } from '../dist/server/listed.js';
import { noticesOf, packagesIn } from './bundle/notices.mjs';
import { sbomOf } from './bundle/sbom.mjs';
import { splittingByStart } from './bundle/starts.mjs';
import { typesOf } from './bundle/types.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = `${ROOT}bundle`;

const shims = `${ROOT}node_modules/@modelcontextprotocol/server/dist/shimsBrowser.mjs`;
const jsoncParser = `${ROOT}node_modules/jsonc-parser/lib/esm/main.js`;
// What the SDK has for HTTP: loading it does nothing by itself.
const SDK_HTTP = /\/@modelcontextprotocol\/server\/dist\/index\.mjs$/;
// As text, because V8 reads JSON faster than code.
const listed = `export const LISTED = JSON.parse(${JSON.stringify(JSON.stringify(LISTED))});`;

const bundle = await rolldown({
  cwd: ROOT,
  input: { cli: 'src/cli.ts', index: 'src/cli/embedding.ts', 'worker-main': 'src/engine/worker-main.ts' },
  preserveEntrySignatures: 'allow-extension',
  platform: 'node',
  // The SDK's usual JSON Schema validator makes code from text, which the lock-down forbids. Its other one does not. What
  // Node takes of jsonc-parser asks for its own files when it runs, which are not in the bundle: its modules do not.
  resolve: { alias: { '@modelcontextprotocol/server/_shims': shims, 'jsonc-parser': jsoncParser } },
  plugins: [{ name: 'listed', load: (id) => (id === `${ROOT}src/server/listed.ts` ? listed : undefined) }],
  // Of our own modules only those that are started do anything when they are loaded.
  treeshake: {
    moduleSideEffects: [
      { test: /\/src\/(?!cli\.ts|engine\/worker-main\.ts)/, sideEffects: false },
      { test: SDK_HTTP, sideEffects: false },
    ],
  },
  onwarn: (warning) => {
    throw new Error(`bundle: ${warning.message}`);
  },
});
const codeSplitting = await splittingByStart(bundle, ROOT);
rmSync(OUT, { recursive: true, force: true });
const { output } = await bundle.write({
  dir: OUT,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  codeSplitting,
  comments: { legal: false, annotation: false, jsdoc: false },
});
for (const { type, fileName, code } of output)
  if (type === 'chunk') writeFileSync(`${OUT}/${fileName}`, inAscii(code));
const packages = packagesIn(output);
writeFileSync(`${OUT}/THIRD_PARTY_NOTICES.md`, noticesOf(packages));
const [own, lock] = ['package.json', 'package-lock.json'].map((name) =>
  JSON.parse(readFileSync(`${ROOT}${name}`, 'utf8')),
);
writeFileSync(`${OUT}/sbom.cdx.json`, sbomOf(own, lock, packages));
const ofCommand = new Set([OPTIONS.config, ...Object.values(HTTP_OPTIONS)]);
writeFileSync(`${OUT}/index.d.ts`, typesOf(ALL_OPTIONS.filter((option) => !ofCommand.has(option))));
// A clone starts it by its name, and `npm link` makes it a command.
chmodSync(`${OUT}/cli.js`, 0o755);
const kilobytes = output.reduce((sum, { code = '' }) => sum + code.length, 0) / 1_000;
process.stdout.write(`bundle: ${output.length} files, ${kilobytes.toFixed(0)} KB\n`);

/** One other character makes V8 hold the whole file in twice the memory, and read it more slowly. */
function inAscii(code) {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return code.replaceAll(/[\u0080-\uffff]/g, escaped);
}
