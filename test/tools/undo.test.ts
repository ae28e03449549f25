// The way back of a change, through the tools: the change goes, and what came since stays to the byte, or nothing happens.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parse } from '../adapters/editing/attempt.ts';
import { operationsOn } from '../adapters/editing/operations.ts';
import { placesIn } from '../adapters/editing/places.ts';
import { EXAMPLES, generated, SUITE_SOURCES } from '../adapters/editing/sources.ts';
import { inlineAirlock } from '../harness/inline-airlock.ts';
import { runs } from '../harness/runs.ts';

const RowShape = z.strictObject({
  why: z.string(),
  base: z.string(),
  edit: z.looseObject({ op: z.string() }),
  /** What others made of the file since; nothing where it is left out. */
  now: z.string().optional(),
  after: z.string().optional(),
  refused: z.string().optional(),
});

const ROWS = z
  .array(RowShape)
  .parse(JSON.parse(readFileSync(new URL('../tables/undo-rows.json', import.meta.url), 'utf8')));

const airlock = await inlineAirlock({ 'a.yaml': '' });
afterAll(() => airlock.close());

/** The id of the change, where one was made, or the code of the refusal. */
async function applied(
  tool: string,
  args: object,
): Promise<{ readonly change?: string; readonly code?: string }> {
  const preview = await airlock.call(tool, { ...args });
  if (preview.status === 'refused') return { code: preview.code };
  const id = 'data' in preview ? preview.data['preview_id'] : undefined;
  if (id === undefined) return {};
  const outcome = await airlock.call('config_apply', { preview_id: id });
  return 'data' in outcome ? { change: String(outcome.data['change_id']) } : { code: 'not applied' };
}

/** An edit of this text; its change's id. */
async function changed(text: string, edit: object): Promise<string | undefined> {
  airlock.write('a.yaml', text);
  return (await applied('config_edit', { edits: [{ ...edit, file: 'a.yaml' }] })).change;
}

const undone = (change: string | undefined) => applied('config_revert', { change_id: change });

test.each(ROWS)('$why [EDT-7]', async ({ base, edit, now, after, refused }) => {
  const change = await changed(base, edit);
  expect(change).toBeDefined();
  if (now !== undefined) airlock.write('a.yaml', now);
  const before = airlock.disk('a.yaml');
  expect((await undone(change)).code).toBe(refused);
  expect(airlock.disk('a.yaml')).toBe(after ?? before);
});

describe('whatever was changed', () => {
  const texts = fc.oneof(
    { weight: 6, arbitrary: fc.nat().map((seed) => generated(seed).text) },
    { weight: 2, arbitrary: fc.constantFrom(...SUITE_SOURCES.map(({ text }) => text)) },
    { weight: 1, arbitrary: fc.constantFrom(...EXAMPLES.map(({ text }) => text)) },
  );

  test('the very bytes come back where nothing came between [EDT-7]', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(), fc.nat(), async (text, where, which) => {
        const places = [...placesIn(parse(text))];
        const place = places[where % places.length];
        const operations = place === undefined ? [] : [...operationsOn(place)];
        const change = await changed(text, operations[which % operations.length] ?? {});
        if (change === undefined) return;
        count += 1;
        await undone(change);
        expect(airlock.disk('a.yaml')).toBe(text);
      }),
      { seed: 21, numRuns: runs(200) },
    );
    expect(count).toBeGreaterThan(runs(200) / 2);
  });

  test('changes go back in any order, and never a byte of another [EDT-7]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(), fc.nat(2)), { maxLength: 14 }), async (steps) => {
        const inForce = new Map<number, string | undefined>();
        airlock.write('a.yaml', SHOP);
        for (const [number, kind] of steps) {
          const section = number % SECTIONS.length;
          const change = inForce.get(section);
          if (change !== undefined) {
            expect(await undone(change)).toHaveProperty('change');
            inForce.delete(section);
          } else inForce.set(section, await changed(airlock.disk('a.yaml') ?? '', editIn(section, kind)));
        }
        for (const change of inForce.values()) expect(await undone(change)).toHaveProperty('change');
        expect(airlock.disk('a.yaml')).toBe(SHOP);
      }),
      { seed: 21, numRuns: 15 },
    );
  });
});

const SECTIONS = ['web', 'db', 'mail', 'jobs', 'logs', 'last'] as const;

/** Each section with something to set, to take away and to add to. */
const SHOP = SECTIONS.map(
  (name, i) =>
    `# about ${name}\n${name}:\n  replicas: ${i}   # why ${name}\n  # head ${name}\n  goes: { a: ${i}, b: [x, y] }\n  list:\n  - one\n  - two # ${name}\n`,
).join('');

function editIn(section: number, kind: number) {
  const at = (rest: string) => `${SECTIONS[section]}.${rest}`;
  if (kind === 0) return { op: 'set', path: at('replicas'), value: '"many"' };
  if (kind === 1) return { op: 'delete', path: at('goes') };
  return { op: 'append', path: at('list'), value: 'a: |\n  text\n' };
}
