// The packages whose code the bundle holds: exactly pinned, with all of theirs, and running nothing on arrival. A user
// installs none of them.
import { z } from 'zod';

const versions = z.record(z.string(), z.string()).default({});

const manifestShape = z.object({ dependencies: versions, devDependencies: versions, scripts: versions });

const lockShape = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      optional: z.boolean().default(false),
      hasInstallScript: z.boolean().default(false),
      dependencies: versions,
      optionalDependencies: versions,
    }),
  ),
});

const RUN_ON_ARRIVAL = ['preinstall', 'install', 'postinstall', 'prepare'] as const;

/** Reads an installed package's manifest (parsed JSON) by its place in the lock; undefined where it is not installed. */
type Installed = (place: string) => unknown;

/**
 * One line for each breach; empty when the packages keep the laws. `allowed`: the packages that the
 * import table knows. The lock names what belongs to them; the installed manifests say what it would run.
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
    breaches.push(
      `${name} would be installed with every copy: the bundle holds it, so it is a devDependency`,
    );
  }
  for (const name of allowed) {
    if (!(name in devDependencies)) breaches.push(`${name} is used but is no devDependency`);
  }
  // `npm ci` of a clone runs these, before anybody has read a line of the code.
  for (const name of RUN_ON_ARRIVAL) {
    if (name in scripts) breaches.push(`our own ${name} script runs on arrival`);
  }
  return [...breaches, ...treeBreaches(lock, installed, allowed)];
}

function treeBreaches(lock: unknown, installed: Installed, allowed: readonly string[]): readonly string[] {
  const { packages } = lockShape.parse(lock);
  const breaches = [...missingPlatforms(packages)];
  const bundled = new Map(allowed.flatMap((name) => treeOf(name, '', packages)));
  if (bundled.size === 0) breaches.push('the lock names no package that is bundled');
  for (const [place, { version, integrity, optional, hasInstallScript }] of bundled) {
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

type Packages = z.infer<typeof lockShape>['packages'];

/** The package that is found from the place, and all that it depends on, by their places in the lock. */
function treeOf(
  name: string,
  from: string,
  packages: Packages,
  above: readonly string[] = [],
): readonly (readonly [string, Packages[string]])[] {
  const place = placeOf(name, from, packages);
  const entry = place === undefined ? undefined : packages[place];
  if (place === undefined || entry === undefined || above.includes(place)) return [];
  const names = Object.keys({ ...entry.dependencies, ...entry.optionalDependencies });
  return [[place, entry], ...names.flatMap((next) => treeOf(next, place, packages, [...above, place]))];
}

/** As Node looks a package up: beside the one that asks, then further out. */
function placeOf(name: string, from: string, packages: Packages): string | undefined {
  const inner = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`;
  if (inner in packages) return inner;
  if (from === '') return undefined;
  return placeOf(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), packages);
}

/** Written on one machine, a lock may lack the builds for all others; `npm ci` then fails everywhere. */
function missingPlatforms(packages: Packages): readonly string[] {
  const places = Object.keys(packages);
  return Object.entries(packages).flatMap(([place, { optionalDependencies }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !places.some((other) => other.endsWith(`node_modules/${name}`)))
      .map((name) => `the lock lacks ${name}, an optional part of ${place}`),
  );
}
