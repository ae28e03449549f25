// What may be installed on a user's machine: exactly pinned packages that run nothing on arrival.
import { z } from 'zod';

const versions = z.record(z.string(), z.string()).default({});

const manifestShape = z.object({ dependencies: versions, devDependencies: versions, scripts: versions });

const lockShape = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      dev: z.boolean().default(false),
      optional: z.boolean().default(false),
      hasInstallScript: z.boolean().default(false),
      optionalDependencies: versions,
    }),
  ),
});

const RUN_ON_ARRIVAL = ['preinstall', 'install', 'postinstall', 'prepare'] as const;

/** Reads an installed package's manifest (parsed JSON) by its place in the lock; undefined where it is not installed. */
type Installed = (place: string) => unknown;

/**
 * One line for each breach; empty when the packages keep the laws. `allowed`: the packages that the
 * import table knows. The lock names the production tree; the installed manifests say what it would run.
 */
export function packageViolations(
  manifest: unknown,
  lock: unknown,
  installed: Installed,
  allowed: readonly string[],
): readonly string[] {
  const { dependencies, devDependencies, scripts } = manifestShape.parse(manifest);
  const breaches = Object.entries({ ...dependencies, ...devDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))
    .map(([name, version]) => `${name} is not pinned: ${version}`);
  for (const name of Object.keys(dependencies)) {
    if (!allowed.includes(name)) breaches.push(`${name} is a dependency that no room may use`);
  }
  for (const name of allowed) {
    if (!(name in dependencies)) breaches.push(`${name} is used but is no dependency`);
  }
  // `npm ci` of a clone runs these, before anybody has read a line of the code.
  for (const name of RUN_ON_ARRIVAL) {
    if (name in scripts) breaches.push(`our own ${name} script runs on arrival`);
  }
  return [...breaches, ...treeBreaches(lock, installed)];
}

function treeBreaches(lock: unknown, installed: Installed): readonly string[] {
  const { packages } = lockShape.parse(lock);
  const breaches = [...missingPlatforms(packages)];
  const production = Object.entries(packages).filter(([place, { dev }]) => place !== '' && !dev);
  if (production.length === 0) breaches.push('the lock names no production packages');
  for (const [place, { version, integrity, optional, hasInstallScript }] of production) {
    if (integrity === undefined) breaches.push(`${place} has no integrity`);
    if (hasInstallScript) breaches.push(`${place} has an install script, says the lock`);
    const found = installed(place);
    if (found === undefined) {
      if (!optional) breaches.push(`${place} is not installed`);
      continue;
    }
    const own = z.object({ version: z.string(), scripts: versions }).parse(found);
    if (own.version !== version)
      breaches.push(`${place} is installed as ${own.version}, locked as ${version}`);
    for (const name of RUN_ON_ARRIVAL.slice(0, 3)) {
      if (name in own.scripts) breaches.push(`${place} has a ${name} script`);
    }
  }
  return breaches;
}

/** Written on one machine, a lock may lack the builds for all others; `npm ci` then fails everywhere. */
function missingPlatforms(packages: z.infer<typeof lockShape>['packages']): readonly string[] {
  const places = Object.keys(packages);
  return Object.entries(packages).flatMap(([place, { optionalDependencies }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !places.some((other) => other.endsWith(`node_modules/${name}`)))
      .map((name) => `the lock lacks ${name}, an optional part of ${place}`),
  );
}
