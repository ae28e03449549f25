// Translates YAML that was sent for a file of another format to that format, for the call that a refusal suggests.
import { DEFAULT_LIMITS, Refusal, unlessRefused } from '../../security/index.ts';
import { printJson } from '../edit/print.ts';
import { styleOf } from '../edit/style.ts';
import { FORMATS } from '../formats/registry.ts';
import { isBlockCollection, walk } from '../tree/span-tree.ts';
import { toValue } from '../values/to-value.ts';

/** Returns what `work` does; where it refuses a value that is YAML, the refusal gets the value in the right format. */
export function translating<Result>(source: string | undefined, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal) || source === undefined) throw error;
    const { wantedFormat: format } = error.clues;
    const value = format === undefined ? undefined : fromYaml(source, format);
    if (format === undefined || value === undefined) throw error;
    throw error.hinting({ translated: { format, value } });
  }
}

const MAX_YAML_CHARS = 10_000;

/** Translates a mapping or a list in lines, which can only be YAML; undefined for all else, and for what would lose digits. */
function fromYaml(value: string, name: string): string | undefined {
  const format = Object.values(FORMATS).find((one) => one.name === name);
  if (format === undefined || format.layout === 'block' || value.length > MAX_YAML_CHARS) return undefined;
  return unlessRefused(() => {
    const { documents } = FORMATS.yaml.parse(value.endsWith('\n') ? value : `${value}\n`, DEFAULT_LIMITS);
    const [document, second] = documents;
    if (document === undefined || second !== undefined || !isBlockCollection(document.root)) return undefined;
    for (const node of walk(document.root)) {
      const isNumber = node.kind === 'scalar' && typeof node.typedValue === 'number';
      if (isNumber && String(node.typedValue) !== node.value) return undefined;
    }
    const stream = format.parse(format.layout === 'sections' ? '' : '{}', DEFAULT_LIMITS);
    const [empty] = stream.documents;
    if (empty === undefined) return undefined;
    const target = { format, stream, document: empty, doc: 0, limits: DEFAULT_LIMITS };
    const style = styleOf(stream.text, empty);
    const how = {
      target,
      style,
      isFlow: true,
      isSpread: false,
      unit: style.unit,
      model: undefined,
      keys: undefined,
    };
    return printJson(toValue(document, document.root), how);
  });
}
