// A "no" to a whole outlives the whole, as long as a part of it is kept.
import { expect, it } from 'vitest';
import { AuditTrail, Decisions, PreviewStore } from '../../../src/security/index.ts';
import { AT, draft } from '../store/ground.ts';
import { reviewing } from './reviewing.ts';

it('a "no" to the whole counts for its part after a flood has dropped the whole and the trail has rotated [APR-5]', () => {
  const { state, log, say, reviewers } = reviewing();
  const now = () => new Date(AT);
  // As in store/state.ts.
  const kept = () => ({ previews: previews.remembered, changes: new Set<string>(), at: '~' });
  const options = { folder: state.audit, lock: () => state.lock(), now, kept, isDiskLow: () => false };
  const make = () => new AuditTrail({ ...options, rotateBytes: 2000 });
  const trail = make();
  const decisions = new Decisions({ trail, reviewers: () => reviewers, log });
  const previews: PreviewStore = new PreviewStore({
    ...{ roots: '0'.repeat(64), folder: state.previews, texts: state.texts, decisions, trail },
    ...{ log: log.withTrail(trail), now, bounds: { previews: 4, totalBytes: 1e6, previewBytes: 1e6 } },
  });
  let n = 0;
  const save = (more = {}) =>
    previews.save(draft({ caller: { name: `c${n}`, version: '1' }, request: { n: n++ }, ...more }))?.id ?? '';
  const whole = save();
  const origin = { kind: 'part', of: whole, kept: [0] } as const;
  const part = save({ origin });
  say('approve', part, { trail });
  say('part', whole, { trail, part });
  say('reject', whole, { trail, by: 'bob' });
  const about = { origin, caller: { name: 'c', version: '1' } };
  expect(decisions.status(part, about).state).toBe('rejected');
  for (let i = 0; i < 3; i += 1) save();
  expect(state.previews.names()).not.toContain(`${whole}.json`);
  expect(state.previews.names()).toContain(`${part}.json`);
  for (let i = 0; i < 10; i += 1)
    trail.append(() => [{ action: 'config_set', outcome: 'refused', file: 'x'.repeat(300) }]);
  const fresh = new Decisions({ trail: make(), reviewers: () => reviewers, log });
  expect(fresh.status(part, about).state).toBe('rejected');
});
