// What the documents tell people to copy does what they say: the recipe for OpenTelemetry, and the workflow of policy check.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { sectionOf } from './documents/tables.ts';
import { REPOSITORY } from './harness/installed-package.ts';
import { CLI } from './harness/start-process.ts';
import { tempRoot } from './harness/temp-root.ts';

const textOf = (file: string): string => readFileSync(join(REPOSITORY, file), 'utf8');

function folder(files: Parameters<typeof tempRoot>[0]): (name: string) => string {
  const place = tempRoot(files);
  onTestFinished(() => place.remove());
  return (name) => join(place.dir, name);
}

/** The part of the SDK that the recipe starts; it prints what an exporter would send. */
const SDK = `import { propagation, trace } from '@opentelemetry/api';
export class NodeSDK {
  start() {
    propagation.setGlobalPropagator({
      fields: () => [],
      inject: () => undefined,
      extract: (context, carrier) => ({ ...context, traceparent: carrier.traceparent }),
    });
    const startSpan = (name, options, parent) => ({
      setStatus: ({ code }) => process.stderr.write('status ' + code + '\\n'),
      end: (time) => process.stderr.write(JSON.stringify([name, options, parent, time]) + '\\n'),
    });
    trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) });
  }
}
`;

it('the recipe for OpenTelemetry makes a span of a call, below that of the client', () => {
  const [, recipe = ''] =
    /```js\n(.*?)```/su.exec(sectionOf(textOf('docs/monitoring.md'), 'telemetry') ?? '') ?? [];
  const at = folder({
    'root/a.yaml': 'a: 1\n',
    'telemetry.mjs': recipe,
    'node_modules/@opentelemetry/sdk-node/package.json': '{"type":"module","exports":"./index.js"}',
    'node_modules/@opentelemetry/sdk-node/index.js': SDK,
  });
  symlinkSync(join(REPOSITORY, 'node_modules/@opentelemetry/api'), at('node_modules/@opentelemetry/api'));
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const clientInfo = { name: 't', version: '1' };
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    {
      ...{ id: 2, method: 'tools/call' },
      params: { name: 'config_get', arguments: { file: 'b.yaml' }, _meta: { traceparent } },
    },
  ];
  const args = ['--import', at('telemetry.mjs'), CLI, '--root', at('root'), '--read-only', '--quiet'];
  const { stderr } = spawnSync(process.execPath, args, {
    input: messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''),
    encoding: 'utf8',
  });
  expect(stderr).toContain(
    'status 2\n["tools/call config_get",{"kind":1,"attributes":{"mcp.method.name":"tools/call"',
  );
  expect(stderr).toContain('"config_airlock.code":"FILE_NOT_FOUND"');
  expect(stderr).toContain(`"traceparent":"${traceparent}"}`);
});

const workflow = z.object({
  jobs: z.object({ 'policy-check': z.object({ steps: z.array(z.object({ run: z.string().optional() })) }) }),
});

it.each([
  { replicas: 3, status: 0, says: '' },
  { replicas: 30, status: 0, says: '::notice::A person has to approve' },
  { replicas: -1, status: 3, says: '' },
])('the workflow answers $status where replicas become $replicas', ({ replicas, status, says }) => {
  const { jobs } = workflow.parse(parse(textOf('packaging/github/policy-check.yml')));
  const script = jobs['policy-check'].steps.flatMap(({ run }) => run ?? []).join('\n');
  const at = folder({
    'web.yaml': 'replicas: 2 # two\n',
    'policy.yaml': `default: deny
rules:
  - { id: few, paths: [replicas], value: { minimum: 1, maximum: 10 }, then: preview, else: human }
  - { id: none, paths: [replicas], value: { maximum: 0 }, then: deny, else: direct }
`,
  });
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: at('.'),
      encoding: 'utf8',
    }).trim();
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'base');
  const base = git('rev-parse', 'HEAD');
  writeFileSync(at('web.yaml'), `replicas: ${replicas} # two\n`);
  // The policy of the base counts, and not the one in the folder.
  writeFileSync(at('policy.yaml'), 'default: direct\nrules: []\n');
  // Neither does a judge that the pull request brings.
  for (const place of ['node_modules/config-airlock/bundle/cli.js', 'node_modules/.bin/config-airlock']) {
    mkdirSync(dirname(at(place)), { recursive: true });
    writeFileSync(at(place), '#!/usr/bin/env node\nconsole.log("judged itself");\n', { mode: 0o755 });
  }
  git('add', '-f', 'web.yaml', 'node_modules');
  git('commit', '-qm', 'change');
  mkdirSync(at('temp'));
  const install = `mkdir -p node_modules/config-airlock && ln -s "${dirname(CLI)}" node_modules/config-airlock/`;
  const ours = script.replace(/npm install .*/u, install);
  expect(ours).not.toBe(script);
  const env = {
    ...process.env,
    BASE: base,
    HEAD: git('rev-parse', 'HEAD'),
    POLICY: 'policy.yaml',
    RUNNER_TEMP: at('temp'),
    GITHUB_WORKSPACE: at('.'),
  };
  const ended = spawnSync('bash', ['-e', '-c', ours], { cwd: at('.'), env, encoding: 'utf8' });
  expect(ended).toMatchObject({ status });
  expect(ended.stdout).toContain(says);
  expect(ended.stdout).not.toContain('judged itself');
  expect(ended.stderr).toMatch(
    /^Judged by config-airlock \d+\.\d+\.\d+ \(.*judge\/node_modules.*cli\.js\)/mu,
  );
});
