// What an operator can write wrong: each is one line that names what to mend, before anything is opened.
// That the command prints this line and stops is cli.test.ts.
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readCommandLine } from '../../src/cli/command-line.ts';
import { airlockOptions, logOptions } from '../../src/cli/settings/airlock-options.ts';
import { resolveSettings } from '../../src/cli/settings/settings.ts';
import { requireServableOptions } from '../../src/server.ts';
import { tempRoot } from '../harness/temp-root.ts';

const files = tempRoot({
  'unknown.yaml': 'red-only: true\n',
  'typo.yaml': 'log-level: loud\n',
  'nested.yaml': 'max-depth: { a: 1 }\n',
  'list.yaml': '- read-only\n',
  'empty.yaml': '',
  'broken.yaml': 'a: [\n',
  'self.yaml': 'config: other.yaml\n',
  'latin1.yaml': Buffer.from([0x61, 0x3a, 0x20, 0xe9]),
});
afterAll(() => files.remove());

type Env = Readonly<Record<string, string>>;
const rooted = (...args: readonly string[]): readonly string[] => ['--root', '.', ...args];
const config = (name: string): readonly string[] => rooted('--config', join(files.dir, name));

const MISTAKES: readonly { args: readonly string[]; env?: Env; says: string; why: string }[] = [
  { args: [], env: { AIRLOCK_ROOT: '  ' }, says: 'no root', why: 'an empty variable counts as unset' },
  { args: ['--root', ''], says: '--root: expected a directory', why: 'an empty root' },
  { args: ['--root'], says: '--root', why: 'a flag without its value' },
  { args: ['--root', 'a', '--root', 'b'], says: 'name=DIR', why: 'two roots without names' },
  { args: ['--root', 'x=a', '--root', 'x=b'], says: 'same name', why: 'two roots of one name' },
  { args: ['somewhere'], says: 'unknown command "somewhere"', why: 'a directory without its flag' },
  { args: rooted('--max-file-size', '10zb'), says: '--max-file-size: expected a size', why: 'no such unit' },
  { args: rooted('--max-file-size', '0'), says: '--max-file-size', why: 'nothing at all' },
  { args: rooted('--max-file-size', '1e9'), says: '--max-file-size', why: 'a number of another kind' },
  { args: rooted('--max-file-size', '0.5'), says: '--max-file-size', why: 'half a byte' },
  { args: rooted('--max-file-size', '501mb'), says: 'at most 500mb', why: 'more than a string can hold' },
  { args: rooted('--max-depth', '-1'), says: '--max-depth', why: 'a negative limit' },
  { args: rooted('--max-depth', '501'), says: 'from 1 to 500', why: 'deeper than a stack' },
  { args: rooted('--max-depth', '1', '--max-depth', '2'), says: 'one value', why: 'given twice' },
  {
    args: rooted('--approval', 'nobody'),
    says: 'expected direct or preview or client or human',
    why: 'an approval that does not exist',
  },
  { args: rooted('--quiet', '--verbose'), says: 'exclude each other', why: 'little and much at once' },
  { args: rooted('--log-level', 'loud'), says: 'debug or info or warn or error', why: 'no such level' },
  { args: rooted(), env: { AIRLOCK_READONLY: '1' }, says: 'unknown variable', why: 'a misspelt variable' },
  { args: rooted(), env: { AIRLOCK_RADONLY: '1' }, says: 'AIRLOCK_READ_ONLY', why: 'a slip of the pen' },
  { args: rooted(), env: { AIRLOCKREADONLY: '1' }, says: 'AIRLOCK_READ_ONLY', why: 'no underscore at all' },
  { args: rooted(), env: { airlock_read_only: '1' }, says: 'AIRLOCK_READ_ONLY', why: 'another case' },
  { args: rooted(), env: { AIRLOCK_YES: '1' }, says: '--help', why: 'a variable that does not exist' },
  { args: rooted(), env: { AIRLOCK_READ_ONLY: 'maybe' }, says: 'AIRLOCK_READ_ONLY', why: 'a wrong variable' },
  {
    args: rooted('--log-level', 'info'),
    env: { AIRLOCK_LOG_LEVEL: 'loud' },
    says: 'AIRLOCK_LOG_LEVEL',
    why: 'a wrong variable behind a right flag',
  },
  { args: config('none.yaml'), says: 'none.yaml', why: 'no such config file' },
  { args: config('.'), says: 'no plain file', why: 'a directory as config file' },
  { args: config('unknown.yaml'), says: '"red-only"; did you mean read-only?', why: 'an unknown key' },
  { args: config('typo.yaml'), says: 'log-level in', why: 'a wrong value in the file' },
  { args: config('nested.yaml'), says: 'max-depth in', why: 'a mapping for a number' },
  { args: config('list.yaml'), says: 'mapping', why: 'a list for a mapping' },
  { args: config('empty.yaml'), says: 'mapping', why: 'nothing for a mapping' },
  { args: config('broken.yaml'), says: 'broken.yaml', why: 'no YAML' },
  { args: config('self.yaml'), says: '"config"', why: 'a file that names a file' },
  { args: config('latin1.yaml'), says: 'UTF-8', why: 'another encoding' },
  {
    args: rooted('--deny', '--read-only'),
    says: '--deny: expected a value, got "--read-only"',
    why: 'a flag whose value was forgotten, and which would take the next flag for it',
  },
  {
    args: rooted(),
    env: { AIRLOCK_DENY: ',' },
    says: 'bad --deny pattern "": it is empty',
    why: 'a comma alone',
  },
  { args: rooted(), env: { AIRLOCK_DENY: 'a,,b' }, says: 'it is empty', why: 'two commas' },
  {
    args: rooted(),
    env: { AIRLOCK_MASK_KEY: 'a,' },
    says: '--mask-key pattern ""',
    why: 'a comma at the end',
  },
  { args: rooted(), env: { AIRLOCK_DENY: '{a,{b,c}},./d' }, says: 'write "d"', why: 'a list with braces' },
  { args: rooted('--mask-path', 'a.yaml: b'), says: 'write "a.yaml:b"', why: 'a blank after the colon' },
  { args: rooted('--mask-path', 'a.yaml'), says: 'expected GLOB:PATH', why: 'no node' },
  { args: rooted('--mask-key', 'a.b'), says: 'for a key that holds a dot', why: 'a dotted key' },
  {
    args: rooted('--log-file', '--read-only'),
    says: '--log-file: expected a value',
    why: 'the same, a file',
  },
  { args: rooted('--deny=--x'), says: '--deny: expected a value', why: 'a value that looks like a flag' },
  { args: rooted('--json'), says: '--print-config', why: 'an option without the one it belongs to' },
  { args: ['help', 'revew'], says: 'did you mean review?', why: 'help about a command that does not exist' },
  { args: ['approve'], says: 'usage: config-airlock approve <preview_id>', why: 'no argument' },
  { args: ['approve', 'x', 'y'], says: 'usage: config-airlock approve', why: 'one argument too many' },
  { args: ['serve', '--key', 'x'], says: "unknown option '--key'", why: 'an option of other commands' },
];

it.each(MISTAKES)('says what to mend: $why [DIS-5]', async ({ args, env = {}, says }) => {
  const start = async (): Promise<void> => {
    const request = readCommandLine(args);
    if (request.kind !== 'run') throw new Error('nothing was to be served');
    const settings = await resolveSettings(request.flags, env);
    requireServableOptions(await airlockOptions(settings, { HOME: files.dir }), logOptions(settings).file);
  };
  await expect(start()).rejects.toThrow(expect.objectContaining({ message: expect.stringContaining(says) }));
  await expect(start()).rejects.toThrow(
    expect.objectContaining({ name: expect.stringMatching(/^(UsageError|StartError)$/) }),
  );
  await expect(start()).rejects.toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('\n') }),
  );
});
