// A server that asks the person at the client before it applies a preview, spoken to in frames written by hand.
// Until there is a config_apply, a stand-in with its seams.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { approvedByClient, createLog, type Look } from '../../../src/security/index.ts';
import { sha256Hex } from '../../../src/security/state/canonical-json.ts';
import { openAirlock } from '../../../src/server.ts';
import { AskFirst } from '../../../src/tools/index.ts';
import { fixtureTool, OK } from '../../harness/fixture-tools.ts';
import { type RawInProcess, serveRaw } from '../../harness/raw-in-process.ts';
import { tempRoot } from '../../harness/temp-root.ts';

export interface Asking extends RawInProcess {
  /** Previews of two changes, each to a file of its own. */
  readonly one: string;
  readonly two: string;
  disk(file: 'a.yaml' | 'b.yaml'): string;
  log(): string;
  remove(): void;
}

const BASE = 'n: 1\n';
export const AFTER = 'n: 2\n';
const EDITS = [{ start: 3, end: 4, insert: '2' }];
const CHANGE = { op: 'replace', doc: 0, path: 'n', from: '1', to: '2', line: 1 } as const;
const look: Look = (file) => ({
  diff: `--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-n: 1\n+n: 2\n`,
  changes: [CHANGE],
  removed_comments: [],
  also_affects: [],
});

export function startAsking(patienceMs: number): Asking {
  const root = tempRoot({ 'a.yaml': BASE, 'b.yaml': BASE });
  const beside = tempRoot();
  const [stateDir, logFile] = [join(beside.dir, 'state'), join(beside.dir, 'log')];
  const log = createLog({ level: 'info', format: 'json', file: logFile });
  const airlock = openAirlock({ roots: [root.dir], stateDir, log, approval: 'client' });
  const plans = airlock.state?.plans;
  const preview = (file: string): string => {
    const draft = {
      asked_by: { client: 'raw', version: '1' },
      policy: '0'.repeat(64),
      approval: 'client',
      tool: 'config_set',
      request: {},
      origin: { kind: 'edit' },
      warnings: [],
    } as const;
    const hashes = { base_sha256: sha256Hex(BASE), result_sha256: sha256Hex(AFTER) };
    const shown = { file, base: BASE, edits: EDITS, ...hashes, ...look(file, BASE, AFTER, EDITS) };
    return plans?.save({ ...draft, files: [shown] })?.id ?? '';
  };
  const apply = fixtureTool({
    name: 'config_apply',
    writes: true,
    input: { preview_id: z.string() },
    run: ({ preview_id: id }, { confirmed, policy }) => {
      const plan = plans?.load(String(id), look);
      if (plan === undefined) throw new Error('there is a store');
      if (confirmed !== 'client') throw new AskFirst(plan);
      plans?.claim(approvedByClient(plan, policy.approval), 'c'.repeat(43));
      for (const { file } of plan.plan.files) writeFileSync(join(root.dir, file), AFTER);
      return OK;
    },
  });
  const get = fixtureTool({ name: 'config_get', input: { file: z.string() }, run: () => OK });
  return {
    ...serveRaw({ ...airlock, tools: [get, apply], patienceMs }),
    one: preview('a.yaml'),
    two: preview('b.yaml'),
    disk: (file) => readFileSync(join(root.dir, file), 'utf8'),
    log: () => readFileSync(logFile, 'utf8'),
    remove: () => {
      root.remove();
      beside.remove();
    },
  };
}
