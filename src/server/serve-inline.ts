// Makes the engine that serves calls in this thread. It is a separate module, so that a start does not load the tools.
import type { Engine } from '../engine/engine.ts';
import { InlineEngine } from '../engine/inline-engine.ts';
import type { Airlock } from './airlock.ts';

export function inlineEngine(airlock: Airlock): Engine {
  return new InlineEngine(airlock, airlock.tools);
}
