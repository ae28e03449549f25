// What the processes do that tests kill: previews, decisions and changes with every outcome, one after the other. Each step
// that was answered is a line on stdout before the next one begins. It runs the built code.
import { writeSync } from 'node:fs';
import { encodeRecord } from '../../../dist/state/index.js';
import { at, changeDraft, committed, decided, previewDraft, proposed, refused } from '../records.mjs';

const OUTCOMES = ['applied', 'rolled_back', 'unknown'];
const BOUNDS = { previews: 8, totalBytes: 1e6 };

export async function rounds(store, count, who, said = onStdout) {
  for (let round = 0; round < count; round += 1) await oneRound(store, round, who, said);
}

async function oneRound(store, round, who, said) {
  const texts = ['shared: 1\n', `${who}: ${round}\n`, 'large: '.padEnd(9_000, 'x')];
  const preview = encodeRecord(previewDraft({ texts, time: round }));
  const kept = { ...preview, bounds: BOUNDS, now: at(round) };
  await store.keepPreview(kept, proposed(preview.id, round));
  said('kept', preview.id);
  const decision = await store.recordDecision(preview.id, decided(preview.id, 'approve', round));
  said('decided', preview.id);
  const change = encodeRecord(changeDraft({ texts, time: round, preview: preview.id }));
  const claim = { preview: preview.id, whole: undefined, decidedAt: decision.seq };
  await store.beginChange({ ...change, exact: [] }, committed(change.id, 'intent', preview.id), claim);
  said('begun', change.id);
  const outcome = OUTCOMES[round % OUTCOMES.length];
  await store.endChange(change.id, committed(change.id, outcome, preview.id));
  said(outcome, change.id);
  await store.append([refused(round), refused(round)], true);
  if (round % 4 === 3) await store.dropPreview(preview.id);
  if (round % 4 === 3) said('dropped', preview.id);
}

function onStdout(what, id) {
  writeSync(1, `${JSON.stringify({ what, id })}\n`);
}
