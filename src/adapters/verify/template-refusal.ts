// The refusal of an edit that could not be told to be right, because of the actions of a template beside it.
import { Refusal } from '../../security/index.ts';
import { type Collection, isCollection, partsOf, type SpanNode } from '../tree/span-tree.ts';

/** Makes the refusal; `line` is that of the action or branch. */
export function templateRefusal(reason: string, line: number, advice: readonly string[]): Refusal {
  return new Refusal('TEMPLATE_ACTION', `Cannot make this edit: ${reason}`, { line }, { advice });
}

/** A collection on the way to a place, with the index of the part that leads on. */
export interface PathStep {
  readonly container: Collection;
  readonly index: number;
  readonly node: SpanNode | undefined;
}

/** Returns the collections that the indexes lead through, from the root on. */
export function stepsTo(root: SpanNode | undefined, indexes: readonly number[]): readonly PathStep[] {
  const steps: PathStep[] = [];
  let container = root;
  for (const index of indexes) {
    if (container === undefined || !isCollection(container)) break;
    const node: SpanNode | undefined = partsOf(container)[index]?.value;
    steps.push({ container, index, node });
    container = node;
  }
  return steps;
}
