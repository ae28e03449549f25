// What the commands `record` and `verify-record` print: the whole way from an approval at a terminal to a check on a machine
// that has neither the server nor its state.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../harness/run-command.ts';
import { ENTER, HAS_TERMINAL } from '../harness/terminal.ts';
import { PASSPHRASE, type Shop, shop, swap } from './shop.ts';

const run = ({ env }: Pick<Shop, 'env'>, ...args: readonly string[]) => runCommand(args, { env });

describe.skipIf(!HAS_TERMINAL)('the record of an approval', () => {
  it('is printed for an applied change, and checked without the server and its state [APR-16]', async () => {
    const here = shop();
    const id = await here.propose([swap('2', '3')]);
    const screen = here.at(['approve', id]);
    await screen.sees('Type yes');
    screen.types(`yes${ENTER}`);
    await screen.sees('Passphrase');
    screen.types(`${PASSPHRASE}${ENTER}`);
    await screen.sees('Approved');
    expect(await screen.ends()).toMatchObject({ status: 0 });
    const applied = await run(here, 'apply', id, '--json', ...here.flags);
    const change: string = JSON.parse(applied.stdout).change_id;
    const printed = await run(here, 'record', change, ...here.flags);
    expect(printed).toMatchObject({ status: 0, stderr: '' });
    const envelope = JSON.parse(printed.stdout);
    const statement = JSON.parse(Buffer.from(envelope.payload, 'base64').toString());
    expect(statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'a.yaml' }],
    });
    const file = join(here.root, '..', 'record.jsonl');
    writeFileSync(file, printed.stdout);
    const reviewers = ['--reviewers', here.flags.at(-1) ?? ''];
    const held = await run(here, 'verify-record', file, ...reviewers);
    expect(held).toMatchObject({ status: 0, stderr: '' });
    expect(held.stdout).toMatch(/^The record holds\.\nPreview pv_\w+, requested by an agent/u);
    expect(held.stdout).toContain('a.yaml: not compared: no root is given');
    const root = ['--root', here.root];
    expect((await run(here, 'verify-record', file, ...reviewers, ...root)).stdout).toContain(
      'a.yaml: as approved',
    );
    writeFileSync(join(here.root, 'a.yaml'), 'name: other\n');
    expect(await run(here, 'verify-record', file, ...reviewers, ...root)).toMatchObject({
      status: 1,
      stdout: 'The record does not hold:\n  a.yaml is not the text that was approved\n',
    });
    writeFileSync(file, printed.stdout.replace('"payload":"', '"payload":"e'));
    expect(await run(here, 'verify-record', file, ...reviewers)).toMatchObject({
      status: 1,
      stdout: 'The record does not hold:\n  line 1 is not what a listed reviewer has signed\n',
    });
    expect(await run(here, 'verify-record', file)).toMatchObject({ status: 2 });
  });

  it('is refused for a change that no reviewer has signed', async () => {
    const here = shop('preview');
    const id = await here.propose([swap('2', '3')]);
    const change: string = JSON.parse(
      (await run(here, 'apply', id, '--json', ...here.flags)).stdout,
    ).change_id;
    const refused = await run(here, 'record', change, ...here.flags);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toContain('no reviewer has signed this change, it was confirmed by: preview');
  });
});
