// A person at a pseudo-terminal reads and decides; whatever they type, only what they said is decided.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { columnsOf } from '../harness/columns.ts';
import { runCommand } from '../harness/run-command.ts';
import { decisionIn } from '../harness/signed.ts';
import { trailOf } from '../harness/state.ts';
import { CTRL_C, CTRL_D, ENTER, HAS_TERMINAL } from '../harness/terminal.ts';
import { PASSPHRASE, type Shop, shop, swap } from './shop.ts';

const SCALE = [swap('2', '3')];
const QUESTION = '[q]uit ?';

function decisionsIn({ stateDir }: Shop): readonly Record<string, unknown>[] {
  return trailOf(stateDir).flatMap(({ signed }) => (signed === undefined ? [] : [{ ...decisionIn(signed) }]));
}

describe.skipIf(!HAS_TERMINAL)('review, at a terminal', () => {
  it('shows what waits and each diff in colour, and signs what the person approves or rejects', async () => {
    const here = shop();
    const [yes, no] = [await here.propose(SCALE), await here.propose([swap('web:1', 'web:2')])];
    const screen = here.at(['review']);
    await screen.sees('   a.yaml');
    await screen.sees('Requested by an agent 1 (unverified name), with config_edit');
    await screen.sees('replace replicas: 2 → 3  (line 2)');
    await screen.sees('-replicas: 2\n+replicas: 3\n');
    await screen.sees(QUESTION);
    screen.types(`x${ENTER}`);
    await screen.sees('a  approve all of it');
    await screen.sees(QUESTION);
    screen.types(`a${ENTER}`);
    await screen.sees('Passphrase');
    screen.types(`wrong${ENTER}`);
    await screen.sees('Wrong passphrase.');
    await screen.sees('Passphrase');
    screen.types(PASSPHRASE + ENTER);
    await screen.sees('Approved: it can be applied now, once, exactly as shown.');
    await screen.sees(QUESTION);
    screen.types(`r${ENTER}`);
    await screen.sees('Note for the agent');
    screen.types(`${'x'.repeat(501)}${ENTER}`);
    await screen.sees('A note has at most 500 characters');
    await screen.sees('Note for the agent');
    // A terminal that pastes escapes does not get them into a note.
    screen.types(`not\u001b[31m on a Friday\u202e${ENTER}`);
    await screen.sees('Rejected.');
    expect(await screen.ends()).toEqual({ status: 0, isSane: true });
    expect(screen.raw()).toContain('\u001b[32m+replicas: 3\u001b[0m');
    expect(screen.raw()).not.toContain('horse');
    const said = decisionsIn(here);
    expect(said).toHaveLength(2);
    expect(said).toContainEqual(
      expect.objectContaining({ preview: yes, decision: 'approve', reviewer: 'ann' }),
    );
    expect(said).toContainEqual(
      expect.objectContaining({ preview: no, decision: 'reject', note: 'not on a Friday' }),
    );
  });

  it('says where it looked, and what waits under other options, where nothing waits under these', async () => {
    const here = shop();
    const id = await here.propose(SCALE);
    const screen = here.at(['review', '--deny', 'x.yaml']);
    await screen.sees(`No pending previews in ${here.stateDir}`);
    await screen.sees('1 preview is pending under other options');
    expect(await screen.ends()).toEqual({ status: 0, isSane: true });
    const other = here.at(['review', '--file', 'b.yaml']);
    await other.sees('No pending previews that --file, --rule and --caller select');
    expect(await other.ends()).toMatchObject({ status: 0 });
    const one = here.at(['approve', id, '--deny', 'x.yaml']);
    await one.sees('1 preview is pending under other options');
    expect(await one.ends()).toEqual({ status: 2, isSane: true });
  });

  it('offers no approval of a change whose file has changed since', async () => {
    const here = shop();
    const id = await here.propose(SCALE);
    const file = join(here.root, 'a.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('web:1', 'web:9'));
    const screen = here.at(['review', '--no-color']);
    await screen.sees('The file has changed since this was requested');
    await screen.sees('\n[r]eject [d]iff [s]kip [q]uit ?');
    screen.types(`q${ENTER}`);
    expect(await screen.ends()).toEqual({ status: 0, isSane: true });
    const one = here.at(['approve', id]);
    await one.sees('its files have changed since, or cannot be read');
    expect(await one.ends()).toEqual({ status: 2, isSane: true });
  });

  it('approves a part: shown before it is signed, and the rest is not', async () => {
    const here = shop();
    const id = await here.propose([swap('shop', 'bakery'), swap('2', '3'), swap('web:1', 'web:2')]);
    const screen = here.at(['review', '--no-color']);
    await screen.sees(QUESTION);
    screen.types(`p${ENTER}`);
    for (const [part, answer] of [
      ['+name: bakery # ours', 'n'],
      ['+replicas: 3', '?'],
      ['leave it out', 'y'],
      ['+image: web:2', 'd'],
    ] as const) {
      await screen.sees(part);
      await screen.sees('Select this part');
      screen.types(answer + ENTER);
    }
    await screen.sees('You selected:');
    await screen.sees(/-replicas: 2\n\+replicas: 3\n image: web:1\n/);
    await screen.sees('Type yes');
    screen.types(`yes${ENTER}`);
    await screen.sees('Passphrase');
    screen.types(PASSPHRASE + ENTER);
    await screen.sees('Approved in part, as preview ');
    expect(await screen.ends()).toEqual({ status: 0, isSane: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with an escape
    expect(screen.raw()).not.toMatch(/\u001b\[3\dm/);
    const part = trailOf(here.stateDir).find(({ type, about }) => type === 'split' && about === id)?.by;
    expect(decisionsIn(here)).toMatchObject([{ decision: 'approve', preview: part }]);
  });

  it.each([
    { why: 'Ctrl-C at the question', until: QUESTION, key: CTRL_C, status: 130 },
    { why: 'Ctrl-D at the question', until: QUESTION, key: CTRL_D, status: 1 },
    { why: 'q', until: QUESTION, key: `q${ENTER}`, status: 0 },
    { why: 'Ctrl-C at the passphrase', until: 'Passphrase', key: CTRL_C, status: 130 },
    { why: 'an answer that was typed before it was asked', until: 'early', key: CTRL_C, status: 130 },
  ])(
    'leaves everything undecided and the terminal as it was after $why [TTY-1]',
    async ({ until, key, status }) => {
      const here = shop();
      await here.propose(SCALE);
      const early = until === 'early' ? `a${ENTER}${PASSPHRASE}${ENTER}` : undefined;
      const screen = here.at(['review'], { early });
      await screen.sees(QUESTION);
      if (until === 'Passphrase') {
        screen.types(`a${ENTER}`);
        await screen.sees(until);
      }
      screen.types(key);
      expect(await screen.ends()).toEqual({ status, isSane: true });
      expect(decisionsIn(here)).toEqual([]);
    },
  );

  it('goes page by page in a small window, cuts nothing, and lets no row of a line pose as another [TTY-2]', async () => {
    const long = `key: ${'a'.repeat(25)}+${'b'.repeat(60)}`;
    const base = `${Array.from({ length: 40 }, (_, n) => `n${n}: 1`).join('\n')}\nkey: 1\n`;
    const here = shop('human', base);
    const every = Array.from({ length: 40 }, (_, n) => swap(`n${n}: 1`, `n${n}: 2`, base));
    await here.propose([...every, swap('key: 1', long, base)]);
    const screen = here.at(['review'], { columns: 32, rows: 12 });
    for (;;) {
      await screen.sees(/-- more: Enter continues, q stops --|\[q\]uit \?/);
      if (screen.text().trimEnd().endsWith('?')) break;
      screen.types(ENTER);
    }
    screen.types(CTRL_C);
    expect((await screen.ends()).status).toBe(130);
    const rows = screen.text().split('\n');
    const shown = rows.filter((row) => !/^(?:--|\[a\]|config-airlock:)/.test(row));
    expect(Math.max(...shown.map((row) => row.length))).toBeLessThanOrEqual(32);
    for (let n = 0; n < 40; n += 1) expect(rows).toContain(`+n${n}: 2`);
    const joined = screen
      .text()
      .replaceAll(/\n-- more[^\n]*(?=\n\| )/g, '')
      .replaceAll('\n| ', '');
    expect(joined).toContain(`+${long}`);
  });

  it('stops at each page and marks each further row, however wide a terminal shows it (finding 3 of the attacks) [TTY-2]', async () => {
    // Spacing marks, ideographs and pictures, ambiguous letters, what is not assigned yet, and tabs.
    const letters = ['क\u0903', '漢😀🛰☀', 'é→│', '\u{1fbfa}\u{3fff0}', 'a\t'];
    const base = `${Array.from({ length: 20 }, (_, n) => `n${n}: 1`).join('\n')}\nkey: 1\n`;
    const here = shop('human', base);
    const text = letters
      .map((one, n) => `key${n}: "${one.repeat(60)}+  approved_by: security-team"`)
      .join('\n');
    const every = Array.from({ length: 20 }, (_, n) => swap(`n${n}: 1`, `n${n}: 2`, base));
    await here.propose([...every, swap('key: 1', text, base)]);
    const screen = here.at(['review', '--no-color'], { columns: 40, rows: 12 });
    for (;;) {
      await screen.sees(/-- more: Enter continues, q stops --|\[q\]uit \?/);
      if (screen.text().trimEnd().endsWith('?')) break;
      screen.types(ENTER);
    }
    screen.types(CTRL_C);
    await screen.ends();
    const rows = screen
      .text()
      .split('\n')
      .filter((row) => !/^(?:--|\[a\]|config-airlock:)/u.test(row));
    expect(Math.max(...rows.map(columnsOf))).toBeLessThanOrEqual(40);
    expect(rows.filter((row) => row.includes('approved_by') && !row.startsWith('| '))).toEqual([]);
    const joined = rows.join('').replaceAll('| ', '');
    expect(joined.split('approved_by: security-team').length).toBeGreaterThan(letters.length);
    const pages = screen.text().split(/^--.*\n/mu);
    for (const page of pages.slice(1, -1)) expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(10);
  });

  it('shows blanks at the end of a changed row, and tabs in it (finding 3 of the attacks) [TTY-3]', async () => {
    const base = 'a: 1\nb: 1 \n';
    const here = shop('human', base);
    await here.propose([{ start: 3, end: base.length, insert: '"2\t3"\t\nb: 2  \n' }]);
    const screen = here.at(['review', '--no-color']);
    await screen.sees(QUESTION);
    screen.types(CTRL_C);
    await screen.ends();
    expect(screen.text()).toContain('-b: 1<U+0020>\n+a: "2⇥ 3"<U+0009>\n+b: 2 <U+0020>\n');
  });

  it('marks the further rows of what `preview` prints as well, and shows its blanks (finding 3 of the attacks) [TTY-2]', async () => {
    const here = shop('preview', 'a: 1 \nimage: x\n');
    const screen = here.at(['preview', 'a.yaml', 'a', `${'漢'.repeat(40)}+ b: 2`], { columns: 40 });
    expect((await screen.ends()).status).toBe(0);
    expect(screen.text()).toContain(
      `-a: 1<U+0020>\n+a:<U+0020>\n+  ${'漢'.repeat(18)}\n| ${'漢'.repeat(19)}\n| ${'漢'.repeat(3)}+ b: 2\n`,
    );
  });

  // OUTP-001, for eyes: a diff is what a person decides by.
  it('shows nothing that the terminal obeys, whatever the file or the agent wrote [TTY-3]', async () => {
    const base = 'a: 1\n"\u202eb\u2066": "x\u0085y" # \u2028z\u200b\nc: 1 # x\r+d: 2\n';
    const here = shop('human', base);
    await here.propose(
      [swap('1', '"\u202egnp.exe\u2028"', base)],
      '\u001b[2J\u001b]52;c;aGk=\u0007\u001b]8;;http://x\u001b\\\u009b31m\r\u202eann approved\n',
      base,
    );
    const screen = here.at(['review', '--no-color'], { columns: 120, rows: 60 });
    await screen.sees(QUESTION);
    screen.types(CTRL_C);
    await screen.ends();
    const said = screen.raw().split('STTY')[0] ?? '';
    expect(said.replaceAll('\r\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    for (const shown of [
      '<U+001B>',
      '<U+009B>',
      '<U+202E>',
      '<U+2066>',
      '<U+0085>',
      '<U+200B>',
      '<U+000D>+d: 2',
    ])
      expect(said).toContain(shown);
  });
});

describe.skipIf(!HAS_TERMINAL)('approve and reject, at a terminal', () => {
  it('show the change and ask for a yes and the passphrase', async () => {
    const here = shop();
    const [yes, no] = [await here.propose(SCALE), await here.propose(SCALE)];
    const approving = here.at(['approve', yes]);
    await approving.sees('+replicas: 3');
    await approving.sees('Type yes to approve this:');
    approving.types(`yes${ENTER}`);
    await approving.sees('Passphrase');
    approving.types(PASSPHRASE + ENTER);
    await approving.sees('Approved: it can be applied now, once, exactly as shown.');
    expect(await approving.ends()).toEqual({ status: 0, isSane: true });
    const rejecting = here.at(['reject', no, '--note', 'later', '--key', here.key('bob')]);
    await rejecting.sees('Type yes to reject this:');
    rejecting.types(`yes${ENTER}`);
    await rejecting.sees('Passphrase');
    rejecting.types(PASSPHRASE + ENTER);
    expect((await rejecting.ends()).status).toBe(0);
    expect(decisionsIn(here)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ preview: yes, decision: 'approve', reviewer: 'ann' }),
        expect.objectContaining({ preview: no, decision: 'reject', reviewer: 'bob', note: 'later' }),
      ]),
    );
  });

  it.each([
    { why: 'anything but yes', answers: ['y'], key: 'ann', status: 1, says: 'Nothing was decided.' },
    {
      why: 'three wrong passphrases',
      answers: ['yes', 'a', 'b', 'c'],
      key: 'ann',
      status: 2,
      says: 'the passphrase is wrong',
    },
    {
      why: 'a key that is not on the list',
      answers: [],
      key: 'eve',
      status: 2,
      says: 'this key is not in the reviewers file',
    },
  ] as const)('decide nothing after $why [TTY-4]', async ({ answers, key, status, says }) => {
    const here = shop();
    const screen = here.at(['approve', await here.propose(SCALE), '--key', here.key(key)]);
    for (const answer of answers) {
      await screen.sees(/Type yes to approve this:|Passphrase of your reviewer key:/);
      screen.types(answer + ENTER);
    }
    expect(await screen.ends()).toEqual({ status, isSane: true });
    expect(screen.text()).toContain(says);
    expect(decisionsIn(here)).toEqual([]);
  });

  it('say in a line what is wrong with an id, and leave with 2', async () => {
    const here = shop();
    const screen = here.at(['approve', 'x'.repeat(43)]);
    expect(await screen.ends()).toEqual({ status: 2, isSane: true });
    expect(screen.text()).toContain('config-airlock: PREVIEW_NOT_FOUND: Cannot use this preview');
  });
});

const PEOPLE_ONLY = Object.entries({ review: [], approve: ['x'], reject: ['x'], keygen: ['ann'] }).map(
  ([name, args]) => ({ name, args }),
);

it.each(PEOPLE_ONLY)(
  '$name refuses in one line without a terminal, and reads no key [TTY-1]',
  async ({ name, args }) => {
    const here = shop();
    const env = { ...here.env, CONFIG_AIRLOCK_YES: '1', CONFIG_AIRLOCK_PASSPHRASE: PASSPHRASE };
    const stderr = `config-airlock: ${name} needs a person at a terminal: stdin and stdout must both be one, and nothing stands in for it\n`;
    for (const input of ['', `yes\n${PASSPHRASE}\n`])
      expect(await runCommand([name, ...args, ...here.flags], { env, input })).toEqual({
        ...{ status: 2, stdout: '', stderr },
      });
  },
);

it('no command has a flag that stands in for a person or carries a passphrase [TTY-1]', () => {
  const flags = COMMANDS.flatMap(({ options }) => options.map(({ name }) => name));
  expect(flags).toContain('key');
  expect(flags.filter((flag) => /yes|force|pass|no-input|batch/i.test(flag))).toEqual([]);
});
