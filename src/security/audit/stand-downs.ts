// What people have said no to, by the records of the trail, until the previews expire: changes of the same nodes need a
// person meanwhile. What a record does not say clearly counts as the whole file.
import type { StandDown } from '../policy/facts.ts';
import { fileKey, recordedKey } from './past-changes.ts';

interface No {
  readonly by: string | undefined;
  readonly until: string;
  /** Pointers to the nodes that the preview would have changed, by the key of the file. */
  readonly touched: ReadonlyMap<string, readonly string[]>;
}

export interface NoRecord {
  readonly preview: string;
  readonly by: string | undefined;
  readonly until: string;
  readonly file: string;
  readonly touched: readonly string[];
}

export class StandDowns {
  readonly #noes = new Map<string, No>();

  note({ preview, by, until, file, touched }: NoRecord): void {
    const known = this.#noes.get(preview);
    const key = recordedKey(file);
    const nodes = [...new Set([...(known?.touched.get(key) ?? []), ...touched])];
    this.#noes.set(preview, {
      by: known?.by ?? by,
      until: known !== undefined && known.until > until ? known.until : until,
      touched: new Map(known?.touched).set(key, nodes),
    });
  }

  ofFile(file: string, now: string): readonly StandDown[] {
    const key = fileKey(file);
    return [...this.#noes].flatMap(([preview, { by, until, touched }]) => {
      const nodes = touched.get(key);
      return nodes === undefined || until <= now ? [] : [{ preview, by, until, touched: nodes }];
    });
  }

  *records(isKept: (preview: string, until: string) => boolean): Generator<NoRecord> {
    for (const [preview, { by, until, touched }] of this.#noes)
      if (isKept(preview, until))
        for (const [file, nodes] of touched) yield { preview, by, until, file, touched: nodes };
  }
}
