// Reads the password file of libpq, with lines of host:port:database:user:password. The first line that matches counts. `*` matches
// anything, and a backslash escapes a colon or a backslash.
import type { PostgresOptions } from './options.ts';

interface Server {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/** The default folders for sockets. In the password file they are called `localhost`. */
const SOCKET_FOLDERS = ['/var/run/postgresql', '/run/postgresql', '/tmp'];

/** Returns the password; undefined if the file has none. Throws a plain Error for a file that others can read. */
export function passwordIn(
  { host, port, database, user }: Server,
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
