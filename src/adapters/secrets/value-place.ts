// Where a value stands that a person fills in: the scalar at a path, without its quotes, and whether a preview asks for it.
import { type Change, Refusal, type SecretSpan } from '../../security/index.ts';
import type { ConfigFile } from '../formats/registry.ts';
import { type DocumentSelector, selectDocument } from '../tree/document.ts';
import { locate, notFound, scalarAt } from '../tree/locate.ts';
import { keySegment, printNodePath } from '../tree/node-path.ts';
import { resolvePath } from '../tree/resolve-path.ts';
import { contentOf } from './content-of.ts';

export interface ValuePlace {
  readonly path: string;
  readonly doc: number;
  readonly span: SecretSpan;
  /** Whether readers decode it: below `data` of a Secret. */
  readonly isBase64: boolean;
}

/** Throws the refusals of paths and documents, and TYPE_MISMATCH for what is no scalar. */
export function placeOfValue(
  { stream }: ConfigFile,
  path: string,
  selector: DocumentSelector | undefined,
): ValuePlace {
  const doc = selectDocument(stream, selector);
  const document = stream.documents[doc];
  if (document === undefined) throw new Error('the chosen document exists');
  const asked = resolvePath({ stream, document }, path, false);
  const found = locate(document, asked);
  if (found.missing.length > 0) throw notFound(found, asked, 'fill in');
  const { node } = found;
  const printed = printNodePath(found.path);
  if (node.kind !== 'scalar')
    throw new Refusal(
      'TYPE_MISMATCH',
      `Cannot fill in ${printed || 'the root'}: it is a ${node.kind}, and a single value is filled in`,
    );
  const [first] = found.path;
  const isSecret = scalarAt(document.root, [keySegment('kind')]) === 'Secret';
  const isBase64 = isSecret && first?.kind === 'key' && first.key === 'data';
  return { path: printed, doc, span: contentOf(node, stream.text), isBase64 };
}

/** Whether the change sets what stands at the path, or something above it. */
export function isSetBy({ op, doc, path }: Change, at: Pick<ValuePlace, 'path' | 'doc'>): boolean {
  if (op === 'create') return true;
  const isThere =
    doc === at.doc && at.path.startsWith(path) && /^(?:$|[.[])/u.test(at.path.slice(path.length));
  return (op === 'add' || op === 'replace') && (isThere || (path === '' && doc === at.doc));
}
