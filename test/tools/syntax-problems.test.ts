// What is wrong with a text is said where it can be mended, and not where a parser gave up: the first problem of each row.
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { inlineAirlock } from '../harness/inline-airlock.ts';

const ROWS = z
  .array(
    z.strictObject({
      text: z.string(),
      type: z.enum(['yaml', 'json', 'toml']),
      /** Line and column; nothing is wrong where they are left out. */
      at: z.string().optional(),
      says: z.string().default(''),
    }),
  )
  .parse(JSON.parse(readFileSync(new URL('../tables/syntax-rows.json', import.meta.url), 'utf8')));

const Validated = z.object({
  problems: z.array(z.object({ message: z.string(), line: z.number(), column: z.number() })),
});

const airlock = await inlineAirlock({ 'a.yaml': '', 'a.json': '', 'a.toml': '' });
afterAll(() => airlock.close());

test.each(ROWS)('$text: $at $says', async ({ text, type, at, says }) => {
  airlock.write(`a.${type}`, text);
  const outcome = await airlock.call('config_validate', { file: `a.${type}` });
  const [first] = Validated.parse('data' in outcome ? outcome.data : {}).problems;
  expect(first && `${first.line}:${first.column}`).toBe(at);
  expect(first?.message ?? '').toContain(says);
});
