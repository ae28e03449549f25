// A server that asks the person at the client before it applies a preview, spoken to in frames written by hand.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InlineEngine } from '../../../src/engine/inline-engine.ts';
import { createLog } from '../../../src/security/audit/log.ts';
import { openAirlock } from '../../../src/server.ts';
import { type RawInProcess, serveRaw } from '../../harness/raw-in-process.ts';
import { tempRoot } from '../../harness/temp-root.ts';

export interface Asking extends RawInProcess {
  /** Previews of two changes, each to a file of its own. */
  readonly one: string;
  readonly two: string;
  disk(file: 'a.yaml' | 'b.yaml'): string;
  log(): string;
  /** The state directory. */
  readonly state: string;
  remove(): void;
}

const BASE = 'n: 1\n';
export const AFTER = 'n: 2\n';

export async function startAsking(patienceMs: number): Promise<Asking> {
  const root = tempRoot({ 'a.yaml': BASE, 'b.yaml': BASE });
  const beside = tempRoot();
  const [stateDir, logFile] = [join(beside.dir, 'state'), join(beside.dir, 'log')];
  const log = createLog({ level: 'info', format: 'json', file: logFile });
  const airlock = await openAirlock({ roots: [root.dir], stateDir, log, approval: 'client' });
  const engine = new InlineEngine(airlock);
  const preview = async (file: string): Promise<string> => {
    const caller = { name: 'test', version: '1' };
    const args = { file, path: 'n', json: 2 };
    const call = { requestId: 'preview', tool: 'config_set', args, writes: false, caller };
    const control = { signal: new AbortController().signal, progress: undefined };
    const outcome = await engine.run(call, control);
    return outcome.status === 'ok' ? String(outcome.data['preview_id']) : '';
  };
  return {
    ...serveRaw({ ...airlock, answerTimeoutMs: patienceMs }),
    one: await preview('a.yaml'),
    two: await preview('b.yaml'),
    disk: (file) => readFileSync(join(root.dir, file), 'utf8'),
    log: () => readFileSync(logFile, 'utf8'),
    state: stateDir,
    remove: () => {
      root.remove();
      beside.remove();
    },
  };
}
