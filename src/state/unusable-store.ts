// A store in place of a state that cannot be used. Each operation throws the fault, so that files can still be read, but not written.
import { randomHex } from './canonical-json.ts';
import type { StateFault } from './fault.ts';
import type { StateStore } from './store.ts';

export function unusableStore(fault: StateFault): StateStore {
  const reject = (): Promise<never> => Promise.reject(fault);
  return {
    id: '',
    // This key is for fingerprints of this run only.
    maskingKey: randomHex(32),
    ...{
      keepPreview: reject,
      findPreview: reject,
      statusOf: reject,
      waitingPreviews: reject,
      dropPreview: reject,
    },
    ...{
      dropExpired: reject,
      recordDecision: reject,
      beginChange: reject,
      endChange: reject,
      findChange: reject,
    },
    ...{
      exactFilesOf: reject,
      listChanges: reject,
      openChanges: reject,
      claimNotice: reject,
      append: reject,
      head: reject,
      holds: reject,
    },
    ...{
      unrecordedChanges: reject,
      trailAfter: reject,
      erase: reject,
    },
    close: async () => undefined,
  };
}
