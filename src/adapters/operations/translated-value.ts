// Offers YAML that was sent for a file of another format as data, in the call that a refusal suggests.
import { DEFAULT_LIMITS, Refusal, unlessRefused } from '../../security/index.ts';
import { FORMATS } from '../formats/registry.ts';
import type { Json } from '../tree/json.ts';
import { isBlockCollection, walk } from '../tree/span-tree.ts';
import { toValue } from '../values/to-value.ts';

/** Returns what `work` does; if it refuses a value that is YAML, the refusal offers its data. */
export function translating<Result>(source: string | undefined, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal) || source === undefined) throw error;
    const { wantedFormat } = error.clues;
    const json = wantedFormat === undefined ? undefined : dataOf(source, wantedFormat !== 'TOML');
    if (json === undefined) throw error;
    throw error.hinting({ instead: { fields: { value: undefined, json }, what: 'Send it as json' } });
  }
}

const MAX_YAML_CHARS = 10_000;

/** Reads a mapping or a list in lines, which can only be YAML; undefined for all else, and for what would lose digits. */
function dataOf(value: string, hasNull: boolean): Json | undefined {
  if (value.length > MAX_YAML_CHARS) return undefined;
  return unlessRefused(() => {
    const { documents } = FORMATS.yaml.parse(value.endsWith('\n') ? value : `${value}\n`, DEFAULT_LIMITS);
    const [document, second] = documents;
    if (document === undefined || second !== undefined || !isBlockCollection(document.root)) return undefined;
    for (const node of walk(document.root)) {
      if (node.kind !== 'scalar') continue;
      const { typedValue } = node;
      if (typedValue === null && !hasNull) return undefined;
      if (typeof typedValue === 'number' && String(typedValue) !== node.value) return undefined;
    }
    return toValue(document, document.root);
  });
}
