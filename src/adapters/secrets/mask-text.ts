// Where the secrets of a file stand: by its structure where it can be parsed, else by its lines. What is shown of it is read
// again: where it would no longer be a file of its format, it is masked as plain text as well.
import {
  compileSchema,
  findInPlainText,
  findInText,
  isSecretName,
  type MaskText,
  mayBeNamedAt,
  type Policy,
  type SafePath,
  type SecretSpan,
  unlessRefused,
} from '../../security/index.ts';
import { type ConfigFile, readEvenIfInvalid } from '../formats/registry.ts';
import { type PathWord, parsePath } from '../tree/path-syntax.ts';
import { compileWildcard } from '../tree/wildcard.ts';
import { findInTree } from './find-in-tree.ts';

/** Throws StartError for a pattern that cannot be used. */
export function maskText({ limits, masking, roots }: Policy): MaskText {
  const places = masking.paths.map(({ files, path }) => ({
    matches: compileSchema(files, roots),
    words: parsePath(path),
  }));
  const ofOperator = masking.keys.map((pattern) => pattern.toLowerCase());
  const isKeyAsked = ofOperator.length === 0 ? undefined : anyOf(ofOperator);
  return (path, text, masked) => {
    if (masking.isOff) return masked([]);
    const words = places.flatMap((place) => (place.matches(path.components) ? [place.words] : []));
    const isAsked = words.length > 0 || ofOperator.length > 0;
    const named = mayBeNamedAt(text);
    const inText = { found: findInText(text, named), named };
    const isPlain = inText.found.length === 0 && inText.named.length === 0;
    if (!isAsked && isPlain) return masked([]);
    const namedByOperator = isAsked ? anyOf([...ofOperator, ...lastKeys(words)]) : undefined;
    const asText = (spans: readonly SecretSpan[] = []) =>
      masked([...spans, ...findInPlainText(text, { isAsked: namedByOperator })]);
    const file = readIfWithinLimits(path, text);
    if (file === undefined || file.stream.hasStructure === false) return asText();
    const rules = { isSecret: isSecretName, isAsked: isKeyAsked, paths: words };
    const spans = findInTree(file, rules, inText);
    if (spans.length === 0) return masked([]);
    const shown = masked(spans);
    const again = readIfWithinLimits(path, shown.shown);
    return again === undefined || again.unreadable !== undefined ? asText(spans) : shown;
  };

  function readIfWithinLimits(path: SafePath, text: string): ConfigFile | undefined {
    if (text.length > limits.parsedSizeBytes) return undefined;
    return unlessRefused(() => readEvenIfInvalid(path, text, limits));
  }
}

/** Whether a key is like one of these patterns, in whatever case. */
function anyOf(patterns: readonly string[]): (name: string) => boolean {
  const compiled = patterns.map(compileWildcard);
  return (name) => compiled.some((isLike) => isLike(name.toLowerCase()));
}

/** Of a file that cannot be parsed nothing more of a path can be found. */
function lastKeys(paths: readonly (readonly PathWord[])[]): readonly string[] {
  return paths.map((words) => {
    const word = words.findLast((one) => 'key' in one);
    return word !== undefined && 'key' in word ? word.key.toLowerCase() : '*';
  });
}
