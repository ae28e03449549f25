// What every engine does alike: one suite, for each of them.
import { afterEach, beforeEach, describe } from 'vitest';
import { faultCases } from './faults.ts';
import type { Ground } from './ground.ts';
import { previewCases } from './previews.ts';
import { stringCases } from './strings.ts';
import { trailCases } from './trail.ts';
import { writeCases } from './writes.ts';

/** `isShared`: others can get at the state. */
export function stateSuite(name: string, isShared: boolean, start: () => Promise<Ground>): void {
  let current: Ground | undefined;
  const ground = () => {
    if (current === undefined) throw new Error('no case is running');
    return current;
  };

  describe(name, () => {
    beforeEach(async () => {
      current = await start();
    });
    afterEach(async () => {
      await current?.end();
      current = undefined;
    });

    describe('previews', () => previewCases(ground));
    describe('writes and decisions', () => writeCases(ground));
    describe('the trail', () => trailCases(ground));
    describe('strings', () => stringCases(ground));
    describe.runIf(isShared)('faults', () => faultCases(ground));
  });
}
