// The import table of config-airlock. Every line that is added here widens what the server can do:
// it is meant to be seen in a diff. A line that nobody uses any more fails the test.
import type { Table } from './rooms.ts';

export const TABLE: Table = {
  rooms: [
    { name: 'cli', holds: ['src/cli.ts', 'src/cli/'], door: 'src/cli.ts' },
    { name: 'stdio', holds: ['src/stdio.ts', 'src/stdio/'], door: 'src/stdio.ts' },
    { name: 'server', holds: ['src/server.ts', 'src/server/'], door: 'src/server.ts' },
    { name: 'tools', holds: ['src/tools/'], door: 'src/tools/index.ts' },
    { name: 'adapters', holds: ['src/adapters/'], door: 'src/adapters/index.ts' },
    { name: 'security', holds: ['src/security/'], door: 'src/security/index.ts' },
  ],
  harmless: ['node:path'],
  allowances: [{ where: 'src/tools/', what: 'zod', why: 'input and output schemas' }],
};
