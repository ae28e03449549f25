// Stands between a store and its server, and cuts the connection after so many bytes in one direction.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { PostgresOptions } from '../../../src/state/postgres-target.ts';
import type { PostgresServer } from '../../harness/postgres.ts';
import { tempRoot } from '../../harness/temp-root.ts';

export interface CuttingProxy {
  options(database: string, account: string): PostgresOptions;
  /** The next bytes in this direction are the last ones, after so many. */
  cutAfter(direction: 'to the server' | 'to the client', bytes: number): void;
  /** Whether it has cut since. */
  hasCut(): boolean;
  close(): Promise<void>;
}

export async function startProxy({ socket, port, options }: PostgresServer): Promise<CuttingProxy> {
  const { dir, remove } = tempRoot();
  const name = `.s.PGSQL.${port}`;
  const left = { 'to the server': Number.POSITIVE_INFINITY, 'to the client': Number.POSITIVE_INFINITY };
  const open = new Set<Socket>();
  let cut = false;
  const pass = (from: Socket, to: Socket, direction: keyof typeof left) => {
    open.add(from);
    from.on('error', () => undefined);
    from.on('close', () => to.destroy());
    from.on('data', (data) => {
      to.write(data.subarray(0, left[direction]));
      left[direction] -= data.length;
      if (left[direction] > 0) return;
      cut = true;
      left[direction] = Number.POSITIVE_INFINITY;
      to.end(() => from.destroy());
    });
  };
  const proxy = createServer((client) => {
    const server = connect(join(socket, name));
    pass(client, server, 'to the server');
    pass(server, client, 'to the client');
  });
  proxy.listen(join(dir, name));
  await once(proxy, 'listening');
  return {
    options: (database, account) => ({
      ...options(database, account),
      url: `postgres://${account}@/${database}?host=${dir}&port=${port}`,
    }),
    cutAfter: (direction, bytes) => {
      cut = false;
      left[direction] = bytes;
    },
    hasCut: () => cut,
    close: async () => {
      for (const one of open) one.destroy();
      proxy.close();
      await once(proxy, 'close');
      remove();
    },
  };
}
