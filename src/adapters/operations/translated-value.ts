// Translates YAML that was sent for a file of another format to that format, for the call that a refusal suggests.
import { DEFAULT_LIMITS, Refusal, unlessRefused } from '../../security/index.ts';
import { FORMATS } from '../formats/registry.ts';
import type { Json } from '../tree/json.ts';
import { isBlockCollection, walk } from '../tree/span-tree.ts';
import { toValue } from '../values/to-value.ts';

/** Answers what `plan` does; where it refuses a value that is YAML, the refusal gets the value in the right format. */
export function translating<Result>(source: string | undefined, plan: () => Result): Result {
  try {
    return plan();
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
function fromYaml(value: string, format: string): string | undefined {
  if (!(format in WRITERS) || value.length > MAX_YAML_CHARS) return undefined;
  return unlessRefused(() => {
    const { documents } = FORMATS.yaml.parse(value.endsWith('\n') ? value : `${value}\n`, DEFAULT_LIMITS);
    const [document, second] = documents;
    if (document === undefined || second !== undefined || !isBlockCollection(document.root)) return undefined;
    for (const node of walk(document.root)) {
      const isNumber = node.kind === 'scalar' && typeof node.typedValue === 'number';
      if (isNumber && String(node.typedValue) !== node.value) return undefined;
    }
    return WRITERS[format]?.(toValue(document, document.root));
  });
}

const WRITERS: Readonly<Record<string, (json: Json) => string | undefined>> = {
  JSON: inJson,
  JSONC: inJson,
  TOML: inToml,
};

function inJson(json: Json): string {
  if (typeof json !== 'object' || json === null) return JSON.stringify(json);
  if (Array.isArray(json)) return `[${json.map(inJson).join(', ')}]`;
  return `{${Object.entries(json)
    .map(([key, part]) => `${JSON.stringify(key)}: ${inJson(part)}`)
    .join(', ')}}`;
}

/** Writes TOML; undefined where there is a null, which TOML lacks. */
function inToml(json: Json): string | undefined {
  if (json === null) return undefined;
  if (typeof json !== 'object') return JSON.stringify(json);
  const isList = Array.isArray(json);
  const parts = Object.entries(json).map(([key, part]) => {
    const text = inToml(part);
    if (text === undefined || isList) return text;
    return `${/^[\w-]+$/.test(key) ? key : JSON.stringify(key)} = ${text}`;
  });
  if (parts.includes(undefined)) return undefined;
  return isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
}
