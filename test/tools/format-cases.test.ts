// The contract by example, through a client: the cases of TOML and of templates.
import { afterAll, beforeAll, test } from 'vitest';
import { readCases } from '../adapters/editing/case-table.ts';
import { startToolServer, type ToolServer } from '../harness/tool-server.ts';
import { expectCase } from './case-through-client.ts';

let server: ToolServer;
beforeAll(async () => {
  server = await startToolServer();
});
afterAll(() => server.close());

test.each([...readCases('toml-cases.json'), ...readCases('template-cases.json')])('$id: $note', (one) =>
  expectCase(server, one),
);
