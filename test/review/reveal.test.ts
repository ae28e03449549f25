// A reviewer sees fingerprints, and may ask for the values that are masked; the audit trail says who did.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { InlineEngine } from '../../src/engine/index.ts';
import { ReviewService } from '../../src/review/index.ts';
import { closeState, createLog, makeReviewerKey, Refusal, StartError } from '../../src/security/index.ts';
import { openAirlock } from '../../src/server.ts';
import { fullIdIn, trailOf } from '../harness/state.ts';
import { tempRoot } from '../harness/temp-root.ts';

const TEXT = 'db:\n  password: kanari-reviewed\n  port: 1\n';

async function proposed() {
  const place = tempRoot({ 'root/a.yaml': TEXT, 'state/.keep': '' });
  onTestFinished(place.remove);
  const [ann, eve] = [makeReviewerKey('ann'), makeReviewerKey('eve')];
  const reviewers = join(place.dir, 'reviewers');
  writeFileSync(reviewers, `${ann.line}\n`, { mode: 0o600 });
  const airlock = await openAirlock({
    roots: [join(place.dir, 'root')],
    stateDir: join(place.dir, 'kept'),
    approval: 'human',
    reviewers,
    log: createLog({ level: 'error', format: 'json', isSilent: true }),
  });
  const { state, policy, sandbox } = airlock;
  if (state === undefined) throw new Error('it keeps a state');
  onTestFinished(() => closeState(state));
  const args = { file: 'a.yaml', path: 'db.port', value: '2' };
  const call = {
    tool: 'config_set',
    args,
    requestId: 'r',
    caller: { name: 't', version: '1' },
    writes: false,
  };
  const control = { signal: new AbortController().signal, progress: undefined };
  const outcome = await new InlineEngine(airlock).run(call, control);
  const id = 'data' in outcome ? outcome.data['preview_id'] : undefined;
  if (typeof id !== 'string') throw new Error('a preview was kept');
  const trail = () => trailOf(join(place.dir, 'kept'));
  const write = (text: string) => writeFileSync(join(place.dir, 'root', 'a.yaml'), text);
  return {
    service: new ReviewService({ policy, sandbox, state }),
    id: fullIdIn(join(place.dir, 'kept'), id),
    keys: { ann: ann.key, eve: eve.key },
    trail,
    write,
  };
}

it('shows what is masked to a reviewer who asks, and records it before [DIS-9]', async () => {
  const { service, id, keys, trail } = await proposed();
  const view = await service.open(id);
  expect(view.is_masked).toBe(true);
  expect(JSON.stringify(view)).not.toContain('kanari');
  expect(trail().map(({ action }) => action)).toEqual(['propose']);
  const [revealed] = await service.reveal(id, keys.ann);
  expect(revealed?.diff).toContain('   password: kanari-reviewed\n-  port: 1\n+  port: 2\n');
  expect(trail().at(-1)).toMatchObject({ action: 'reveal', preview: id, reviewer: 'ann' });
  expect(JSON.stringify(trail())).not.toContain('kanari');
});

it('shows nothing with a key that is not listed, nor of a file that has changed [DIS-9]', async () => {
  const { service, id, keys, trail, write } = await proposed();
  await expect(service.reveal(id, keys.eve)).rejects.toThrow(StartError);
  write(TEXT.replace('port: 1', 'port: 3'));
  await expect(service.reveal(id, keys.ann)).rejects.toThrow(Refusal);
  expect(trail().map(({ action }) => action)).toEqual(['propose']);
});
