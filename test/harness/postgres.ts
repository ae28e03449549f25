// A PostgreSQL server of the tests' own: a cluster in a temporary folder, behind a socket there, run by an account without
// rights. Undefined where none is installed: then the tests that need it skip, and one line says so.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresOptions } from '../../src/state/postgres-target.ts';
import { memoryDisk } from './memory-disk.ts';
import { tempRoot } from './temp-root.ts';

export interface PostgresServer {
  /** The folder of its socket. */
  readonly socket: string;
  readonly port: number;
  /** The folder of its files. */
  readonly data: string;
  /** As the superuser `owner`. Answers what it says, without headers. */
  sql(statements: string, database?: string): string;
  start(): void;
  /** `immediate`: as after a crash. */
  stop(how?: 'fast' | 'immediate'): void;
  /** For `openPostgres`; nothing of this machine's own settings. */
  options(database: string, account?: string): PostgresOptions;
  remove(): void;
}

export interface ServerOptions {
  /** Lines for postgresql.conf. */
  readonly settings?: readonly string[];
  /** Lines for pg_hba.conf, before the one that trusts everybody. */
  readonly access?: readonly string[];
  /** Files beside its data, which it can read. */
  readonly files?: Readonly<Record<string, string>>;
  /** Also on this port of 127.0.0.1. */
  readonly port?: number;
  /** Where its files stand; in memory if it is not said. */
  readonly parent?: string;
}

const BIN = folderOfPrograms();
export const hasPostgres = BIN !== undefined;
if (!hasPostgres) process.stderr.write('no PostgreSQL is installed: its tests are skipped\n');

export function startPostgres(options: ServerOptions = {}): PostgresServer {
  const { settings = [], access = [], files = {}, port } = options;
  const { dir, remove } = tempRoot({}, options.parent ?? memoryDisk());
  const account = accountWithoutRights();
  const run = (program: string, args: readonly string[]) =>
    execFileSync(join(BIN ?? '', program), args, {
      ...{ cwd: dir, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' },
      ...(account ?? {}),
    });
  const [data, socket] = [join(dir, 'data'), join(dir, 's')];
  chmodSync(dir, 0o755);
  mkdirSync(socket);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text, { mode: 0o600 });
  for (const name of account ? ['.', 's', ...Object.keys(files)] : []) own(join(dir, name), account);
  run('initdb', ['-D', data, '-U', 'owner', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']);
  writeFileSync(
    join(data, 'postgresql.auto.conf'),
    [
      `listen_addresses = '${port === undefined ? '' : '127.0.0.1'}'`,
      ...[
        `unix_socket_directories = '${socket}'`,
        'fsync = off',
        'max_connections = 60',
        `port = ${port ?? 5432}`,
      ],
      ...settings.map((line) => line.replaceAll('DIR', dir)),
    ].join('\n'),
  );
  const hba = [...access, 'local all all trust', 'host all all 127.0.0.1/32 trust'];
  writeFileSync(join(data, 'pg_hba.conf'), `${hba.join('\n')}\n`);
  const control = (...args: readonly string[]) => run('pg_ctl', ['-D', data, '-w', '-s', ...args]);
  const server: PostgresServer = {
    ...{ socket, data, port: port ?? 5432 },
    sql: (statements, database = 'postgres') => {
      const args = [
        '-X',
        '-q',
        '-A',
        '-t',
        '-v',
        'ON_ERROR_STOP=1',
        '-h',
        socket,
        '-p',
        String(port ?? 5432),
      ];
      const { status, stdout, stderr } = spawnSync(
        join(BIN ?? '', 'psql'),
        [...args, '-U', 'owner', database],
        {
          ...{ input: statements, encoding: 'utf8', maxBuffer: 1e9 },
        },
      );
      if (status !== 0) throw new Error(stderr);
      return stdout.trim();
    },
    start: () => void control('-l', join(dir, 'log'), 'start'),
    stop: (how = 'fast') => void control('-m', how, 'stop'),
    options: (database, account = 'owner') => ({
      ...{ url: `postgres://${account}@/${database}?host=${socket}&port=${port ?? 5432}`, environment: {} },
      ...{ account: { name: 'nobody', home: '/nonexistent' }, readFile: () => undefined },
    }),
    remove: () => {
      try {
        server.stop('immediate');
      } catch {
        // It has been stopped.
      }
      remove();
    },
  };
  try {
    server.start();
  } catch (error) {
    remove();
    throw error;
  }
  return server;
}

function own(path: string, account: { readonly uid: number; readonly gid: number } | undefined): void {
  if (account) chownSync(path, account.uid, account.gid);
}

/** Root may not run a server. */
function accountWithoutRights(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Where Debian and others have it, newest first. */
function folderOfPrograms(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(root, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'psql')));
}
