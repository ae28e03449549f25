// The call that sends a value anew which was no value of the file's format: as a text, or YAML in the words of that format.
import { DEFAULT_LIMITS, Refusal } from '../../security/index.ts';
import { FORMATS } from '../formats/registry.ts';
import type { Json } from '../tree/json.ts';
import { isBlockCollection, walk } from '../tree/span-tree.ts';
import { toValue } from '../values/to-value.ts';
import { type Call, editsOf, type RecoveryStep } from './steps.ts';

/** The same text, sent so that it is quoted as needed; with the actions of a template that only `value` may bring. */
export function asJson(call: Call, { clues, where }: Refusal): RecoveryStep | undefined {
  const { tool, args } = call;
  const edits = editsOf(call);
  const at = where.edit_index ?? 0;
  const edit = tool === 'config_edit' ? edits[at] : args;
  if (typeof edit !== 'object' || edit === null || !('value' in edit)) return undefined;
  const { value, ...rest } = edit;
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined;
  const send = (what: string, changed: object): RecoveryStep => ({
    do: what,
    tool,
    arguments:
      edit === args
        ? { ...changed, dry_run: true }
        : { ...args, edits: edits.map((one, index) => (index === at ? changed : one)), dry_run: true },
  });
  const { wantedFormat, asText: source } = clues;
  const translated = wantedFormat === undefined ? undefined : fromYaml(value, wantedFormat);
  if (translated !== undefined) return send(`Preview it in ${wantedFormat}`, { ...rest, value: translated });
  // It would replace the whole document by a text.
  const path = 'path' in edit ? edit.path : '';
  if (path === '' || path === '$' || path === '.') return undefined;
  const asText = source === undefined ? { ...rest, json: value } : { ...rest, value: source };
  return send('Preview it as a string, quoted as needed', asText);
}

const MAX_YAML_CHARS = 10_000;

/** Of a mapping or a list in lines, which can be nothing but YAML; undefined for all else, and for what would lose digits. */
function fromYaml(value: string, format: string): string | undefined {
  if (!(format in WRITERS) || value.length > MAX_YAML_CHARS) return undefined;
  try {
    const { documents } = FORMATS.yaml.parse(value.endsWith('\n') ? value : `${value}\n`, DEFAULT_LIMITS);
    const [document, second] = documents;
    if (document === undefined || second !== undefined || !isBlockCollection(document.root)) return undefined;
    for (const node of walk(document.root)) {
      const isNumber = node.kind === 'scalar' && typeof node.typedValue === 'number';
      if (isNumber && String(node.typedValue) !== node.value) return undefined;
    }
    return WRITERS[format]?.(toValue(document, document.root));
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
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

/** Undefined where there is a null, which TOML has not. */
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
