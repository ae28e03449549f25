// The README's tables say what the code says, and would be seen to differ.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { codesIn, optionTable, sectionOf, toolTable, withSection } from './tables.ts';

const DOCUMENT = 'before\n<!-- tools -->\nold\n<!-- /tools -->\nafter\n';

describe('a section', () => {
  it('is found between its markers, and nowhere else', () => {
    expect(sectionOf(DOCUMENT, 'tools')).toBe('old\n');
    expect(sectionOf(DOCUMENT, 'options')).toBeUndefined();
  });

  it('is replaced as it is given, dollar signs included', () => {
    expect(withSection(DOCUMENT, 'tools', "$& $' new\n")).toBe(
      "before\n<!-- tools -->\n$& $' new\n<!-- /tools -->\nafter\n",
    );
    expect(() => withSection(DOCUMENT, 'options', '')).toThrow('no markers');
  });
});

it('the tool table lists inputs, marks the optional ones, and says who writes', () => {
  const read = {
    name: 'config_get',
    description: 'Reads one node. Then more.',
    input: z.strictObject({
      file: z.string(),
      path: z.string().optional(),
      view: z.enum(['a', 'b']).default('a'),
    }),
    hints: { readOnlyHint: true },
  };
  const write = {
    ...read,
    name: 'config_set',
    description: 'Sets a | value',
    hints: { readOnlyHint: false },
  };
  expect(toolTable([read, write])).toBe(
    [
      '| tool | input |  | what it does |',
      '|---|---|---|---|',
      '| `config_get` | `file` `path?` `view?` | reads | Reads one node. |',
      '| `config_set` | `file` `path?` `view?` | writes | Sets a \\| value |',
      '',
    ].join('\n'),
  );
});

it('the option table shows names, environment and defaults', () => {
  const option = {
    argument: undefined,
    isRepeatable: false,
    write: (value: unknown) => (value === undefined ? [] : [String(value)]),
    unset: 'none',
  };
  const options = [
    { ...option, name: 'root', argument: 'DIR', isRepeatable: true, help: 'the root', default: undefined },
    { ...option, name: 'read-only', help: 'no writes', default: false },
    { ...option, name: 'allow', argument: 'GLOB', help: 'globs', default: '*.{a,b}' },
    { ...option, name: 'level', argument: 'low|high', help: 'how much', default: 'low' },
  ];
  const rows = optionTable(options, ({ name }) => `A_${name}`).split('\n');
  expect(rows.slice(2)).toEqual([
    '| `--root DIR`, repeatable | `A_root` | none | the root |',
    '| `--read-only` | `A_read-only` | off | no writes |',
    '| `--allow GLOB` | `A_allow` | `*.{a,b}` | globs |',
    '| `--level low\\|high` | `A_level` | low | how much |',
    '',
  ]);
});

it('codes are read from rows that name one or several', () => {
  const rows =
    '| code | category | when |\n|---|---|---|\n| `A_B` | security | x |\n| `C` `D2` | parse | `NOT_THIS` |\n';
  expect([...codesIn(rows)]).toEqual([
    ['A_B', 'security'],
    ['C', 'parse'],
    ['D2', 'parse'],
  ]);
});
