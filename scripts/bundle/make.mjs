// One build by Rolldown: what the bundle's parts have in common.
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { withoutForeignPowers } from './shims.mjs';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Answers what was written.
 * @param {Record<string, string>} entries name → file under src
 * @param {Record<string, string>} standIns file under src → the text that takes its place
 */
export async function make(entries, standIns, output) {
  const bundle = await rolldown(optionsFor(entries, [inPlaceOf(standIns)]));
  return (await bundle.write({ ...COMMENTS, ...output })).output;
}

/** The modules that come with the entries at once, and not only when they are asked for. */
export async function loadedAtOnce(entries, standIns) {
  const bundle = await rolldown(optionsFor(entries, [inPlaceOf(standIns), WITHOUT_LATER]));
  const { output } = await bundle.generate({ format: 'esm' });
  return new Set(output.flatMap(({ moduleIds }) => moduleIds));
}

const COMMENTS = { comments: { legal: false, annotation: false, jsdoc: false } };

const WITHOUT_LATER = {
  name: 'without-later',
  resolveId: (id, _importer, { kind }) => (kind === 'dynamic-import' ? { id, external: true } : undefined),
};

function optionsFor(entries, plugins) {
  return {
    cwd: ROOT,
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, `${ROOT}src/${file}`])),
    platform: 'node',
    // Asked for by `includeDependenciesRecursively: false`.
    preserveEntrySignatures: 'allow-extension',
    plugins: [withoutForeignPowers(), ...plugins],
    // Nothing in src happens on import but in the files that are started.
    treeshake: {
      moduleSideEffects: [
        { test: /\/src\/(?!cli\.ts|engine\/worker-main\.ts)/, sideEffects: false },
        // cli.ts imports some for the sake of loading them.
        {
          test: /^node:(crypto|inspector|os|timers\/promises|vm|worker_threads)$/,
          external: true,
          sideEffects: true,
        },
      ],
    },
    onwarn: (warning) => {
      throw new Error(`bundle: ${warning.message}`);
    },
  };
}

function inPlaceOf(standIns) {
  const texts = new Map(Object.entries(standIns).map(([file, text]) => [`${ROOT}src/${file}`, text]));
  return { name: 'stand-ins', load: (id) => texts.get(id) };
}
