// What a server has read does not end up in a file when it crashes.
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startProcess } from '../../harness/start-process.ts';

it.skipIf(!existsSync('/proc/self/coredump_filter'))(
  'keeps what it read out of core dumps (SECR-008) [SRV-11]',
  async () => {
    // Since it differs from what a process gets by default, it was the server's own doing.
    expect(Number.parseInt(filterOf(process.pid), 16)).not.toBe(0);
    const server = await startProcess({ files: { 'a.yaml': 'a: 1\n' } });
    try {
      expect(Number.parseInt(filterOf(server.pid), 16)).toBe(0);
    } finally {
      await server.close();
    }
  },
);

function filterOf(pid: number): string {
  return readFileSync(`/proc/${pid}/coredump_filter`, 'utf8');
}
