// The operator's own files (YAML or JSON) as plain values.
import { DEFAULT_LIMITS } from '../../security/index.ts';
import { parseYaml } from '../formats/yaml/yaml-format.ts';
import type { Json } from '../tree/json.ts';
import { onlyValue } from './to-value.ts';

/** Throws a Refusal for what is not one YAML document with a JSON value. */
export function readPlainValue(text: string): Json {
  return onlyValue(parseYaml(text, DEFAULT_LIMITS));
}
