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
  const options = [
    { name: 'root', argument: 'DIR', env: 'A_ROOT', help: 'the root', default: undefined },
    { name: 'read-only', argument: undefined, env: 'A_RO', help: 'no writes', default: false },
    { name: 'allow', argument: 'GLOB', env: 'A_ALLOW', help: 'globs', default: ['*.a', '*.b'] },
    { name: 'size', argument: 'SIZE', env: 'A_SIZE', help: 'most', default: 10 },
  ];
  expect(optionTable(options).split('\n').slice(2)).toEqual([
    '| `--root DIR` | `A_ROOT` |  | the root |',
    '| `--read-only` | `A_RO` |  | no writes |',
    '| `--allow GLOB` | `A_ALLOW` | `*.a,*.b` | globs |',
    '| `--size SIZE` | `A_SIZE` | `10` | most |',
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
