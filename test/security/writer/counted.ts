// A folder whose calls are told before they are made, those of the folders below it too: to write down their order,
// or to throw, as if the process had been killed there. The same in every thread, and without a process of its own.
import type { HeldDirectory } from '../../../src/security/containment/held.ts';

/** Told the name of the call and of what it is about; what it throws is what the call throws. */
export type Heed = (call: string, name: string) => void;

const inner = new WeakMap<object, HeldDirectory>();

export function counted(directory: HeldDirectory, heed: Heed): HeldDirectory {
  const told = new Proxy(directory, {
    get: (_target, key) => {
      const member: unknown = Reflect.get(directory, key, directory);
      if (typeof member !== 'function') return member;
      return (...args: readonly unknown[]): unknown => {
        if (key !== 'close') heed(String(key), args.filter((arg) => typeof arg === 'string').join(' '));
        if (key === 'enter') return below(directory.enter(String(args[0])), heed);
        return Reflect.apply(member, directory, args.map(ownOf));
      };
    },
  });
  inner.set(told, directory);
  return told;
}

function below(entered: ReturnType<HeldDirectory['enter']>, heed: Heed): ReturnType<HeldDirectory['enter']> {
  return typeof entered === 'string' ? entered : counted(entered, heed);
}

function ownOf(arg: unknown): unknown {
  return typeof arg === 'object' && arg !== null ? (inner.get(arg) ?? arg) : arg;
}
