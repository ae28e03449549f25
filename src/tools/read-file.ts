// From a file argument to its tree, for every tool, with the file named in each refusal.
import { type ConfigFile, readConfigFile, requireParsableSize } from '../adapters/index.ts';
import { Refusal, type Snapshot, type Where } from '../security/index.ts';
import type { CallContext } from './tool.ts';

export interface ReadFile extends ConfigFile {
  readonly snapshot: Snapshot;
}

/** Throws YAML_LIMIT for a file that is too large to be parsed, before it is read. */
export function readSnapshot(file: string, { sandbox, policy }: CallContext): Snapshot {
  const opened = sandbox.open(sandbox.parse(file));
  try {
    locating({ file }, () => requireParsableSize(opened.sizeBytes, policy.limits));
  } catch (error) {
    opened.close();
    throw error;
  }
  return opened.read();
}

export function readFile(file: string, context: CallContext): ReadFile {
  const snapshot = readSnapshot(file, context);
  return locating({ file }, () => ({
    snapshot,
    ...readConfigFile(snapshot.path, snapshot.text, context.policy.limits),
  }));
}

/** Runs `work`; a refusal that leaves it says where it happened. */
export function locating<Result>(where: Where, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof Refusal ? error.at(where) : error;
  }
}
