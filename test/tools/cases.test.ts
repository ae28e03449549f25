// The contract by example, through a client: every case of tables/yaml-cases.json, and those of more-cases.json that
// are of JSON files or of comments.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCases } from '../adapters/editing/case-table.ts';
import { startToolServer, type ToolServer } from '../harness/tool-server.ts';
import { expectCase } from './case-through-client.ts';

const CONTRACT = readCases('yaml-cases.json');
const MORE = readCases('more-cases.json').filter(({ category }) => ['json', 'comment-op'].includes(category));

let server: ToolServer;
beforeAll(async () => {
  server = await startToolServer();
});
afterAll(() => server.close());

test.each([...CONTRACT, ...MORE])('$id: $note', (one) => expectCase(server, one));

test('the table holds cases of every operation, and of every category that get and set are promised for', () => {
  const operations = new Set(CONTRACT.map(({ op }) => op.op));
  expect([...operations].sort()).toEqual(['append', 'batch', 'delete', 'get', 'insert', 'rename', 'set']);
  const one = CONTRACT.filter(({ op }) => op.op === 'get' || op.op === 'set').map(({ category }) => category);
  const promised =
    'get set-scalar null create reshape block-scalar keys norway inject bytes directive empty-doc tag comments';
  expect(one).toEqual(expect.arrayContaining(promised.split(' ')));
});
