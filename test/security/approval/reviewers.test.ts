// Who may approve: what a line of the reviewers file can be, what the operator is told of one that is not, and whom the
// file must be out of reach of. By the command that needs nothing else than the file.
import { chmodSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/state/canonical.ts';
import { person } from '../../harness/previews.ts';
import { runCommand } from '../../harness/run-command.ts';
import { STATED } from '../../harness/signed.ts';
import { startServer } from '../../harness/start-server.ts';
import { place } from '../fixture.ts';

/** Any 32 bytes are a key, but for a few; `n` makes them differ. */
const lineOf = (name: string, n: number) =>
  `${name} ed25519:${Buffer.alloc(32, 7)
    .fill(n >> 8, 0, 1)
    .fill(n & 0xff, 1, 2)
    .toString('base64')}`;
const thousand = (count: number) => Array.from({ length: count }, (_, n) => lineOf(`r${n}`, n)).join('\n');

const ann = person('ann');
const signed = ann.sign({ preview: 'a'.repeat(52) }, { seq: 1, sha256: 'a'.repeat(64) }, STATED);

function listed(text: string) {
  const { base, write } = place();
  const file = write('reviewers', text, 0o600);
  const record = write('record', `${canonicalJson(signed)}\n`);
  const read = async () => {
    const { status, stdout, stderr } = await runCommand(['verify-record', record, '--reviewers', file]);
    return `${status} ${stdout}${stderr}`;
  };
  return { base, file, read };
}

describe('the reviewers file', () => {
  it('names who may approve, between comments and empty lines', async () => {
    const others = ['a.b@c+d-e_f', 'n'.repeat(64)].map((name, n) => lineOf(name, n));
    const mine = ann.line.replace(' ', ' \t ');
    for (const text of [
      `# who\r\n\r\n  \t\n${mine} \t\n${others.join('\r\n')}\r\n#${lineOf('eve', 9)}`,
      `${ann.line} principal=ann@example.org\tprincipal=auth0|7 \n`,
      `${ann.line}\n${thousand(999)}`,
    ])
      expect(await listed(text).read()).toMatch(/^0 The record holds/u);
  });

  const good = lineOf('ann', 1);
  it.each([
    { why: 'nobody', text: '# nobody\n', says: 'it names nobody' },
    { why: 'a line that begins with a space', text: `\n ${good}\n`, says: 'line 2 is not' },
    { why: 'a line with more behind it', text: `${good} x\n`, says: 'line 1 is not' },
    { why: 'a principal without a name', text: `${good} principal=\n`, says: 'line 1 is not' },
    { why: 'a name only', text: `${good}\nbob\n`, says: 'line 2 is not' },
    { why: 'a key only', text: good.slice(3), says: 'line 1 is not' },
    { why: 'a name that is too long', text: lineOf('n'.repeat(65), 1), says: 'line 1 is not' },
    { why: 'a name with a colon', text: lineOf('a:b', 1), says: 'line 1 is not' },
    { why: 'another kind of key', text: good.replace('ed25519', 'rsa'), says: 'line 1 is not' },
    { why: 'a second spelling', text: `${good.slice(0, -2)}d=`, says: 'line 1 holds no Ed25519 key' },
    { why: 'one name in capitals too', text: `${good}\n${lineOf('Ann', 2)}\n`, says: 'line 2 repeats' },
    { why: 'one key twice', text: `#\n${good}\n${lineOf('bob', 1)}\n`, says: 'line 3 repeats' },
    { why: 'more than a thousand', text: thousand(1_001), says: 'it names more than 1000' },
  ])('stops the command, and says where: $why', async ({ text, says }) => {
    const said = await listed(text).read();
    expect(said).toMatch(/^2 /u);
    expect(said).toContain(says);
  });

  it('is there, and nobody else could change it, itself or by a folder on the way to it [APR-7]', async () => {
    const { base, file, read } = listed(ann.line);
    chmodSync(file, 0o620);
    expect(await read()).toContain('others may write to it');
    chmodSync(file, 0o600);
    chmodSync(base, 0o775);
    expect(await read()).toMatch(/others can replace what stands in "[^"]+" on the way to it/u);
    chmodSync(base, 0o755);
    expect(await read()).toMatch(/^0 /u);
    rmSync(file);
    expect(await read()).toContain('it does not exist, or may not be read');
  });

  it('is outside of every root', async () => {
    const { root, write } = place();
    const file = write('root/reviewers', ann.line, 0o600);
    const flags = ['--approval', 'human', '--reviewers', file];
    await expect(startServer({ root, flags })).rejects.toThrow('it is inside a root');
  });
});
