// `keygen` and the terminal that it needs.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openReviewerKey } from '../../src/security/approval/reviewer-key.ts';
import { readReviewers } from '../../src/security/approval/reviewers.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { atTerminal, CTRL_C, CTRL_D, ENTER, HAS_TERMINAL } from '../harness/terminal.ts';

function home() {
  const temp = tempRoot();
  onTestFinished(() => temp.remove());
  return {
    dir: temp.dir,
    env: { HOME: temp.dir },
    file: join(temp.dir, '.config/config-airlock/reviewer.key'),
  };
}

const PASSPHRASE = 'correct horse battery';

describe.skipIf(!HAS_TERMINAL)('keygen', () => {
  it('makes a private key that only its passphrase opens, and a line for the reviewers file [TTY-4]', async () => {
    const { dir, env, file } = home();
    const screen = atTerminal(['keygen', 'ann'], { env });
    for (const question of ['Passphrase', 'again']) {
      await screen.sees(question);
      screen.types(PASSPHRASE + ENTER);
    }
    expect(await screen.ends()).toEqual({ status: 0, isSane: true });
    expect(screen.raw()).not.toContain('horse');
    const line = /^ann ed25519:\S+$/m.exec(screen.text())?.[0] ?? '';
    writeFileSync(join(dir, 'reviewers'), line, { mode: 0o600 });
    const pem = readFileSync(file, 'utf8');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readReviewers(join(dir, 'reviewers'), [])[0]?.id).toBe(openReviewerKey(pem, PASSPHRASE).id);
    const again = atTerminal(['keygen', 'bob'], { env });
    expect((await again.ends()).status).toBe(2);
    expect(again.text()).toContain('never overwritten');
    expect(readFileSync(file, 'utf8')).toBe(pem);
  });

  it('asks again for a passphrase that is short or was typed differently', async () => {
    const { env, file } = home();
    const screen = atTerminal(['keygen', 'ann'], { env });
    for (const [question, answer] of [
      ['Passphrase', 'short'],
      ['too short', ''],
      ['Passphrase', PASSPHRASE],
      ['again', `${PASSPHRASE}x`],
      ['differ', ''],
      // Typed wrongly, and mended.
      ['Passphrase', `wrong\u0015${PASSPHRASE}x\u007f`],
      ['again', PASSPHRASE],
    ] as const) {
      await screen.sees(question);
      if (answer !== '') screen.types(answer + ENTER);
    }
    expect((await screen.ends()).status).toBe(0);
    expect(existsSync(file)).toBe(true);
  });

  it.each([
    { why: 'Ctrl-C', key: CTRL_C, status: 130 },
    { why: 'Ctrl-D', key: CTRL_D, status: 1 },
  ])('leaves nothing behind after $why, and a terminal that echoes', async ({ key, status }) => {
    const { env, file } = home();
    const screen = atTerminal(['keygen', 'ann'], { env });
    await screen.sees('Passphrase');
    screen.types(key);
    expect(await screen.ends()).toEqual({ status, isSane: true });
    expect(existsSync(file)).toBe(false);
  });
});
