// The examples of packaging/ for a server over HTTP: the server starts with the very arguments and variables that stand there, on
// a PostgreSQL of this machine. Only places are others: folders, the database, the port. No container was run.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ALL_OPTIONS } from '../src/cli/settings/options.ts';
import { end } from './harness/end.ts';
import { jsonLines } from './harness/json-lines.ts';
import { hasPostgres, type PostgresServer, startPostgres } from './harness/postgres.ts';
import { lineOf, tokenOf } from './harness/start-http.ts';
import { CLI } from './harness/start-process.ts';
import { tempRoot } from './harness/temp-root.ts';
import { eventually } from './harness/wait.ts';

const PASSWORD = 'correct-horse-battery';
const textOf = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

const compose = parse(textOf('packaging/compose/compose.yaml')).services.server;
const kinds = parseAllDocuments(textOf('packaging/kubernetes/config-airlock.yaml')).map((one) => one.toJS());
const set = kinds.find(({ kind }) => kind === 'StatefulSet').spec;
const pod = set.template.spec;
const [container] = pod.containers;
const probe = container.readinessProbe.httpGet;

const DEPLOYMENTS: readonly {
  name: string;
  args: readonly string[];
  env: readonly string[];
  path: string;
  host: string;
}[] = [
  {
    name: 'compose',
    args: compose.command,
    env: Object.keys(compose.environment),
    path: new URL(/'(http:[^']+)'/u.exec(compose.healthcheck.test.join(' '))?.[1] ?? '').pathname,
    host: '127.0.0.1',
  },
  {
    name: 'kubernetes',
    args: container.args,
    env: container.env.map(({ name }: { name: string }) => name),
    path: probe.path,
    host: probe.httpHeaders[0].value,
  },
];

describe('what is promised beside the arguments', () => {
  it.each(DEPLOYMENTS)('$name names options that exist, and stays short', ({ args }) => {
    const names = ALL_OPTIONS.map(({ name }) => `--${name}`);
    expect(args[0]).toBe('serve');
    for (const arg of args.slice(1)) expect(names).toContain(arg.replace(/=.*$/su, ''));
    for (const file of ['compose/compose.yaml', 'kubernetes/config-airlock.yaml'])
      expect(textOf(`packaging/${file}`).split('\n').length).toBeLessThanOrEqual(121);
  });

  it('neither runs as root, writes to its image, or keeps the folder for the life of a container only', () => {
    expect(compose).toMatchObject({ user: '1000:1000', read_only: true, cap_drop: ['ALL'] });
    expect(compose.volumes).toContain('./config:/srv/config');
    expect(compose.hostname).toBeTruthy();
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container.securityContext).toEqual({
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    });
    const claims = set.volumeClaimTemplates.map(
      (claim: { metadata: { name: string } }) => claim.metadata.name,
    );
    const mounts = container.volumeMounts.map(({ name }: { name: string }) => name);
    expect(mounts).toEqual([...claims, 'secret']);
    expect(container.livenessProbe).toEqual(container.readinessProbe);
    expect(container.ports[0]).toMatchObject({ name: probe.port, containerPort: 8080 });
    // It must be there for longer than the server answers what is under way.
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(20);
  });
});

describe.runIf(hasPostgres)('a server with the arguments and variables', () => {
  let postgres: PostgresServer;
  beforeAll(() => {
    postgres = startPostgres({ access: ['local all airlock,airlock_server scram-sha-256'] });
    for (const role of ['airlock', 'airlock_server'])
      postgres.sql(`CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
  });
  afterAll(() => postgres.remove());

  it.each(DEPLOYMENTS)(
    'of $name answers its probe and previews a change',
    async ({ name, args, env, path, host }) => {
      const role = /postgres:\/\/(\w+)@/u.exec(args.join(' '))?.[1] ?? '';
      postgres.sql(`CREATE DATABASE ${name} OWNER ${role}`);
      const token = tokenOf();
      const place = tempRoot({
        'files/a.yaml': 'a: 1\n',
        tokens: lineOf('ann', 'config:write', '2999-12-31', token),
      });
      onTestFinished(() => place.remove());
      const at = (file: string) => join(place.dir, file);
      const state = `postgres://${role}@/${name}?host=${postgres.socket}&port=${postgres.port}`;
      const here = args.map((arg) =>
        arg
          .replace('0.0.0.0:8080', '0.0.0.0:0')
          .replace('/etc/airlock/tokens', at('tokens'))
          .replace('/var/lib/config-airlock', at('journal'))
          .replace(/\/srv\/config(?:\/files)?/u, at('files'))
          .replace(/postgres:.*/su, state),
      );
      const ofImage = [...textOf('Dockerfile').matchAll(/(AIRLOCK_\w+)=(\S+)/gu)].map(([, key, value]) => [
        key,
        value,
      ]);
      const out = openSync(at('log'), 'a', 0o600);
      const child = spawn(process.execPath, [CLI, ...here], {
        env: {
          ...Object.fromEntries(ofImage),
          ...Object.fromEntries(env.map((one) => [one, PASSWORD])),
          HOME: '/nonexistent',
        },
        stdio: ['ignore', out, out],
      });
      closeSync(out);
      onTestFinished(() => end(child));
      const port = await eventually(() => {
        const log = readFileSync(at('log'), 'utf8');
        const found = jsonLines(log).find(({ event }) => event === 'listening');
        if (found === undefined) throw new Error(`it does not listen: ${log}`);
        return Number(found['port']);
      });
      expect((await ask({ port, path, host })).status).toBe(200);
      const call = {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'config_set', arguments: { file: '@config/a.yaml', path: 'a', json: 2 } },
      };
      const answer = await ask({ port, path: '/mcp', host, token, body: JSON.stringify(call) });
      expect(answer.text).toContain('preview_id');
      expect(postgres.sql('SELECT count(*) FROM config_airlock.previews', name)).toBe('1');
    },
  );
});

interface Asked {
  readonly port: number;
  readonly path: string;
  readonly host: string;
  readonly token?: string;
  readonly body?: string;
}

/** Sends a request with a `Host` of its own, as a probe does. */
function ask({
  port,
  path,
  host,
  token,
  body,
}: Asked): Promise<{ status: number | undefined; text: string }> {
  const headers = {
    ...{ host, accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, method: body === undefined ? 'GET' : 'POST', headers },
      (got) => {
        const parts: Buffer[] = [];
        got.on('data', (part: Buffer) => parts.push(part));
        got.on('end', () => resolve({ status: got.statusCode, text: Buffer.concat(parts).toString() }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
