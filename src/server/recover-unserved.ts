// For an airlock that is not served yet. Apart, so that a start does not load the formats.
import { type EngineContext, recoverJudged, servedSandbox } from '../engine/index.ts';

export function recoverUnserved(context: EngineContext): Promise<void> {
  return recoverJudged({ ...context, sandbox: servedSandbox(context) });
}
