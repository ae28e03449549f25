// Decides about encryption and the verification of the server, with the settings of libpq. `allow` and `prefer` are the same here: the
// connection is encrypted if the server supports it, and must be if there is a certificate. A local socket is never encrypted.
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { PostgresOptions } from './options.ts';

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof MODES)[number];

export type Setting = (name: string) => string | undefined;

/** Reads the mode. Throws a plain Error for an unknown mode, and for `sslrootcert=system` with a mode that does not check the name. */
export function sslModeOf(setting: Setting): SslMode {
  const isSystem = setting('sslrootcert') === 'system';
  const text = setting('sslmode') ?? (isSystem ? 'verify-full' : 'prefer');
  const mode = MODES.find((one) => one === text);
  if (mode === undefined) throw new Error(`sslmode is one of ${MODES.join(', ')}`);
  if (isSystem && mode !== 'verify-full') throw new Error('sslrootcert=system needs sslmode=verify-full');
  return mode;
}

interface TlsOptions {
  readonly servername?: string;
  readonly rejectUnauthorized: boolean;
  readonly checkServerIdentity: (name: string, certificate: PeerCertificate) => Error | undefined;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Returns the options of TLS; undefined if it is not used, and `prefer` where it is used if the server supports it. */
export function tlsOf(
  host: string,
  mode: SslMode,
  setting: Setting,
  { readFile, account }: Pick<PostgresOptions, 'readFile' | 'account'>,
): TlsOptions | 'prefer' | undefined {
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
