// Makes the call for all nodes of a pattern, where the pattern was sent to a tool for one node.
import { type Refusal, unlessRefused } from '../../security/index.ts';
import { isPattern, parsePath } from '../tree/path-syntax.ts';
import type { Call, RecoveryStep } from './steps.ts';

/** Answers the step; undefined where no pattern was given. */
export function forEachMatch({ code }: Refusal, { tool, args }: Call): RecoveryStep | undefined {
  if (code !== 'NODE_PATH_INVALID') return undefined;
  const { file, path, dry_run: _, expected_sha256: expected, ...others } = args;
  if (typeof file !== 'string' || typeof path !== 'string' || !isPatternText(path)) return undefined;
  if (tool === 'config_get')
    return {
      do: 'See all that match, with their values',
      tool: 'config_search',
      arguments: { pattern: file, key: path },
    };
  if (tool !== 'config_set') return undefined;
  const guard = expected === undefined ? {} : { expected_sha256: expected };
  const edits = [{ op: 'set', file, path, ...others }];
  return { do: 'Preview the change of all that match', tool: 'config_edit', arguments: { edits, ...guard } };
}

function isPatternText(path: string): boolean {
  return unlessRefused(() => isPattern(parsePath(path))) === true;
}
