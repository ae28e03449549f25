// What an error of the server or the connection means. What a server says about statements can hold values, so that only what
// it says about connections is passed on, and of all else the code.
import { type FaultKind, StateFault } from '../fault.ts';

/** By the beginning of the code that the server gives. The first that fits counts. */
const KINDS: readonly {
  readonly kind: FaultKind;
  readonly codes: readonly string[];
  readonly isSaid?: true;
}[] = [
  { kind: 'newer', codes: ['YA001'] },
  { kind: 'replaced', codes: ['YA002'] },
  // A lock that somebody else holds, a statement that somebody has cancelled, two that waited for each other.
  { kind: 'busy', codes: ['55P03', '57014', '40'] },
  { kind: 'full', codes: ['53100', '54000'] },
  { kind: 'damaged', codes: ['XX001', 'XX002', '42P07', '42710', '42723'] },
  // Connections, accounts and rights, databases that are not there, servers that end, start or only read, and bad disks.
  { kind: 'unreachable', codes: ['08', '28', '3D', '42501', '53', '57P', '25006'], isSaid: true },
  { kind: 'unreachable', codes: ['58'] },
  // Tables, columns and functions that are not there: somebody has dropped them.
  { kind: 'replaced', codes: ['3F', '42883', '42P01', '42703', '42704'] },
];

/** An error of this program stays as it is; of one that the server has sent, only the code is left. */
export function faultOf(error: unknown): unknown {
  if (error instanceof StateFault) return error;
  const { code, message, severity }: { code?: unknown; message?: unknown; severity?: unknown } =
    Object(error);
  if (typeof code !== 'string') return error;
  // Of the socket, of TLS, or of the package: ECONNREFUSED, CERT_HAS_EXPIRED, CONNECTION_CLOSED.
  if (severity === undefined) return new StateFault('unreachable', new Error(`${code}: ${String(message)}`));
  const { kind, isSaid } = KINDS.find(({ codes }) => codes.some((start) => code.startsWith(start))) ?? {};
  const reason = isSaid ? `${String(message)} (${code})` : `PostgreSQL reports ${code}`;
  return kind ? new StateFault(kind, new Error(reason)) : Object.assign(new Error(reason), { code });
}

/** Whether the server has undone the transaction, because of another one that went on at the same time. */
export function isUndone(error: unknown): boolean {
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

/** Whether a connection has ended that was there: nobody knows what became of the statement. */
export function isLost(error: unknown): boolean {
  const { code }: { readonly code?: unknown } = Object(error);
  return typeof code === 'string' && LOST.includes(code);
}

/** Whether the server has said this. */
export function isCode(error: unknown, wanted: string): boolean {
  const { code }: { readonly code?: unknown } = Object(error);
  return code === wanted;
}
