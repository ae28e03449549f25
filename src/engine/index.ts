// The entry point of the layer that serves calls: every call with its raw arguments gets an outcome.
export {
  CANCELLED,
  type Call,
  type CallControl,
  type Engine,
  type EngineContext,
  type Outcome,
} from './engine.ts';
export { explainFailure } from './failure.ts';
export { InlineEngine } from './inline-engine.ts';
export { RefusedWrites } from './refused-writes.ts';
export { type StartedThread, startThread } from './start-thread.ts';
export { WorkerEngine } from './worker-engine.ts';
