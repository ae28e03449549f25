// Adds and removes parts of TOML for callers that know nothing of sections.
import type { Located } from '../../tree/locate.ts';
import type { Sections } from '../../tree/sections.ts';
import type { Span } from '../../tree/span-tree.ts';
import { isWithin, pathOf } from './section-lines.ts';
import { insertPart } from './section-parts.ts';
import { removePart } from './section-removal.ts';
import { replacePart } from './section-values.ts';
import { definitionOf } from './statements.ts';
import { inlineText, relativeText } from './table-lines.ts';

export const SECTIONS: Sections = {
  source: relativeText,
  inline: inlineText,
  insert: insertPart,
  replace: replacePart,
  remove: removePart,
  keys: keyPlaces,
};

/** Returns the places of the key in each header and dotted key of its family. */
function keyPlaces({ steps }: Located): readonly Span[] {
  const step = steps.at(-1);
  if (step === undefined) return [];
  const path = pathOf(steps);
  return definitionOf(step.container)
    .own.filter((statement) => isWithin(statement, path))
    .flatMap(({ keys }) => keys.filter(({ depth }) => depth === path.length - 1));
}
