// Serves calls in this thread, where none of its own does. Apart, so that a start does not load the tools.
import { type Engine, InlineEngine } from '../engine/index.ts';
import type { Airlock } from './airlock.ts';

export function inlineEngine(airlock: Airlock): Engine {
  return new InlineEngine(airlock, airlock.tools);
}
