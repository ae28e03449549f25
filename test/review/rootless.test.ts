// The review on a machine that has the state and not the files: it shows what base text and edits give, decides, and says what
// it cannot know there.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DEFAULT_ALLOW } from '../../src/adapters/formats/extensions.ts';
import { approvalText } from '../../src/review/approval-text.ts';
import { ReviewService } from '../../src/review/review-service.ts';
import { createLog } from '../../src/security/audit/log.ts';
import { openSandbox } from '../../src/security/sandbox/open-sandbox.ts';
import { closeStore } from '../../src/security/state/open-store.ts';
import { openState } from '../../src/security/state/state.ts';
import { codeOfLater } from '../harness/refusals.ts';
import { BASE, reviewFixture, swap } from './fixture.ts';

const SCALE = [swap('2', '3')];

async function elsewhere() {
  const fixture = await reviewFixture();
  const { here, now } = fixture;
  const policy = { ...here.policy({ approval: 'human', allow: DEFAULT_ALLOW }), roots: [] };
  const log = createLog({ level: 'error', format: 'json', file: join(here.base, 'elsewhere.jsonl') });
  const place = { directory: join(here.base, 'state') };
  const state = await openState(
    { location: place, reviewers: join(here.base, 'reviewers') },
    policy,
    log,
    now,
  );
  onTestFinished(() => closeStore(state));
  const sandbox = openSandbox(policy, log);
  return { ...fixture, away: new ReviewService({ policy, sandbox, state, now }) };
}

it('shows and approves what an agent has asked for, and the server applies it [TTY-2]', async () => {
  const { away, service, propose, keys, askToApply } = await elsewhere();
  const id = await propose(SCALE);
  expect(await away.pending()).toMatchObject({ previews: [{ id, state: 'pending' }], elsewhere: 0, left: 0 });
  const view = await away.open(id);
  const { state: _, ...shown } = (await service.open(id)).files[0] ?? {};
  expect(view.files).toEqual([{ ...shown, state: 'elsewhere' }]);
  await away.approve(id, keys.ann);
  expect(approvalText(await away.open(id))).toEqual({
    text: 'Approved: it can be applied once, exactly as shown, unless its files have changed; they are on another machine.',
    isApplicable: true,
  });
  expect((await askToApply(id)).reviewer).toBe('ann');
});

it('cannot tell whether a file has changed, and shows no masked value', async () => {
  const { away, here, propose, keys } = await elsewhere();
  const id = await propose(SCALE);
  writeFileSync(join(here.root, 'a.yaml'), BASE.replace('2', '9'));
  const view = await away.open(id);
  expect(view).toMatchObject({ files: [{ state: 'elsewhere' }] });
  expect(await codeOfLater(() => away.reveal(id, keys.ann))).toBe('FILE_NOT_FOUND');
});
