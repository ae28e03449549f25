// The values of a file that leave towards an agent or a log.
import type { Json } from '../edit/json-text.ts';
import type { DocumentSpans, SpanNode, Stream } from '../tree/span-tree.ts';
import { toValue } from '../values/to-value.ts';

/** Throws YAML_LIMIT, DUPLICATE_KEY and TYPE_MISMATCH, as `toValue` does. */
export function shownValue(stream: Stream, document: DocumentSpans, node: SpanNode): Json {
  return toValue(stream, document, node);
}
