// Who may do what in a PostgreSQL database, how accounts prove themselves, and how a connection is secured.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StateFault } from '../../../src/state/driver.ts';
import { openPostgres } from '../../../src/state/postgres.ts';
import type { PostgresOptions } from '../../../src/state/postgres-target.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../harness/postgres.ts';
import { type TempRoot, tempRoot } from '../../harness/temp-root.ts';
import { at, event } from '../events.mjs';
import { beginDirect, isFault, keep, requireWhole } from '../ground.ts';
import { makeState, openOn } from './open.ts';

const PASSWORD = 'correct-horse-battery';

describe.runIf(hasPostgres)('an account of a server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = startPostgres({ access: ['local all locked scram-sha-256'] });
    server.sql('CREATE ROLE server LOGIN; CREATE ROLE stranger LOGIN');
    server.sql(`CREATE ROLE locked LOGIN PASSWORD '${PASSWORD}'; CREATE ROLE "od""d" LOGIN`);
    await makeState(server, 'state', 'server');
    const driver = await openPostgres(server.options('state'));
    for (const role of ['server', 'locked', 'od"d']) await driver.grantTo(role);
    await driver.close();
    const store = await openOn(server.options('state', 'server'));
    await keep(store);
    await beginDirect(store);
    await store.close();
  });
  afterAll(() => server.remove());

  it.each([
    ...['trail', 'identity', 'previews', 'texts'].flatMap((table) => [
      `TRUNCATE config_airlock.${table} CASCADE`,
      `ALTER TABLE config_airlock.${table} DISABLE TRIGGER ALL`,
      `DROP TABLE config_airlock.${table} CASCADE`,
    ]),
    'DELETE FROM config_airlock.trail',
    "UPDATE config_airlock.trail SET body = '{}'",
    "UPDATE config_airlock.trail SET about = ''",
    'SELECT FROM config_airlock.trail FOR UPDATE',
    `INSERT INTO config_airlock.trail SELECT * FROM config_airlock.trail ON CONFLICT (seq) DO UPDATE SET body = ''`,
    "INSERT INTO config_airlock.identity (name, value) VALUES ('a', 'b')",
    "UPDATE config_airlock.identity SET value = '0'",
    'DELETE FROM config_airlock.identity',
    'CREATE TABLE config_airlock.mine (a integer)',
    'DROP SCHEMA config_airlock CASCADE',
  ])('cannot: %s', (statement) => {
    expect(() => server.sql(`SET ROLE server; ${statement}`, 'state')).toThrow(
      /permission denied|must be owner/u,
    );
  });

  it('cannot erase, and says why', async () => {
    const store = await openOn(server.options('state', 'server'));
    const why = { cause: { message: 'only the owner of the schema can do this' } };
    await expect(store.erase(at(-9), event('erased'))).rejects.toMatchObject({
      ...isFault('unreachable'),
      ...why,
    });
    await store.close();
  });

  it.each([
    { what: 'has no rights there', database: 'state', account: 'stranger', says: 'permission denied' },
    {
      what: 'finds no schema and may make none',
      database: 'postgres',
      account: 'stranger',
      says: 'permission denied',
    },
    { what: 'names no database', database: 'none', account: 'server', says: '3D000' },
    { what: 'is none', database: 'state', account: 'nobody', says: '28000' },
    { what: 'has another password', database: 'state', account: 'locked:wrong-secret', says: '28P01' },
  ])('that $what is told so, without any password', async ({ database, account, says }) => {
    const refusal = await openOn(server.options(database, account)).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StateFault);
    expect(refusal).toMatchObject({ kind: 'unreachable', cause: { message: expect.stringContaining(says) } });
    const said = inspect(refusal, { depth: 9, showHidden: true });
    for (const secret of [PASSWORD, 'wrong-secret']) expect(said).not.toContain(secret);
  });

  it('proves itself by the password that is in the address, the variable or the password file', async () => {
    const options = (fields: Partial<PostgresOptions> = {}) => ({
      ...server.options('state', 'locked'),
      ...fields,
    });
    const file = `${server.socket}:*:state:locked:${PASSWORD}\n`;
    for (const given of [
      server.options('state', `locked:${PASSWORD}`),
      options({ environment: { PGPASSWORD: PASSWORD } }),
      options({
        readFile: (path) => (path === '/nonexistent/.pgpass' ? { text: file, isPrivate: true } : undefined),
      }),
    ]) {
      const store = await openOn(given);
      expect(inspect(store, { depth: 9, showHidden: true })).not.toContain(PASSWORD);
      await store.close();
    }
  });

  it('says nothing of the values that a statement had, where the server says them', async () => {
    const store = await openOn(server.options('state', 'server'));
    const refusal = await store.dropExpired('2026\u0000secret').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Error);
    expect(inspect(refusal, { depth: 9, showHidden: true })).not.toContain('secret');
    await store.close();
  });
});

