// The quick reader of the command line reads what the whole one reads, or leaves it to that one.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readCommandLine } from '../../src/cli/command-line.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { plainFlags } from '../../src/cli/plain-flags.ts';
import { ALL_OPTIONS } from '../../src/cli/settings/options.ts';

const WORDS = [
  ...ALL_OPTIONS.flatMap(({ name }) => [
    `--${name}`,
    `--${name}=x`,
    `--no-${name}`,
    `--${name.slice(0, -1)}`,
  ]),
  ...Object.keys(COMMANDS),
  ...[
    '--',
    '-',
    '',
    ' ',
    '-r',
    '--help',
    '--version',
    '--print-config',
    '--json',
    'x',
    '--x',
    '=',
    '--=',
    '1',
  ],
  ...['--key', '--note', '--web', '--constructor', '--__proto__', '--Root', '--readOnly', '--maxDepth'],
];

it('reads an ordinary line', () => {
  expect(plainFlags(['--root', '/x', '--read-only', '--deny', 'a', '--deny', 'b'])).toEqual(
    new Map([
      ['root', ['/x']],
      ['read-only', ['true']],
      ['deny', ['a', 'b']],
    ]),
  );
});

it('reads whatever it reads as the whole reader does', () => {
  const option = fc.constantFrom(...ALL_OPTIONS);
  const pair: fc.Arbitrary<readonly string[]> = option.chain<readonly string[]>(({ name, argument }) =>
    argument === undefined
      ? fc.constant([`--${name}`])
      : fc.constantFrom('x', '', 'a=b').map((text) => [`--${name}`, text]),
  );
  const words: fc.Arbitrary<readonly (readonly string[])[]> = fc.array(
    fc.oneof(
      { weight: 8, arbitrary: pair },
      fc.constantFrom(...WORDS).map((word) => [word]),
    ),
  );
  let plain = 0;
  fc.assert(
    fc.property(words, (parts) => {
      const args = parts.flat();
      const flags = plainFlags(args);
      if (flags === undefined) return;
      plain += 1;
      expect(readCommandLine(args)).toEqual({ kind: 'serve', flags });
    }),
    { numRuns: 1_000 },
  );
  expect(plain).toBeGreaterThan(100);
});
