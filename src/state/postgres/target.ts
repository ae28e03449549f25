// Finds server, database, account and encryption as libpq does, from the address, the PG… variables and the files that these name.
// Settings of libpq that are not supported are refused, and never ignored.
import type { PostgresOptions } from './options.ts';
import { passwordIn } from './password-file.ts';
import { type SslMode, sslModeOf } from './tls.ts';

export interface Target {
  /** The host; where it begins with a slash, it is the folder with the server's socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly applicationName: string;
  /** The schema; undefined for the usual one. */
  readonly schema: string | undefined;
  readonly connectSeconds: number;
  readonly sslMode: SslMode;
  /** Reads a setting from the address, or else from its variable; undefined if neither has it. */
  setting(name: string): string | undefined;
}

/** The parameters of an address, and the variable for each that the address does not have. */
const VARIABLES: Readonly<Record<string, string>> = {
  host: 'PGHOST',
  port: 'PGPORT',
  dbname: 'PGDATABASE',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  passfile: 'PGPASSFILE',
  application_name: 'PGAPPNAME',
  connect_timeout: 'PGCONNECT_TIMEOUT',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
};

/** A parameter that libpq does not have. */
const SCHEMA = 'schema';

/** The settings that are not supported, each with the harmless values. Any other value is refused, because it may ask for a protection. */
const UNSUPPORTED: Readonly<Record<string, readonly string[]>> = {
  PGCHANNELBINDING: ['disable', 'prefer'],
  PGGSSENCMODE: ['disable', 'allow', 'prefer'],
  PGHOSTADDR: [],
  PGOPTIONS: [],
  PGREQUIREAUTH: [],
  PGREQUIREPEER: [],
  PGREQUIRESSL: ['0'],
  PGSERVICE: [],
  PGSSLCRL: [],
  PGSSLCRLDIR: [],
  PGSSLMINPROTOCOLVERSION: ['TLSv1', 'TLSv1.1', 'TLSv1.2'],
  PGSSLNEGOTIATION: ['postgres'],
  PGTARGETSESSIONATTRS: ['any', 'read-write'],
};

const ADDRESS =
  /^postgres(?:ql)?:\/\/(?:([^:@/?#]*)(?::([^@/?#]*))?@)?(\[[^\]/?#]*\]|[^:/?#]*)(?::(\d*))?(?:\/([^?#]*))?(?:\?([^#]*))?$/u;

/** Returns the target. Throws a plain Error that names the fault in the address or the variables, never a password. */
export function targetOf(options: PostgresOptions): Target {
  const given = parametersIn(options.url);
  for (const [name, harmless] of Object.entries(UNSUPPORTED))
    if (options.environment[name] && !harmless.includes(options.environment[name]))
      throw new Error(`${name} is not supported: unset it`);
  const setting = (name: string) =>
    given.get(name) || options.environment[VARIABLES[name] ?? ''] || undefined;
  const host = setting('host') ?? (process.platform === 'linux' ? '/var/run/postgresql' : 'localhost');
  if (host.includes(',')) throw new Error('Several hosts are not supported: name one');
  const user = setting('user') ?? options.account.name;
  const place = { host, port: numberOf('port', setting('port') ?? '5432', 65_535), user };
  const database = setting('dbname') ?? user;
  return {
    ...place,
    ...{ database, setting },
    password: setting('password') ?? passwordIn({ ...place, database }, setting('passfile'), options) ?? '',
    applicationName: setting('application_name') ?? 'config-airlock',
    schema: given.get(SCHEMA),
    connectSeconds: numberOf('connect_timeout', setting('connect_timeout') ?? '10', 3_600) || 10,
    sslMode: sslModeOf(setting),
  };
}

/** Returns the address without the password, for people. */
export function addressOf({ host, port, user, database }: Target): string {
  const account = `${encodeURIComponent(user)}@`;
  const place = host.startsWith('/') ? `:${port}` : `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const folder = host.startsWith('/') ? `?host=${encodeURI(host)}` : '';
  return `postgres://${account}${place}/${encodeURIComponent(database)}${folder}`;
}

function parametersIn(url: string): ReadonlyMap<string, string> {
  const parts = ADDRESS.exec(url);
  if (parts === null)
    throw new Error('The address of a PostgreSQL server is postgres://user@host:port/database');
  const [user, password, host, port, dbname] = parts.slice(1, 6).map((part) => part && decoded(part));
  const named = { user, password, host: host?.replace(/^\[|\]$/gu, ''), port, dbname };
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(named)) if (value) found.set(name, value);
  for (const pair of (parts[6] ?? '').split('&').filter(Boolean)) {
    const [name = '', value = ''] = pair.split(/=(.*)/su).map(decoded);
    if (!Object.hasOwn(VARIABLES, name) && name !== SCHEMA)
      throw new Error(`"${name}" is no parameter of an address that is supported`);
    found.set(name, value);
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('The address of the PostgreSQL server holds a % that encodes nothing: write %25');
  }
}

function numberOf(name: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^\d+$/u.test(text) || value > most) throw new Error(`${name} is no number up to ${most}`);
  return value;
}
