// The values of a file that leave towards an agent or a log.
import type { Json } from '../tree/json.ts';
import type { DocumentSpans, SpanNode } from '../tree/span-tree.ts';
import { toValue } from '../values/to-value.ts';

/** Throws YAML_LIMIT, DUPLICATE_KEY and TYPE_MISMATCH, as `toValue` does. */
export function shownValue(document: DocumentSpans, node: SpanNode): Json {
  return toValue(document, node);
}
