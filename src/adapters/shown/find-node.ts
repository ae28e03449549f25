// Finds what `config_get` shows of a node: its place, its exact source, its value, its outline.
import { printNodePath } from '../../security/index.ts';
import type { ConfigFile } from '../formats/registry.ts';
import { chooseDocument } from '../tree/choose-document.ts';
import type { DocumentSelector } from '../tree/document.ts';
import { outlineOf } from '../tree/outline.ts';
import { outerStart, sliceOf } from '../tree/span-tree.ts';
import { toValue } from '../values/to-value.ts';
import { readThrough } from './read-through.ts';

/** Finds the node. Throws NODE_PATH_INVALID, NODE_NOT_FOUND and the other refusals about nodes and documents. */
export function findNode({ stream }: ConfigFile, path: string, selector: DocumentSelector | undefined) {
  const { lines } = stream;
  const doc = chooseDocument(stream, selector, path);
  const document = stream.documents[doc];
  if (document === undefined) throw new Error('the chosen document exists');
  const { located, inherited } = readThrough({ stream, document }, path);
  const node = located.node;
  return {
    doc,
    path: printNodePath(located.path),
    kind: node.kind,
    line: lines.at(outerStart(node)),
    end_line: lines.at(node.end),
    inherited,
    source: () => sliceOf(stream.text, node),
    value: () => toValue(document, node),
    outline: () => outlineOf(stream, node, located.path),
  };
}
