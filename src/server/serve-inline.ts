// Serves calls in this thread, where there is no other. It is a module of its own, so that a start does not load the tools.
import { type Engine, InlineEngine } from '../engine/index.ts';
import type { Airlock } from './airlock.ts';

export function inlineEngine(airlock: Airlock): Engine {
  return new InlineEngine(airlock, airlock.tools);
}
