// What was rejected or used stays so, also where its file is taken away until the trail has begun new files, and put back.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AuditTrail, Decisions, PreviewStore } from '../../../src/security/index.ts';
import { codeOf } from '../fixture.ts';
import { CHANGE_ID, draft, look } from '../store/ground.ts';
import { reviewing } from './reviewing.ts';

function putBack(confirmed_by: string, minutes: number) {
  const { state, log, say, reviewers, dir, here } = reviewing();
  let time = Date.parse('2026-11-21T12:00:00.000Z');
  const now = () => new Date(time);
  const open = () => {
    const kept = () => ({ previews: store.remembered, changes: new Set<string>(), at: now().toISOString() });
    const options = { folder: state.audit, lock: () => state.lock(), now, kept, isDiskLow: () => false };
    const trail = new AuditTrail({ ...options, rotateBytes: 1_000 });
    const decisions = new Decisions({ trail, reviewers: () => reviewers, log });
    const own = { roots: '0'.repeat(64), folder: state.previews, texts: state.texts, decisions, trail, now };
    const store: PreviewStore = new PreviewStore({ ...own, log: log.withTrail(trail) });
    return { trail, store };
  };
  const { trail, store } = open();
  const approval = confirmed_by === 'human' ? 'human' : 'preview';
  const id = store.save(draft({ approval }))?.id ?? '';
  if (confirmed_by === 'nobody') say('reject', id, { trail });
  else
    trail.append(() => [
      { action: 'commit', outcome: 'applied', preview: id, change_id: CHANGE_ID, confirmed_by },
    ]);
  const file = join(dir, 'previews', `${id}.json`);
  const text = readFileSync(file, 'utf8');
  rmSync(file);
  time += minutes * 60_000;
  for (let n = 0; n < 20; n += 1) trail.append(() => [{ action: 'x', file: 'x'.repeat(200) }]);
  here.write(`state/previews/${id}.json`, text, 0o600);
  return { id, known: [trail, open().trail], stores: [store, open().store] };
}

describe('a preview that is put back behind new files of the trail [APR-5]', () => {
  it.each([
    { why: 'used with a signature', by: 'human', minutes: 6 * 24 * 60, code: 'PREVIEW_USED' },
    { why: 'used', by: 'preview', minutes: 10, code: 'PREVIEW_USED' },
    { why: 'used, and is too old', by: 'preview', minutes: 16, code: 'PREVIEW_EXPIRED' },
  ])('was $why, and is so still', ({ by, minutes, code }) => {
    const { id, stores } = putBack(by, minutes);
    for (const store of stores) expect(codeOf(() => store.load(id, look))).toBe(code);
  });

  it('was rejected, and is so still', () => {
    const { id, known } = putBack('nobody', 6 * 24 * 60);
    for (const trail of known) expect(trail.statusOf(id).rejectedBy).toBe('ann');
  });
});
