// An airlock whose calls are served in this process, one after the other: for tests that make thousands of calls, and for what only
// the command line says of a call.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome as EngineOutcome } from '../../src/engine/engine.ts';
import { InlineEngine } from '../../src/engine/inline-engine.ts';
import { createLog } from '../../src/security/audit/log.ts';
import { type Airlock, type AirlockOptions, openAirlock } from '../../src/server.ts';
import { memoryDisk } from './memory-disk.ts';
import { tempRoot } from './temp-root.ts';

export interface InlineAirlock {
  /** `by`: a person at a terminal, a command of the operator, or a principal whom a transport has verified. */
  call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    by?: 'terminal' | 'operator' | { readonly principal: string },
  ): Promise<EngineOutcome>;
  /** The bytes on the disk; undefined where there is no file. */
  disk(file: string): string | undefined;
  write(file: string, text: string | undefined): void;
  /** Another server on the same files and the same state, with other options. */
  again(options: Partial<AirlockOptions>): Promise<InlineAirlock>;
  /** For what is asked beside calls. */
  readonly airlock: Airlock;
  close(): void;
}

export function inlineAirlock(
  files: Readonly<Record<string, string>>,
  options: Partial<AirlockOptions> = {},
): Promise<InlineAirlock> {
  const place = tempRoot(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [join('root', name), text])),
    memoryDisk(),
  );
  return opened(place.dir, options, () => place.remove());
}

async function opened(
  dir: string,
  options: Partial<AirlockOptions>,
  remove: () => void,
): Promise<InlineAirlock> {
  const log = createLog({ level: 'error', format: 'json', isSilent: true });
  const airlock = await openAirlock({
    roots: [join(dir, 'root')],
    stateDir: join(dir, 'state'),
    log,
    ...options,
  });
  const engine = new InlineEngine(airlock);
  let count = 0;
  const file = (name: string) => join(dir, 'root', name);
  return {
    call: (tool, args, by) => {
      count += 1;
      const verified = typeof by === 'object' ? { ...by, scopes: ['config:read', 'config:write'] } : {};
      const caller = { name: 'test', version: '1', ...verified };
      const writes = args['dry_run'] === false || tool === 'config_apply';
      const isOperator = by === 'operator' || by === 'terminal';
      const said = by === 'terminal' ? { confirmed: by, isOperator } : { isOperator };
      const call = { requestId: `${count}`, tool, args, caller, writes, ...said };
      return engine.run(call, { signal: new AbortController().signal, progress: undefined });
    },
    disk: (name) => {
      try {
        return readFileSync(file(name), 'utf8');
      } catch {
        return undefined;
      }
    },
    write: (name, text) =>
      text === undefined ? rmSync(file(name), { force: true }) : writeFileSync(file(name), text),
    airlock,
    again: (others) => opened(dir, { ...options, ...others }, () => undefined),
    close: () => {
      engine.close();
      airlock.state?.dir?.close();
      airlock.sandbox.close();
      remove();
    },
  };
}
