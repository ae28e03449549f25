// The registry's guard is shown faulty tools and faulty lists.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Entry, registryViolations } from './registry.ts';

const GOOD_TOOL: Entry = {
  name: 'config_get',
  title: 'Get',
  description: 'Reads.',
  input: z.strictObject({ file: z.string(), doc: z.record(z.string(), z.string()).optional() }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: () => ({}),
};

const GOOD_FILES = new Map([
  ['src/tools/config-get.ts', "export const configGet = tool({\n  name: 'config_get',"],
  ['test/tools/config-get.test.ts', ''],
]);

const nested = z.strictObject({ edits: z.array(z.object({ path: z.string() })) });

const REGISTRY_FAULTS = [
  { change: { name: 'config_guess' }, barks: 'is no name of the contract', why: 'names are public' },
  { change: { name: 'configGet' }, barks: 'has no file', why: 'the file is named after the tool' },
  { change: { title: ' ' }, barks: 'has no title', why: 'people read it' },
  { change: { description: '' }, barks: 'has no description', why: 'models read it' },
  {
    change: { hints: { ...GOOD_TOOL.hints, idempotentHint: undefined } },
    barks: 'idempotentHint',
    why: 'all four',
  },
  { change: { hints: {} }, barks: 'readOnlyHint', why: 'silence means destructive to a client' },
  { change: { hints: { ...GOOD_TOOL.hints, openWorldHint: true } }, barks: 'out of the root', why: 'never' },
  {
    change: { hints: { ...GOOD_TOOL.hints, destructiveHint: true } },
    barks: 'read-only and destr',
    why: 'one or other',
  },
  {
    change: { input: z.object({ file: z.string() }) },
    barks: 'input lets unknown',
    why: 'a typo must not vanish',
  },
  { change: { input: z.looseObject({ file: z.string() }) }, barks: 'input lets unknown', why: 'nor be kept' },
  { change: { input: nested }, barks: 'edits.items lets unknown', why: 'deep inside neither' },
  { change: { input: z.string() }, barks: 'input is no object', why: 'arguments have names' },
  { change: { run: undefined }, barks: 'cannot run', why: 'a tool does something' },
];

describe('the registry', () => {
  it('accepts a small registry that keeps the rules', () => {
    expect(registryViolations([GOOD_TOOL], GOOD_FILES)).toEqual([]);
  });

  it.each(REGISTRY_FAULTS)('refuses a tool that $barks: $why [SRV-1]', ({ change, barks }) => {
    expect(registryViolations([{ ...GOOD_TOOL, ...change }], GOOD_FILES).join('\n')).toContain(barks);
  });

  it.each(['src/tools/config-get.ts', 'test/tools/config-get.test.ts'])(
    'refuses a tool without %s',
    (file) => {
      const rest = new Map(GOOD_FILES);
      rest.delete(file);
      expect(registryViolations([GOOD_TOOL], rest)).toEqual([expect.stringContaining(file)]);
    },
  );

  it('refuses a tool that was written and not listed', () => {
    const more = new Map(GOOD_FILES).set(
      'src/tools/config-set.ts',
      "export const configSet = tool({\n  name: 'config_set',",
    );
    expect(registryViolations([GOOD_TOOL], more)).toEqual([
      'src/tools/config-set.ts defines config_set, which the registry does not list',
    ]);
  });

  it('refuses a tool that stands in the file of another', () => {
    const swapped = new Map(GOOD_FILES).set('src/tools/config-get.ts', "tool({ name: 'config_set' })");
    expect(registryViolations([GOOD_TOOL], swapped).join('\n')).toContain('defines another tool');
  });

  it('refuses an empty registry, a doubled name, a wrong order and a thirteenth tool', () => {
    const named = (name: string): Entry => ({ ...GOOD_TOOL, name });
    expect(registryViolations([], new Map())).toEqual(['the registry is empty']);
    expect(registryViolations([GOOD_TOOL, GOOD_TOOL], GOOD_FILES).join('\n')).toContain('the order is');
    expect(registryViolations([named('explain_error'), GOOD_TOOL], GOOD_FILES).join('\n')).toContain(
      'the order is',
    );
    const many = Array.from({ length: 13 }, (_, index) => named(`tool_${index}`));
    expect(registryViolations(many, GOOD_FILES).join('\n')).toContain('13 tools, 12 are allowed');
  });
});
