// Addresses, PG… variables, the password file and certificates, as users of libpq expect them to be read.
import { describe, expect, it } from 'vitest';
import type { OperatorFile, PostgresOptions } from '../../../src/state/postgres-target.ts';
import { targetOf } from '../../../src/state/postgres-target.ts';

interface Given {
  readonly environment?: PostgresOptions['environment'];
  readonly files?: Readonly<Record<string, string | OperatorFile>>;
}

function options(url: string, { environment = {}, files = {} }: Given = {}): PostgresOptions {
  const readFile = (path: string) => {
    const file = files[path];
    return typeof file === 'string' ? { text: file, isPrivate: true } : file;
  };
  return { url, environment, account: { name: 'lin', home: '/home/lin' }, readFile };
}

const HOME = '/home/lin';

describe('an address', () => {
  it.each([
    { url: 'postgres://', is: { host: '/var/run/postgresql', port: 5432, user: 'lin', database: 'lin' } },
    { url: 'postgresql://db', is: { host: 'db', port: 5432, user: 'lin', database: 'lin' } },
    { url: 'postgres://ann@db:6432/state', is: { host: 'db', port: 6432, user: 'ann', database: 'state' } },
    { url: 'postgres://ann@db', is: { database: 'ann' } },
    { url: 'postgres://ann:p%40s%2Fs@db/x', is: { user: 'ann', password: 'p@s/s' } },
    { url: 'postgres://[::1]:5433/x', is: { host: '::1', port: 5433 } },
    {
      url: 'postgres:///x?host=/run/pg&port=6000&user=ann',
      is: { host: '/run/pg', port: 6000, user: 'ann', database: 'x' },
    },
    { url: 'postgres://%2Frun%2Fpg/x', is: { host: '/run/pg' } },
    {
      url: 'postgres://db/x?application_name=a%20b&connect_timeout=3',
      is: { applicationName: 'a b', connectSeconds: 3 },
    },
    { url: 'postgres://db/x?connect_timeout=0', is: { connectSeconds: 10 } },
  ])('$url is understood', ({ url, is }) => {
    expect(targetOf(options(url))).toMatchObject(is);
  });

  it.each([
    { url: 'mysql://db/x', says: 'postgres://user@host:port/database' },
    { url: 'postgres://a,b/x', says: 'Several hosts' },
    { url: 'postgres://db:99999/x', says: 'port' },
    { url: 'postgres://db/x?sslmode=yes', says: 'sslmode is one of' },
    { url: 'postgres://db/x?channel_binding=require', says: '"channel_binding"' },
    { url: 'postgres://db/x?options=-c%20a=b', says: '"options"' },
    { url: 'postgres://db/x?__proto__=1', says: '"__proto__"' },
    { url: 'postgres://ann:100%@db/x', says: '%25' },
    { url: 'postgres://db/x?sslmode=require&sslrootcert=system', says: 'needs sslmode=verify-full' },
  ])('$url is refused', ({ url, says }) => {
    expect(() => targetOf(options(url))).toThrow(says);
  });
});

describe('a variable', () => {
  it.each([
    { PGREQUIREAUTH: 'scram-sha-256' },
    { PGCHANNELBINDING: 'require' },
    { PGSSLCRL: '/crl' },
    { PGHOSTADDR: '10.0.0.1' },
    { PGSERVICE: 'x' },
    { PGOPTIONS: '-c x=y' },
    { PGSSLMINPROTOCOLVERSION: 'TLSv1.3' },
    { PGGSSENCMODE: 'require' },
    { PGTARGETSESSIONATTRS: 'standby' },
  ])('that asks for what is not done is refused: %o', (environment) => {
    const [name = ''] = Object.keys(environment);
    expect(() => targetOf(options('postgres://db', { environment }))).toThrow(`${name} is not supported`);
  });
});

