// What a flood leaves: a trail of ten million records, and two hundred thousand previews of one agent. Prints how
// long a start behind it takes.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { AuditTrail, openStateDir } from '../../src/security/index.ts';
import { preview, SET_TEXT, stage } from '../harness/previews.ts';
import { draft, idOf, look } from '../security/store/ground.ts';
import { served } from '../security/store/served.ts';

const RECORDS = 10_000_000;
const PREVIEWS = 200_000;
const HOUR = 3_600_000;

const FLOOD = fileURLToPath(new URL('../../bench/flood.mjs', import.meta.url));

it(`starts and applies behind ${RECORDS} records, and verifies them all (finding 15.1)`, {
  timeout: HOUR,
}, async () => {
  const at = stage();
  const first = await at.start();
  await first.ok('config_apply', { preview_id: await preview(first) });
  await first.close();
  const dir = openStateDir(at.state, [{ name: undefined, dir: at.root }]);
  const kept = () => ({
    previews: new Set<string>(),
    changes: new Set(readdirSync(join(at.state, 'changes')).map((name) => name.replace('.json', ''))),
    at: new Date().toISOString(),
  });
  const trail = new AuditTrail({
    ...{ folder: dir.audit, lock: () => dir.lock(), now: () => new Date(), kept, isDiskLow: () => false },
  });
  const record = {
    ...{ action: 'config_set', outcome: 'refused', file: 'a.yaml', code: 'PREVIEW_REQUIRED' },
    ...{ caller: { name: 'flood', version: '1' }, request_id: 'x'.repeat(36) },
  };
  const batch = Array.from({ length: 10_000 }, () => record);
  for (let done = 0; done < RECORDS; done += batch.length) trail.note(() => batch);
  trail.flush();
  dir.close();
  at.write('a.yaml', 'a: 1 # one\nb: 2\n');

  // It prints how long each took: speed is judged there.
  const flood = spawnSync(process.execPath, [FLOOD, at.root, at.state], { encoding: 'utf8' });
  process.stderr.write(`${RECORDS} records: ${flood.stdout}${flood.stderr}`);
  expect(flood.stdout).toMatch(/The audit trail is intact: 10[,\d]+ records/u);
  expect(at.disk('a.yaml')).toBe(SET_TEXT);
});

it(`keeps its bounds over ${PREVIEWS} previews of one agent, and shows all that waits (finding 15.5)`, {
  timeout: HOUR,
}, () => {
  const { open, dir } = served({ approval: 'preview' });
  const { previews } = open();
  const waiting = Array.from({ length: 10 }, (_, n) =>
    idOf(previews, { caller: { name: `agent ${n}`, version: '1' } }),
  );
  for (let n = 0; n < PREVIEWS; n += 1) {
    idOf(previews, { approval: 'preview', warnings: [`${n}`] });
    if (n % 1_000 === 0) expect(readdirSync(join(dir, 'previews')).length).toBeLessThanOrEqual(510);
  }
  const seen = previews.waiting();
  expect(waiting.filter((id) => !seen.includes(id))).toEqual([]);
  for (const id of waiting) expect(previews.load(id, look).record.files).toEqual(draft().files);
  expect(readdirSync(join(dir, 'texts'))).toHaveLength(1);
});
