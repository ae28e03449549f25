// What the data of a file means beyond its values: which node each alias names, and which block scalar the end
// of the file cuts off, whose last line break some readers see and others do not. By paths.
import { keyName } from '../tree/keys.ts';
import { indexSegment, keySegment, type NodePath, printNodePath } from '../tree/node-path.ts';
import type { ScalarNode, SpanNode, Stream } from '../tree/span-tree.ts';

/** What means something in one version and not in the other, either way; in no order that matters. */
export function meaningsThatDiffer(before: Stream, after: Stream): readonly string[] {
  const [old, next] = [meaningsIn(before), meaningsIn(after)];
  return [
    ...[...old].filter((line) => !next.has(line)).map((line) => `- ${line}`),
    ...[...next].filter((line) => !old.has(line)).map((line) => `+ ${line}`),
  ].sort();
}

/** One line for each of them. */
function meaningsIn(stream: Stream): ReadonlySet<string> {
  const meanings = new Set<string>();
  if (!stream.text.includes('*') && stream.text.endsWith('\n')) return meanings;
  for (const [doc, { root }] of stream.documents.entries()) {
    for (const meaning of new MeaningReader(stream.text).read(root, [])) {
      // Keys that stand twice have one path: then there are as many lines.
      let line = `${doc} ${meaning}`;
      for (let count = 2; meanings.has(line); count++) line = `${doc} ${meaning} ${count}`;
      meanings.add(line);
    }
  }
  return meanings;
}

/** For one document: anchors do not reach beyond it. */
class MeaningReader {
  readonly #text: string;
  readonly #anchors = new Map<string, string>();

  constructor(text: string) {
    this.#text = text;
  }

  *read(node: SpanNode, path: NodePath): Generator<string> {
    if (node.properties?.anchor !== undefined)
      this.#anchors.set(node.properties.anchor.name, printNodePath(path));
    switch (node.kind) {
      case 'scalar':
        if (this.#isCutOff(node)) yield `${printNodePath(path)} is cut off`;
        return;
      case 'alias':
        yield `${printNodePath(path)} *${node.name} ${this.#anchors.get(node.name) ?? '*'}`;
        return;
      case 'sequence':
        for (const [i, { value }] of node.items.entries())
          yield* this.read(value, [...path, indexSegment(i)]);
        return;
      case 'mapping':
        for (const { key, value } of node.entries) {
          const name = keyName(this.#text, key);
          const below = [...path, keySegment(name)];
          yield* this.read(key, below);
          yield* this.read(value, below);
        }
    }
  }

  #isCutOff({ block }: ScalarNode): boolean {
    const { length } = this.#text;
    return (
      block !== undefined && block.chomp !== 'strip' && block.bodyEnd >= length && !this.#text.endsWith('\n')
    );
  }
}
