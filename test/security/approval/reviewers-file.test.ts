// The file that lists the reviewers: whom it may belong to, and which keys it may hold.
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeReviewerKey, openReviewerKey, readReviewers } from '../../../src/security/index.ts';
import { codeOf, place } from '../fixture.ts';

describe('the reviewers file', () => {
  it.each([
    { why: 'others may write to it', text: '', mode: 0o666 },
    { why: 'it names nobody', text: '# nobody\n', mode: 0o600 },
    { why: 'a line is none', text: 'ann ed25519:short\n', mode: 0o600 },
  ])('stops the start where $why', ({ text, mode }) => {
    const here = place();
    const file = here.write('reviewers', text === '' ? makeReviewerKey('ann', 'x').line : text);
    chmodSync(file, mode);
    expect(codeOf(() => readReviewers(file, [here.root]))).toBe('StartError');
  });

  it('stops the start inside a root, and where one key has two names', () => {
    const here = place();
    const { line } = makeReviewerKey('ann', 'x');
    const inside = here.write('root/reviewers', line, 0o600);
    const twice = here.write('reviewers', `${line}\n${line.replace('ann', 'bob')}\n`, 0o600);
    for (const file of [inside, twice])
      expect(codeOf(() => readReviewers(file, [here.root]))).toBe('StartError');
  });

  it.skipIf(process.platform === 'win32')(
    'stops the start where everybody can replace it, also behind a link [APR-7]',
    () => {
      const here = place();
      const { line } = makeReviewerKey('ann', 'x');
      const open = join(here.base, 'open');
      mkdirSync(join(open, 'own'), { recursive: true, mode: 0o755 });
      const files = ['open/reviewers', 'open/own/reviewers'].map((name) => here.write(name, line, 0o600));
      symlinkSync(join(open, 'own/reviewers'), join(here.base, 'link'));
      const good = here.write('good', line, 0o600);
      symlinkSync(good, join(open, 'own/there'));
      symlinkSync(join(open, 'own/there'), join(here.base, 'far'));
      const all = [...files, join(here.base, 'link'), join(open, 'own/there'), join(here.base, 'far')];
      for (const file of all)
        expect(
          codeOf(() => readReviewers(file, [here.root])),
          file,
        ).toBe('no error');
      chmodSync(open, 0o777);
      for (const file of all)
        expect(
          codeOf(() => readReviewers(file, [here.root])),
          file,
        ).toBe('StartError');
      chmodSync(open, 0o1777);
      for (const file of all)
        expect(
          codeOf(() => readReviewers(file, [here.root])),
          file,
        ).toBe('no error');
    },
  );

  it('goes with a key that only its passphrase opens', () => {
    const { privatePem } = makeReviewerKey('ann', 'right');
    expect(privatePem).toContain('ENCRYPTED');
    expect(codeOf(() => openReviewerKey(privatePem, 'wrong'))).toBe('StartError');
    expect(codeOf(() => makeReviewerKey('an n', 'x'))).toBe('StartError');
  });
});
