// Layers import one way, each outside module has the few files that may use it, and no package runs anything when it is installed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { parseSync } from 'oxc-parser';
import { expect, it } from 'vitest';
import { z } from 'zod';

const PROJECT = new URL('../', import.meta.url);
const textOf = (file: string): string => readFileSync(new URL(file, PROJECT), 'utf8');

const SOURCES = new Map(
  readdirSync(new URL('src', PROJECT), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/u.test(name))
    .map((name) => [`src/${name}`, textOf(`src/${name}`)]),
);

/** The longest one that a file begins with is its layer. Each imports itself and those below it. */
const LAYERS = [
  'src/cli',
  'src/review/web',
  'src/review',
  'src/transports',
  'src/server',
  'src/engine',
  'src/tools',
  'src/adapters',
  'src/protocol',
  'src/listener',
  'src/security',
  'src/state',
  'src/lock-down.ts',
];

/** Where each may be imported. A line that is added here widens what the server can do. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  'node:fs': ['src/security/fs/ambient-fs.ts'],
  'node:http': ['src/listener/', 'src/review/web/serve-page.ts'],
  'node:https': ['src/listener/'],
  'node:net': ['src/listener/', 'src/state/postgres.ts'],
  'node:tls': ['src/state/postgres-target.ts'],
  'node:child_process': ['src/cli/process/run-program.ts'],
  'node:worker_threads': ['src/engine/'],
  'node:vm': ['src/adapters/schema/schema.ts'],
  'node:module': ['src/state/sqlite.ts'],
  'node:inspector': ['src/cli/process/process-hardening.ts'],
  'node:diagnostics_channel': ['src/server/call-event.ts'],
  'node:os': ['src/security/'],
  'node:tty': ['src/cli/'],
  'node:stream': ['src/cli/', 'src/transports/stdio/'],
  'node:stream/consumers': ['src/review/web/'],
  'node:stream/promises': ['src/transports/stdio/'],
  'node:events': ['src/engine/', 'src/transports/stdio/'],
  'node:timers/promises': ['src/cli/', 'src/engine/', 'src/security/', 'src/state/', 'src/transports/stdio/'],
  'node:buffer': ['src/review/web/', 'src/security/'],
  'node:crypto': ['src/cli/', 'src/review/web/', 'src/security/', 'src/state/', 'src/transports/http/'],
  'node:path': ['src/cli/', 'src/security/'],
  '@modelcontextprotocol/server': ['src/server', 'src/protocol/', 'src/transports/'],
  '@hono/node-server': ['src/transports/http/'],
  '@cfworker/json-schema': ['src/adapters/schema/'],
  commander: ['src/cli/command-line.ts'],
  diff: ['src/adapters/', 'src/cli/policy/read-diff.ts', 'src/review/web/'],
  'get-east-asian-width': ['src/security/text/columns.ts'],
  jose: ['src/transports/http/oidc.ts'],
  'jsonc-parser': ['src/adapters/formats/json/'],
  picomatch: ['src/security/paths/operator-pattern.ts'],
  pino: ['src/security/audit/log.ts'],
  postgres: ['src/state/postgres.ts'],
  'prom-client': ['src/transports/http/metrics.ts'],
  re2js: ['src/security/policy/engines.ts'],
  semver: ['src/security/policy/engines.ts'],
  'smol-toml': ['src/adapters/formats/toml/'],
  yaml: ['src/adapters/formats/yaml/'],
  zod: ['src/'],
};

interface Import {
  readonly file: string;
  readonly name: string;
}
const IMPORTS: readonly Import[] = [...SOURCES].flatMap(([file, text]) => {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module;
  const names = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? '')),
    ...dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start + 1, moduleRequest.end - 1)),
  ];
  return names.filter((name) => name !== '').map((name) => ({ file, name }));
});

function layerOf(file: string): number {
  const found = LAYERS.filter(
    (layer) => file === layer || file.startsWith(`${layer}/`) || file === `${layer}.ts`,
  );
  return LAYERS.indexOf(found.sort((a, b) => b.length - a.length)[0] ?? '');
}

it('every file has a layer, and imports its own and those below it', () => {
  expect([...SOURCES.keys()].filter((file) => layerOf(file) === -1)).toEqual([]);
  const up = IMPORTS.filter(
    ({ file, name }) => name.startsWith('.') && layerOf(join(dirname(file), name)) < layerOf(file),
  );
  expect(up).toEqual([]);
});

it('only the files that are named here touch the disk, open a socket, start a program or use a package [SRV-13]', () => {
  const outside = IMPORTS.filter(({ name }) => !name.startsWith('.'));
  const nameOf = (name: string) =>
    Object.keys(MODULES).find(
      (one) => name === one || (!name.startsWith('node:') && name.startsWith(`${one}/`)),
    );
  expect(
    outside.filter(
      ({ file, name }) => MODULES[nameOf(name) ?? '']?.some((place) => file.startsWith(place)) !== true,
    ),
  ).toEqual([]);
  expect(Object.keys(MODULES).filter((one) => !outside.some(({ name }) => nameOf(name) === one))).toEqual([]);
});

const versions = z.record(z.string(), z.string()).default({});
const Manifest = z.object({
  version: z.string(),
  scripts: versions,
  dependencies: versions,
  devDependencies: versions,
});
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string(),
      integrity: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
      optionalDependencies: versions,
    }),
  ),
});
const ON_ARRIVAL = ['preinstall', 'install', 'postinstall', 'prepare'];

// ENVI-006.
it('the packages are pinned, and run nothing when they are installed [SRV-15]', () => {
  const { scripts, dependencies, devDependencies } = Manifest.parse(JSON.parse(textOf('package.json')));
  expect(dependencies).toEqual({});
  expect(Object.entries(devDependencies).filter(([, version]) => !/^\d+\.\d+\.\d+$/u.test(version))).toEqual(
    [],
  );
  expect(Object.keys(scripts).filter((name) => ON_ARRIVAL.includes(name))).toEqual([]);
  const { packages } = Lock.parse(JSON.parse(textOf('package-lock.json')));
  const places = Object.entries(packages).filter(([place]) => place !== '');
  expect(places.length).toBeGreaterThan(100);
  expect(places.filter(([, one]) => one.integrity === undefined || one.hasInstallScript === true)).toEqual(
    [],
  );
  for (const [place, { version }] of places) {
    const manifest = `${place}/package.json`;
    if (!existsSync(new URL(manifest, PROJECT))) continue;
    const installed = Manifest.parse(JSON.parse(textOf(manifest)));
    expect([place, installed.version]).toEqual([place, version]);
    expect([
      place,
      ...Object.keys(installed.scripts).filter((name) => ON_ARRIVAL.slice(0, 3).includes(name)),
    ]).toEqual([place]);
  }
  // Written on one machine, a lock may lack the builds for all others; `npm ci` then fails everywhere.
  const optional = places.flatMap(([, one]) => Object.keys(one.optionalDependencies));
  expect(
    optional.filter((name) => !places.some(([place]) => place.endsWith(`node_modules/${name}`))),
  ).toEqual([]);
});
