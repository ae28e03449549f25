// The schema that a file of JSON names for itself, as "$schema" at its top.
import type { Stream } from '../../tree/span-tree.ts';

export function ownSchema({ documents }: Stream): string | undefined {
  const root = documents[0]?.root;
  if (root?.kind !== 'mapping') return undefined;
  const value = root.entries.find(({ name }) => name === '$schema')?.value;
  return value?.kind === 'scalar' && value.style === 'double' ? value.value : undefined;
}
