// Every attack that was thought of is tried by a test that names it, or test/tables/attack-ids.json says why not.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';

const TESTS = join(import.meta.dirname, '../..');
const Ids = z.array(
  z.strictObject({ id: z.string(), title: z.string(), reason: z.string().min(1).optional() }),
);
const ids = Ids.parse(JSON.parse(readFileSync(join(TESTS, 'tables/attack-ids.json'), 'utf8')));

const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.(?:ts|mjs|py)$/u.test(file),
);
const tried = new Set(
  files.flatMap((file) => readFileSync(join(TESTS, file), 'utf8').match(/\b[A-Z]{4}-\d{3}\b/gu) ?? []),
);

it('every known attack has a test that names it, or a reason why there is none', () => {
  const silent = ids.filter(({ id, reason }) => !tried.has(id) && reason === undefined);
  expect(silent).toEqual([]);
});

it('no reason outlives the test that makes it untrue', () => {
  const stale = ids.filter(({ id, reason }) => tried.has(id) && reason !== undefined);
  expect(stale).toEqual([]);
});

it('the table names each attack once', () => {
  expect(new Set(ids.map(({ id }) => id)).size).toBe(ids.length);
});
