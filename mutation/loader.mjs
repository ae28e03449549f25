// Lets Node import the TypeScript of the sandbox, with the words of test-api.mjs for Vitest, and anew under each ?v=.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';

const API = new URL('./test-api.mjs', import.meta.url).href;
const FEW_RUNS = new URL('./few-runs.mjs', import.meta.url).href;
const scripts = new Map();

export async function resolve(specifier, context, next) {
  if (specifier === 'vitest') return { url: API, shortCircuit: true };
  if (specifier === 'fast-check' && context.parentURL?.endsWith('few-runs.mjs') !== true)
    return { url: FEW_RUNS, shortCircuit: true };
  const found = await next(specifier, context);
  const version = context.parentURL?.match(/\.ts(\?v=\d+)$/u)?.[1];
  return version !== undefined && found.url.endsWith('.ts') ? { ...found, url: found.url + version } : found;
}

export async function load(url, context, next) {
  const [file] = url.split('?');
  if (!file.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(file);
  if (!scripts.has(path)) scripts.set(path, scriptOf(path));
  return { format: 'module', source: scripts.get(path), shortCircuit: true };
}

function scriptOf(path) {
  // What is made once, or remembered, would stay what it was before the mutant.
  const text = readFileSync(path, 'utf8')
    .replaceAll('made ??= make()', 'made = __stryker__.madeOnce(make)')
    .replaceAll(/^(const \w+(?:: \w+)? = )(new Map(?:<.*>)?\(\)|\{\});$/gmu, '$1__stryker__.forgetting($2);');
  const { code, errors } = transformSync(path, text, { target: 'node20' });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  return code;
}
