// Parses the node paths of rules, and refuses what a rule cannot mean.
import { misreadKey } from '../node-paths/misread-key.ts';
import { parsePath } from '../node-paths/parse-path.ts';
import type { PathWord } from '../node-paths/path-pattern.ts';

/** Parses a path. Throws an Error with a message for people. */
export function parseRulePath(text: string): readonly PathWord[] {
  const words = parsePath(text);
  // A rule is for all data, also where a key stands twice.
  if (words.some((word) => word.kind === 'key' && word.occurrence !== undefined))
    throw new Error(`${text}: leave out [#…]; a rule holds for each of several keys of one name`);
  if (words.some((word) => word.kind === 'items' && word.others !== undefined))
    throw new Error(`${text}: a rule knows items by one field: [name=web]`);
  for (const word of words) {
    const reason = word.kind === 'key' && word.isBare ? misreadKey(word.key) : undefined;
    if (reason !== undefined) throw new Error(`${text}: ${reason}`);
  }
  return words;
}