describe.runIf(hasPostgres)('a database', () => {
  let server: PostgresServer;
  beforeAll(() => {
    server = startPostgres();
  });
  afterAll(() => server.remove());

  it('becomes a state once, whoever comes first', async () => {
    for (let round = 0; round < 5; round += 1) {
      server.sql(`CREATE DATABASE first${round}`);
      const stores = await Promise.all([1, 2, 3, 4].map(() => openOn(server.options(`first${round}`))));
      expect(new Set(stores.map(({ id, maskingKey }) => `${id} ${maskingKey}`)).size).toBe(1);
      for (const store of stores) await store.close();
    }
  });

  it('holds several states, each in a schema of its own', async () => {
    const options = server.options('postgres');
    const other = { ...options, url: `${options.url}&schema=other` };
    const [one, two] = [await openOn(options), await openOn(other)];
    expect(one.id).not.toBe(two.id);
    const { id } = await keep(one);
    expect(await two.find(id)).toBeUndefined();
    for (const store of [one, two]) await store.close();
    const bad = { ...options, url: `${options.url}&schema=a"b` };
    await expect(openOn(bad)).rejects.toThrow('The name of a schema');
  });

  it('whose schema holds something else is refused, and stays as it is', async () => {
    server.sql('CREATE DATABASE foreign_one');
    server.sql('CREATE SCHEMA config_airlock; CREATE TABLE config_airlock.trail (a integer)', 'foreign_one');
    await expect(openOn(server.options('foreign_one'))).rejects.toMatchObject({ kind: 'damaged' });
    expect(server.sql('SELECT count(*) FROM config_airlock.trail', 'foreign_one')).toBe('0');
  });

  const canMount = process.getuid?.() === 0 && process.platform === 'linux';
  it.runIf(canMount)(
    'on a full disk refuses what does not fit, and goes on where there is room again',
    async () => {
      const { dir, remove } = tempRoot();
      chmodSync(dir, 0o755);
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m,mode=0777', 'airlock-test', dir]);
      } catch {
        remove();
        return;
      }
      try {
        const { uid, gid } = statSync(server.data);
        chownSync(dir, uid, gid);
        server.sql('CREATE DATABASE small');
        server.sql(`CREATE TABLESPACE small LOCATION '${dir}'`);
        server.sql("ALTER DATABASE small SET default_tablespace = 'small'");
        const store = await openOn(server.options('small'));
        const first = await keep(store);
        const text = Array.from({ length: 200_000 }, (_, n) =>
          String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000)),
        ).join('');
        const fill = async () => {
          for (let n = 0; n < 100; n += 1) await keep(store, { texts: [`${n}${text}`] });
        };
        await expect(fill()).rejects.toMatchObject(isFault('full'));
        expect((await store.find(first.id))?.preview).toBeDefined();
        execFileSync('mount', ['-o', 'remount,size=60m', dir]);
        expect((await keep(store, { texts: [text] })).answer).toBe('kept');
        await requireWhole(store);
        await store.close();
        server.sql('DROP DATABASE small WITH (FORCE)');
        server.sql('DROP TABLESPACE small');
      } finally {
        execFileSync('umount', ['-l', dir]);
        remove();
      }
    },
  );
});

