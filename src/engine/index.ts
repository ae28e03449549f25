// Entry point of the layer that serves calls: given a call with its raw arguments, it answers with an outcome, always.
export type { Call, CallControl, Engine, EngineContext, Outcome } from './engine.ts';
export { CANCELLED } from './engine.ts';
export { explainFailure } from './failure.ts';
export { InlineEngine } from './inline-engine.ts';
export { recordRefusedWrite } from './refused-write.ts';
export { WorkerEngine } from './worker-engine.ts';
