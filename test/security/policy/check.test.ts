// What `policy check` denies because no server would make or finish it.
import { afterAll, expect, it } from 'vitest';
import { diffOf } from '../../harness/git-diff.ts';
import { runCommand } from '../../harness/run-command.ts';
import { tempRoot } from '../../harness/temp-root.ts';

const operator = tempRoot({
  'policy.yaml': 'default: preview\nrules: [{ id: any, paths: "**", then: preview }]\n',
});
afterAll(() => operator.remove());

const check = (input: string, ...more: readonly string[]) =>
  runCommand(['policy', 'check', '--allow', '**', '--policy', `${operator.dir}/policy.yaml`, ...more], {
    input,
  });

it.each(['a\u200b.yaml', 'a\u0007.yaml', 'a\\b.yaml', 'a:b.yaml', `${'a'.repeat(251)}.yaml`, 'a.yaml '])(
  'policy check denies a name that the server refuses: %s [POL-2]',
  async (name) => {
    const quoted = name.replaceAll('\\', '\\\\').replaceAll('\u0007', '\\a');
    const input = diffOf('NAME', undefined, 'kind: Secret\n').replace(
      'a/NAME b/NAME',
      quoted === name ? `a/${name} b/${name}` : `"a/${quoted}" "b/${quoted}"`,
    );
    expect(await check(input)).toMatchObject({ status: 3, stdout: expect.stringContaining('PATH_INVALID') });
  },
);

it('policy check denies a file that takes too long to judge [POL-2]', async () => {
  const text = Array.from({ length: 5_000 }, (_, at) => `key${at}: ${at}\n`).join('');
  const input = diffOf('a.yaml', undefined, text);
  expect(await check(input, '--max-step-ms', '1')).toMatchObject({
    status: 3,
    stdout: expect.stringContaining('it took too long to judge'),
  });
  expect(await check(input, '--max-step-ms', '60000')).toMatchObject({ status: 0 });
});
