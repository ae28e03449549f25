// A reviewer sees fingerprints, and may ask for the values that are masked; the audit trail says who did.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeReviewerKey } from '../../src/security/approval/reviewer-key.ts';
import { Refusal } from '../../src/security/errors/refusal.ts';
import { StartError } from '../../src/security/errors/start-error.ts';
import { preview, stage } from '../harness/previews.ts';
import { trailOf } from '../harness/state.ts';
import { serviceOf } from './fixture.ts';

const TEXT = 'db:\n  password: kanari-reviewed\n  port: 1\n';

async function proposed() {
  const at = stage({ 'a.yaml': TEXT });
  const [ann, eve] = [makeReviewerKey('ann'), makeReviewerKey('eve')];
  const reviewers = join(at.place, 'reviewers');
  writeFileSync(reviewers, `${ann.line}\n`, { mode: 0o600 });
  const server = await at.start(['--approval', 'human', '--reviewers', reviewers]);
  return {
    id: await preview(server, { file: 'a.yaml', path: 'db.port', value: '2' }),
    service: await serviceOf({ roots: [at.root], stateDir: at.state, approval: 'human', reviewers }),
    keys: { ann: ann.key, eve: eve.key },
    trail: () => trailOf(at.state),
    write: (text: string) => at.write('a.yaml', text),
  };
}

it('shows what is masked to a reviewer who asks, and records it before [DIS-9]', async () => {
  const { service, id, keys, trail } = await proposed();
  const view = await service.open(id);
  expect(view.is_masked).toBe(true);
  expect(JSON.stringify(view)).not.toContain('kanari');
  expect(trail().map(({ type }) => type)).toEqual(['previewed']);
  const [revealed] = await service.reveal(id, keys.ann);
  expect(revealed?.diff).toContain('   password: kanari-reviewed\n-  port: 1\n+  port: 2\n');
  expect(trail().at(-1)).toMatchObject({ type: 'revealed', about: id, reviewer: 'ann' });
  expect(JSON.stringify(trail())).not.toContain('kanari');
});

it('shows nothing with a key that is not listed, nor of a file that has changed [DIS-9]', async () => {
  const { service, id, keys, trail, write } = await proposed();
  await expect(service.reveal(id, keys.eve)).rejects.toThrow(StartError);
  write(TEXT.replace('port: 1', 'port: 3'));
  await expect(service.reveal(id, keys.ann)).rejects.toThrow(Refusal);
  expect(trail().map(({ type }) => type)).toEqual(['previewed']);
});