describe('the password file', () => {
  const file = [
    '# comment:1:2:3:4',
    'db:5432:state:ann:first',
    'db:*:*:ann:se\\:co\\\\nd',
    'localhost:5432:*:lin:socket',
    '/run/pg:5432:*:lin:folder',
    '*:*:*:*:any',
  ].join('\n');

  it.each([
    { url: 'postgres://ann@db/state', password: 'first' },
    { url: 'postgres://ann@db/other', password: 'se:co\\nd' },
    { url: 'postgres:///x', password: 'socket' },
    { url: 'postgres:///x?host=/run/pg', password: 'folder' },
    { url: 'postgres://eve@elsewhere/x', password: 'any' },
    { url: 'postgres://ann:own@db/state', password: 'own' },
  ])('has a password for $url', ({ url, password }) => {
    expect(targetOf(options(url, { files: { [`${HOME}/.pgpass`]: file } })).password).toBe(password);
    const named = { files: { '/etc/p': file }, environment: { PGPASSFILE: '/etc/p' } };
    expect(targetOf(options(url, named)).password).toBe(password);
  });

  it('that others can read is refused', () => {
    const files = { [`${HOME}/.pgpass`]: { text: file, isPrivate: false } };
    expect(() => targetOf(options('postgres://ann@db/state', { files }))).toThrow('0600');
  });
});

describe('encryption', () => {
  const tls = (url: string, given?: Given) => targetOf(options(url, given)).tls;
  const root = { files: { [`${HOME}/.postgresql/root.crt`]: 'root' } };
  const own = {
    files: { [`${HOME}/.postgresql/postgresql.crt`]: 'crt', [`${HOME}/.postgresql/postgresql.key`]: 'key' },
  };

  it.each([
    { url: 'postgres://db?sslmode=disable', given: root, is: undefined },
    { url: 'postgres:///x?sslmode=verify-full', given: {}, is: undefined },
    { url: 'postgres://db', given: {}, is: 'prefer' },
    { url: 'postgres://db?sslmode=allow', given: {}, is: 'prefer' },
    { url: 'postgres://db?sslmode=require', given: {}, is: { rejectUnauthorized: false, servername: 'db' } },
    { url: 'postgres://db?sslmode=require', given: root, is: { rejectUnauthorized: true, ca: 'root' } },
    { url: 'postgres://db', given: root, is: { rejectUnauthorized: true, ca: 'root' } },
    { url: 'postgres://db', given: own, is: { cert: 'crt', key: 'key' } },
    { url: 'postgres://db?sslmode=verify-ca', given: root, is: { rejectUnauthorized: true, ca: 'root' } },
    { url: 'postgres://db?sslrootcert=system', given: root, is: { rejectUnauthorized: true } },
    {
      url: 'postgres://db?sslmode=verify-full&sslrootcert=/r&sslcert=/c&sslkey=/k',
      given: { files: { '/r': 'r', '/c': 'c', '/k': 'k' } },
      is: { rejectUnauthorized: true, ca: 'r', cert: 'c', key: 'k' },
    },
  ])('of $url is $is', ({ url, given, is }) => {
    const found = tls(url, given);
    if (typeof is === 'object') expect(found).toMatchObject(is);
    else expect(found).toBe(is);
  });

  it.each([
    { url: 'postgres://db?sslmode=verify-full', given: {}, says: 'sslrootcert' },
    { url: 'postgres://db?sslmode=verify-ca&sslrootcert=/none', given: {}, says: 'sslrootcert' },
    { url: 'postgres://db?sslcert=/none', given: {}, says: 'sslcert' },
    { url: 'postgres://db?sslcert=/c', given: { files: { '/c': 'c' } }, says: 'sslkey' },
    {
      url: 'postgres://db?sslcert=/c&sslkey=/k',
      given: { files: { '/c': 'c', '/k': { text: 'k', isPrivate: false } } },
      says: '0600',
    },
  ])('of $url is refused', ({ url, given, says }) => {
    expect(() => tls(url, given)).toThrow(says);
  });
});
