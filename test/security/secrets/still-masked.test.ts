// No edit may unmask, and none may say what is masked: the result as it is shown must be what was planned, and a refusal says
// which of the two it would have done, and on which line.
import { expect, it } from 'vitest';
import { requireStillMasked } from '../../../src/security/secrets/still-masked.ts';
import { refusalOf } from '../fixture.ts';

const [P, Q] = ['<secret:0a1b2c3d>', '<secret:zzzzzzzz>'];

it('a result that is shown as it was planned is let pass', () => {
  expect(refusalOf(() => requireStillMasked(`a: ${P}\n`, `a: ${P}\n`, 'a.yaml'))).toBeUndefined();
});

const LOOSE = {
  message: 'Cannot make this edit: a masked value would no longer be masked',
  advice: 'Keep what tells that it is a secret: its key, the kind of its document, the lines around it',
};
const SAID = {
  message: 'Cannot make this edit: it writes a value that is masked here, and only a person may say one',
  advice:
    'Leave the value out, or write a reference to it, such as $' +
    '{DB_PASSWORD}; a person enters it into the file',
};

it.each([
  { why: 'shown as it is', planned: `note: ${P}\n`, shown: 'note: hunter2\n', line: 1, says: LOOSE },
  {
    why: 'shown on another line',
    planned: `a: 1\nb: 2\nnote: ${P}\n`,
    shown: 'a: 1\nb: 2\nnote: hunter2\n',
    line: 3,
    says: LOOSE,
  },
  { why: 'shown behind another secret', planned: `${P} ${P}`, shown: `${P} hunter2`, line: 1, says: LOOSE },
  {
    why: 'shown right behind another secret',
    planned: `${P}${Q}`,
    shown: `${P}hunter2`,
    line: 1,
    says: LOOSE,
  },
  { why: 'shown at the end', planned: `a: ${P}`, shown: 'a: ', line: 1, says: LOOSE },
  {
    why: 'a secret that begins as its placeholder does',
    planned: `a: ${P}`,
    shown: 'a: <secret:x',
    line: 1,
    says: LOOSE,
  },
  {
    why: 'a secret that differs in the last letter of its placeholder',
    planned: P,
    shown: `${P.slice(0, -1)}x`,
    line: 1,
    says: LOOSE,
  },
  {
    why: 'a new value that is masked',
    planned: 'password: x\n',
    shown: `password: ${P}\n`,
    line: 1,
    says: SAID,
  },
  {
    why: 'a new value on another line',
    planned: 'a: 1\npassword: x\n',
    shown: `a: 1\npassword: ${P}\n`,
    line: 2,
    says: SAID,
  },
  { why: 'another secret in its place', planned: `a: ${P}`, shown: `a: ${Q}`, line: 1, says: SAID },
  { why: 'a new value right behind a secret', planned: `${P}x`, shown: `${P}${Q}`, line: 1, says: SAID },
  { why: 'a new value right before a secret', planned: `ab${P}`, shown: `${Q}${P}`, line: 1, says: SAID },
  {
    why: 'another value before a secret that is shown',
    planned: `b ${P}`,
    shown: 'c hunter2',
    line: 1,
    says: SAID,
  },
  {
    why: 'a secret far into the text that is shown',
    planned: `${'x'.repeat(99)}${P}`,
    shown: `${'x'.repeat(99)}hunter2`,
    line: 1,
    says: LOOSE,
  },
  { why: 'more than was planned', planned: 'a', shown: 'ab', line: 1, says: SAID },
])('a result that shows something else is refused: $why [DIS-10]', ({ planned, shown, line, says }) => {
  expect(refusalOf(() => requireStillMasked(planned, shown, 'a.yaml'))).toMatchObject({
    code: 'POLICY_DENIED',
    message: says.message,
    where: { file: 'a.yaml', line },
    clues: { advice: [says.advice] },
  });
});
