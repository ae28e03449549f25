// Who may do what in a PostgreSQL database, how accounts prove themselves, and how a connection is secured.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openPostgresStore,
  type PostgresOptions,
  StateFault,
  serverGrants,
} from '../../../src/state/index.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../harness/postgres.ts';
import { type TempRoot, tempRoot } from '../../harness/temp-root.ts';
import { begin, keep } from '../ground.ts';
import { at, refused } from '../records.mjs';
import { requireWhole } from '../trail.ts';

const PASSWORD = 'correct-horse-battery';

describe.runIf(hasPostgres)('an account of a server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = startPostgres({ access: ['local all locked scram-sha-256'] });
    server.sql('CREATE ROLE server LOGIN; CREATE ROLE stranger LOGIN; CREATE DATABASE state');
    server.sql(`CREATE ROLE locked LOGIN PASSWORD '${PASSWORD}'`);
    const store = await openPostgresStore(server.options('state'));
    await keep(store);
    await begin(store);
    await store.close();
    for (const role of ['server', 'locked']) server.sql(await serverGrants(role), 'state');
  });
  afterAll(() => server.remove());

  it.each([
    ...['trail', 'head', 'identity', 'previews', 'changes', 'texts', 'text_uses'].flatMap((table) => [
      `DELETE FROM config_airlock.${table}`,
      `TRUNCATE config_airlock.${table}`,
      `ALTER TABLE config_airlock.${table} DISABLE TRIGGER ALL`,
    ]),
    "UPDATE config_airlock.trail SET record = '{}'",
    "INSERT INTO config_airlock.trail (seq, prev, sha256, record) VALUES (99, 'a', 'b', '{}')",
    'UPDATE config_airlock.head SET seq = 0',
    "UPDATE config_airlock.identity SET value = '0'",
    "UPDATE config_airlock.previews SET record = '{}'",
    "UPDATE config_airlock.changes SET record = '{}'",
    "SELECT config_airlock.append_records(ARRAY['{}'])",
    "SELECT config_airlock.drop_changes(ARRAY['x'])",
    "SELECT config_airlock.drop_texts(ARRAY['x'])",
    "SELECT config_airlock.erase_before(ROW(2, 0, '')::config_airlock.seen, '9', ARRAY['', ''])",
    'CREATE TABLE config_airlock.mine (a integer)',
    'DROP SCHEMA config_airlock CASCADE',
  ])('cannot: %s', (statement) => {
    expect(() => server.sql(`SET ROLE server; ${statement}`, 'state')).toThrow(
      /permission denied|must be owner/u,
    );
  });

  it('cannot erase, and says why', async () => {
    const store = await openPostgresStore(server.options('state', 'server'));
    const record = { ...refused(), action: 'erase', outcome: 'applied' } as const;
    await expect(store.erase(at(9), record)).rejects.toMatchObject({
      ...{ kind: 'unreachable', cause: { message: 'only the owner of the schema can erase' } },
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
    const refusal = await openPostgresStore(server.options(database, account)).catch(
      (error: unknown) => error,
    );
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
      const store = await openPostgresStore(given);
      expect(inspect(store, { depth: 9, showHidden: true })).not.toContain(PASSWORD);
      await store.close();
    }
  });

  it('says nothing of the values that a statement had, where the server says them', async () => {
    const store = await openPostgresStore(server.options('state', 'server'));
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
    server.sql('CREATE DATABASE first');
    const stores = await Promise.all([1, 2, 3, 4].map(() => openPostgresStore(server.options('first'))));
    expect(new Set(stores.map(({ id, maskingKey }) => `${id} ${maskingKey}`)).size).toBe(1);
    for (const store of stores) await store.close();
  });

  it('whose schema holds something else is refused, and stays as it is', async () => {
    server.sql('CREATE DATABASE foreign_one');
    server.sql('CREATE SCHEMA config_airlock; CREATE TABLE config_airlock.trail (a integer)', 'foreign_one');
    await expect(openPostgresStore(server.options('foreign_one'))).rejects.toMatchObject({ kind: 'damaged' });
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
        const store = await openPostgresStore(server.options('small'));
        const first = await keep(store);
        const text = Array.from({ length: 200_000 }, (_, n) =>
          String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000)),
        ).join('');
        const fill = async () => {
          for (let n = 0; n < 100; n += 1) await keep(store, { texts: [`${n}${text}`] });
        };
        await expect(fill()).rejects.toMatchObject({ name: 'StateFault', kind: 'full' });
        expect((await store.findPreview(first.id))?.preview).toBeDefined();
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
    const store = await openPostgresStore({
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
    await expect(
      openPostgresStore({ ...options(query, 'owner', host), ...withoutDefaults() }),
    ).rejects.toMatchObject({
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
