// Translates errors of the server and the connection. A message about a statement may hold values, so that only messages about
// connections are passed on. Of all others only the code is.
import { type FaultKind, StateFault } from '../fault.ts';

/** The kinds by the beginning of the server's code; the first that fits counts. */
const KINDS: readonly {
  readonly kind: FaultKind;
  readonly codes: readonly string[];
  readonly isSaid?: true;
}[] = [
  // These are a lock that another holds, a cancelled statement, and two transactions that waited for each other.
  { kind: 'busy', codes: ['55P03', '57014', '40'] },
  { kind: 'full', codes: ['53100', '54000'] },
  { kind: 'damaged', codes: ['XX001', 'XX002', '42P07', '42710', '42723'] },
  // These are connections, accounts and rights, missing databases, servers that end, start or only read, and bad
  // disks.
  { kind: 'unreachable', codes: ['08', '28', '3D', '42501', '53', '57P', '25006'], isSaid: true },
  { kind: 'unreachable', codes: ['58'] },
  // These are tables, columns and functions that somebody has dropped.
  { kind: 'replaced', codes: ['3F', '42883', '42P01', '42703', '42704'] },
];

/** Turns an error of the server into a fault with only its code. An error of this program stays as it is. */
export function faultOf(error: unknown): unknown {
  if (error instanceof StateFault) return error;
  const { code, message, severity }: { code?: unknown; message?: unknown; severity?: unknown } =
    Object(error);
  if (typeof code !== 'string') return error;
  // The error is of the socket, of TLS, or of the package: ECONNREFUSED, CERT_HAS_EXPIRED, CONNECTION_CLOSED.
  if (severity === undefined) return new StateFault('unreachable', new Error(`${code}: ${String(message)}`));
  const { kind, isSaid } = KINDS.find(({ codes }) => codes.some((start) => code.startsWith(start))) ?? {};
  const reason = isSaid ? `${String(message)} (${code})` : `PostgreSQL reports ${code}`;
  return kind ? new StateFault(kind, new Error(reason)) : Object.assign(new Error(reason), { code });
}

/** True if the server has undone the transaction, because another one went on at the same time. */
export function isRolledBack(error: unknown): boolean {
  const { code }: { readonly code?: unknown } = Object(error);
  return code === '40001' || code === '40P01';
}

const LOST = [
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'ECONNRESET',
  'EPIPE',
  '57P01',
  '57P02',
  '08003',
  '08006',
];

/** True if an open connection has ended, so that nobody knows whether the statement took effect. */
export function isConnectionLost(error: unknown): boolean {
  const { code }: { readonly code?: unknown } = Object(error);
  return typeof code === 'string' && LOST.includes(code);
}
