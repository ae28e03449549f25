// Where a PostgreSQL server is, and how to get in, as libpq finds it: from the address, the PG… variables and the files that these name.
// Settings of libpq that are not supported are refused, and never ignored. This layer reads neither files nor the environment.
import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/** A file of the operator, as it was read. */
export interface OperatorFile {
  readonly text: string;
  /** True if only its owner, or root, can read it. */
  readonly isPrivate: boolean;
}

export interface PostgresOptions {
  /**
   * An address such as `postgres://user@host:port/database?sslmode=verify-full`; a socket is given as
   * `?host=/var/run/postgresql`. `?schema=` names the schema of the tables.
   */
  readonly url: string;
  /** The PG… variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The user of the operating system, and the folder with `.pgpass` and `.postgresql/`. */
  readonly account: { readonly name: string; readonly home: string };
  /** Reads a file; undefined if it does not exist. */
  readonly readFile: (path: string) => OperatorFile | undefined;
}

interface TlsOptions {
  readonly servername?: string;
  readonly rejectUnauthorized: boolean;
  readonly checkServerIdentity: (name: string, certificate: PeerCertificate) => Error | undefined;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
/** Reads a setting from the address, or else from its variable; undefined if neither has it. */
type Setting = (name: string) => string | undefined;

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
  /** The options of TLS; undefined if it is not used, and `prefer` where it is used if the server supports it. */
  readonly tls: TlsOptions | 'prefer' | undefined;
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
    database,
    password: setting('password') ?? passwordIn({ ...place, database }, setting('passfile'), options) ?? '',
    applicationName: setting('application_name') ?? 'config-airlock',
    schema: given.get(SCHEMA),
    connectSeconds: numberOf('connect_timeout', setting('connect_timeout') ?? '10', 3_600) || 10,
    tls: tlsOf(host, setting, options),
  };
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

/** The default folders for sockets. In the password file they are called `localhost`. */
const SOCKET_FOLDERS = ['/var/run/postgresql', '/run/postgresql', '/tmp'];

/** Returns the password; undefined if the file has none. Throws a plain Error for a file that others can read. */
function passwordIn(
  { host, port, database, user }: Pick<Target, 'host' | 'port' | 'database' | 'user'>,
  named: string | undefined,
  { readFile, account }: Pick<PostgresOptions, 'readFile' | 'account'>,
): string | undefined {
  const file = readFile(named ?? `${account.home}/.pgpass`);
  if (file === undefined) return undefined;
  if (!file.isPrivate) throw new Error('The password file can be read by others: set its mode to 0600');
  const wanted = [SOCKET_FOLDERS.includes(host) ? 'localhost' : host, String(port), database, user];
  for (const line of file.text.split(/\r?\n/u)) {
    if (line.startsWith('#')) continue;
    const fields = (line.match(/(?:^|:)((?:\\.|[^:\\])*)/gsu) ?? []).map((field, index) =>
      index === 0 ? field : field.slice(1),
    );
    const fits = wanted.every((value, index) => fields[index] === '*' || unescaped(fields[index]) === value);
    if (fits && fields.length >= 5) return unescaped(fields[4]);
  }
  return undefined;
}

function unescaped(field: string | undefined): string | undefined {
  return field?.replace(/\\(.)/gsu, '$1');
}

/** Reads the mode. Throws a plain Error for an unknown mode, and for `sslrootcert=system` with a mode that does not check the name. */
function sslModeOf(setting: Setting): (typeof MODES)[number] {
  const isSystem = setting('sslrootcert') === 'system';
  const text = setting('sslmode') ?? (isSystem ? 'verify-full' : 'prefer');
  const mode = MODES.find((one) => one === text);
  if (mode === undefined) throw new Error(`sslmode is one of ${MODES.join(', ')}`);
  if (isSystem && mode !== 'verify-full') throw new Error('sslrootcert=system needs sslmode=verify-full');
  return mode;
}

function tlsOf(host: string, setting: Setting, { readFile, account }: PostgresOptions): Target['tls'] {
  const mode = sslModeOf(setting);
  if (mode === 'disable' || host.startsWith('/')) return undefined;
  const folder = `${account.home}/.postgresql`;
  const named = setting('sslrootcert');
  const root = named === 'system' ? undefined : readFile(named ?? `${folder}/root.crt`)?.text;
  if (named !== undefined && named !== 'system' && root === undefined)
    throw new Error('The file of sslrootcert cannot be read');
  const client = clientCertificate(setting, readFile, folder);
  const isOptional = mode === 'allow' || mode === 'prefer';
  if (isOptional && root === undefined && client.cert === undefined) return 'prefer';
  const isVerified = mode === 'verify-ca' || mode === 'verify-full';
  if (isVerified && named !== 'system' && root === undefined)
    throw new Error(
      `sslmode=${mode} needs the certificate of the authority: set sslrootcert, or sslrootcert=system`,
    );
  return {
    ...(/^[\d.]+$|:/u.test(host) ? {} : { servername: host }),
    // As in libpq, the certificate of an authority, where there is one, is always checked.
    rejectUnauthorized: isVerified || root !== undefined,
    checkServerIdentity: (_, certificate) =>
      mode === 'verify-full' ? checkServerIdentity(host, certificate) : undefined,
    ...(root === undefined ? {} : { ca: root }),
    ...client,
  };
}

function clientCertificate(
  setting: Setting,
  readFile: PostgresOptions['readFile'],
  folder: string,
): { readonly cert?: string; readonly key?: string } {
  const named = setting('sslcert');
  const cert = readFile(named ?? `${folder}/postgresql.crt`)?.text;
  if (cert === undefined && named !== undefined) throw new Error('The file of sslcert cannot be read');
  if (cert === undefined) return {};
  const key = readFile(setting('sslkey') ?? `${folder}/postgresql.key`);
  if (key === undefined) throw new Error('The key of the certificate cannot be read: set sslkey');
  if (!key.isPrivate) throw new Error('The file of sslkey can be read by others: set its mode to 0600');
  return { cert, key: key.text };
}