describe.runIf(hasPostgres && makesCertificates())('an encrypted connection', () => {
  let server: PostgresServer;
  let root: TempRoot;
  beforeAll(async () => {
    root = tempRoot();
    makeCertificates(root.dir);
    const file = (name: string) => readFileSync(join(root.dir, name), 'utf8');
    server = startPostgres({
      port: await freePort(),
      settings: [
        'ssl = on',
        "ssl_cert_file = 'DIR/server.crt'",
        "ssl_key_file = 'DIR/server.key'",
        "ssl_ca_file = 'DIR/ca.crt'",
      ],
      access: ['hostssl all certified 127.0.0.1/32 cert', 'hostnossl all all 127.0.0.1/32 reject'],
      files: { 'server.crt': file('server.crt'), 'server.key': file('server.key'), 'ca.crt': file('ca.crt') },
    });
    server.sql('CREATE ROLE certified LOGIN SUPERUSER');
  });
  afterAll(() => {
    server.remove();
    root.remove();
  });

  const options = (query: string, account = 'owner', host = '127.0.0.1'): PostgresOptions => ({
    ...server.options('postgres'),
    url: `postgres://${account}@${host}:${server.port}/postgres?${query}`,
    readFile: (path) => ({ text: readFileSync(join(root.dir, path), 'utf8'), isPrivate: true }),
  });
  const none = { readFile: () => undefined };

  it.each([
    { query: 'sslmode=prefer', account: 'owner' },
    { query: 'sslmode=require', account: 'owner' },
    { query: 'sslmode=verify-ca&sslrootcert=ca.crt', account: 'owner' },
    { query: 'sslmode=verify-full&sslrootcert=ca.crt', account: 'owner' },
    {
      query: 'sslmode=verify-full&sslrootcert=ca.crt&sslcert=client.crt&sslkey=client.key',
      account: 'certified',
    },
  ])('is made with $query', async ({ query, account }) => {
    const isPlain = !query.includes('root');
    const store = await openOn({
      ...options(query, account),
      ...(isPlain ? none : withoutDefaults()),
    });
    expect(await store.head()).toBeDefined();
    expect(
      server.sql(
        "SELECT count(*) > 0 FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE ssl AND application_name = 'config-airlock'",
      ),
    ).toBe('t');
    await store.close();
  });

  it.each([
    { what: 'is not wanted', query: 'sslmode=disable', host: '127.0.0.1' },
    {
      what: 'leads to a server of another authority',
      query: 'sslmode=verify-ca&sslrootcert=other.crt',
      host: '127.0.0.1',
    },
    {
      what: 'leads to a server of another name',
      query: 'sslmode=verify-full&sslrootcert=ca.crt',
      host: '127.0.0.2',
    },
    { what: 'is proven by authorities that everybody knows', query: 'sslrootcert=system', host: '127.0.0.1' },
  ])('is not made where it $what', async ({ query, host }) => {
    await expect(openOn({ ...options(query, 'owner', host), ...withoutDefaults() })).rejects.toMatchObject({
      ...{ name: 'StateFault', kind: 'unreachable' },
    });
  });

  function withoutDefaults(): Pick<PostgresOptions, 'readFile'> {
    return { readFile: (path) => (path.startsWith('/') ? undefined : options('').readFile(path)) };
  }
});

function makesCertificates(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function makeCertificates(dir: string): void {
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: dir, stdio: 'ignore' });
  const key = (name: string) => ['-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`, '-days', '2'];
  for (const name of ['ca', 'other'])
    openssl('req', '-x509', ...key(name), '-out', `${name}.crt`, '-subj', `/CN=${name}`);
  for (const [name, subject, extra] of [
    ['server', '/CN=server', ['-addext', 'subjectAltName=IP:127.0.0.1']],
    ['client', '/CN=certified', []],
  ] as const)
    openssl(
      'req',
      '-x509',
      '-CA',
      'ca.crt',
      '-CAkey',
      'ca.key',
      ...key(name),
      '-out',
      `${name}.crt`,
      '-subj',
      subject,
      ...extra,
      '-addext',
      'basicConstraints=critical,CA:FALSE',
    );
}

/** One that nobody listens on now. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
