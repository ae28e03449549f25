// Which modules are loaded together. A start reads few files, and in them little that it does not run: the size of what is
// compiled is most of what a start costs.

/** What is loaded by the command, by the server, by the thread of its calls, and to read a config file. */
const STARTS = {
  command: ['src/cli/main.ts'],
  server: ['src/cli/commands/serve.ts', 'src/server/dispatch.ts'],
  calls: ['src/engine/worker-side.ts'],
  settings: [
    'src/adapters/policy/read-policy.ts',
    'src/adapters/schema/schema.ts',
    'src/adapters/secrets/masking-rules.ts',
    'src/adapters/values/to-value.ts',
  ],
};

/**
 * The first three run before any other module is loaded, and the fourth is what programs import. Commands that do not
 * serve need the last one, and nothing beside it.
 */
const ALONE = [
  ...['src/cli.ts', 'src/lock-down.ts', 'src/engine/worker-main.ts', 'src/cli/embedding.ts'],
  'src/engine/refused-writes.ts',
];

/**
 * How rolldown splits the code: a file for each set of starts that load the same modules. A module is in the set of each
 * start that loads it by way of others, so files do not import one another in a circle. What no start loads, rolldown
 * places.
 */
export async function splittingByStart(bundle, root) {
  const { output } = await bundle.generate({
    format: 'esm',
    preserveModules: true,
    preserveModulesRoot: root,
  });
  const moduleOf = new Map(output.map(({ fileName, facadeModuleId }) => [fileName, facadeModuleId]));
  const importsOf = new Map(
    output.map(({ facadeModuleId, imports = [] }) => [
      facadeModuleId,
      imports.map((name) => moduleOf.get(name)),
    ]),
  );
  const startsOf = new Map();
  for (const [start, files] of Object.entries(STARTS))
    for (const id of reachedFrom(
      files.map((file) => root + file),
      importsOf,
    ))
      startsOf.set(id, [...(startsOf.get(id) ?? []), start]);
  for (const file of ALONE) startsOf.delete(root + file);
  const name = (id) => startsOf.get(id)?.join('-and-') ?? null;
  return { includeDependenciesRecursively: false, groups: [{ name, debugName: 'starts' }] };
}

function reachedFrom(entries, importsOf) {
  const reached = new Set(entries);
  for (const id of reached) for (const imported of importsOf.get(id) ?? []) reached.add(imported);
  reached.delete(undefined);
  return reached;
}
