// Which server, database and account is meant, and how the connection is secured: read as libpq reads it, from the address,
// the PG… variables and the files that these name. What libpq knows and this does not is refused, never ignored.
import type { PostgresOptions } from './options.ts';
import { passwordIn } from './password-file.ts';
import { type SslMode, sslModeOf } from './tls.ts';

export interface Target {
  /** A folder, where it begins with a slash: then the server listens on a socket in it. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly applicationName: string;
  /** Undefined for the usual one. */
  readonly schema: string | undefined;
  readonly connectSeconds: number;
  readonly sslMode: SslMode;
  /** Reads what the address says, else the variable, else nothing. */
  setting(name: string): string | undefined;
}

/** Parameters of an address, and the variable that stands for each where the address has none. */
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

/** A parameter of ours, beside those of libpq. */
const SCHEMA = 'schema';

/** Whoever sets one of these to more than such a value expects something of the connection that it would not have. */
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

/** Throws a plain Error that says what is wrong with the address or the variables; a password is in none. */
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

/** For people: where it is, without the password. */
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
