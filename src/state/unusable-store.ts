// Stands in for a state that cannot be used: files can still be read, nothing can be written, and each operation says why.
import { randomHex } from './canonical-json.ts';
import type { StateFault } from './fault.ts';
import type { StateStore } from './store.ts';

export function unusableStore(fault: StateFault): StateStore {
  const fail = (): Promise<never> => Promise.reject(fault);
  return {
    id: '',
    // This key is for fingerprints of this run only.
    maskingKey: randomHex(32),
    ...{ keepPreview: fail, findPreview: fail, statusOf: fail, waitingPreviews: fail, dropPreview: fail },
    ...{ dropExpired: fail, recordDecision: fail, beginChange: fail, endChange: fail, findChange: fail },
    ...{
      exactFilesOf: fail,
      listChanges: fail,
      openChanges: fail,
      claimNotice: fail,
      append: fail,
      head: fail,
      holds: fail,
    },
    ...{
      unrecordedChanges: fail,
      trailAfter: fail,
      become: fail,
      erase: fail,
      rows: () => ({ [Symbol.asyncIterator]: () => ({ next: fail }) }),
    },
    close: async () => undefined,
  };
}
