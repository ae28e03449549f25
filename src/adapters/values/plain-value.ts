// Reads the operator's own files (YAML or JSON) as plain values.
import { DEFAULT_LIMITS, Refusal } from '../../security/index.ts';
import { parseYaml } from '../formats/yaml/yaml-format.ts';
import type { Json } from '../tree/json.ts';
import { toValue } from './to-value.ts';

/** Reads a value. Throws a Refusal for anything but one YAML document with a JSON value. */
export function readPlainValue(text: string): Json {
  const [document, second] = parseYaml(text, DEFAULT_LIMITS).documents;
  if (document === undefined || second !== undefined)
    throw new Refusal('DOCUMENT_AMBIGUOUS', 'Cannot use a file with several documents here');
  return toValue(document, document.root);
}
