// What the processes do that tests kill: previews, decisions and writes with every end, one after the other. Each step that was
// answered is a line on stdout before the next one begins. It runs the built code.
import { writeSync } from 'node:fs';
import { encodePreview } from '../../../dist/state/preview.js';
import { begun, draft, event, refused } from '../events.mjs';

const ENDS = ['applied', 'rolled_back', 'unknown'];

export async function rounds(store, count, who) {
  for (let round = 0; round < count; round += 1) await oneRound(store, round, who);
}

async function oneRound(store, time, who) {
  const texts = ['shared: 1\n', `${who}: ${time}\n`, 'large: '.padEnd(9_000, 'x')];
  const preview = await encodePreview(draft({ texts, time }));
  const { id } = preview;
  await store.keep(preview, event('previewed', id, { time }), { bounds: { previews: 8, totalBytes: 1e6 } });
  said('previewed', id);
  const decision = await store.decide(id, [event('approved', id, { time })]);
  said('approved', id);
  await store.begin(begun(id, { time }), { decidedAt: decision.seq });
  said('begun', id);
  await store.end(event(ENDS[time % 3], id, { time }));
  said(ENDS[time % 3], id);
  const direct = await encodePreview(draft({ texts, time }));
  await store.begin(begun(direct.id, { time }), { decidedAt: 0 }, direct);
  said('begun', direct.id);
  await store.end(event(ENDS[(time + 1) % 3], direct.id, { time }));
  await store.append([refused(time), refused(time)], true);
}

function said(what, id) {
  writeSync(1, `${JSON.stringify({ what, id })}\n`);
}
