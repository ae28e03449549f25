// Finds the secrets of a file: by its structure where it can be parsed, or else by its lines. The masked text is parsed again:
// where it would no longer be valid, it is masked as plain text as well.

import { unlessRefused } from '../../security/errors/refusal.ts';
import type { PathWord } from '../../security/node-paths/node-path.ts';
import type { SafePath } from '../../security/paths/safe-path.ts';
import { maskedSizeBytes, type Policy } from '../../security/policy/policy.ts';
import { maskedSandbox, type Sandbox } from '../../security/sandbox/sandbox.ts';
import { findInPlainText } from '../../security/secrets/find-in-plain-text.ts';
import { mayHoldSecret } from '../../security/secrets/find-in-text.ts';
import { type IsSecretName, isSecretName } from '../../security/secrets/key-names.ts';
import type { SecretSpan } from '../../security/secrets/masked-text.ts';
import { Masking, type MaskText } from '../../security/secrets/masking.ts';
import { NOTHING_FOUND, searchEdited, searchText } from '../../security/secrets/search-text.ts';
import { randomHex } from '../../state/canonical.ts';
import { type ConfigFile, isTextOnly, readEvenIfInvalid, toKnowWhether } from '../formats/registry.ts';
import { matchPaths } from '../tree/match-paths.ts';
import type { Span } from '../tree/span-tree.ts';
import { findInTree } from './find-in-tree.ts';
import { anyOf, rulesOf } from './masking-rules.ts';

/** Compiles the masking of a policy. Throws StartError for a pattern that cannot be used. */
export function maskText({
  limits,
  masking,
  roots,
  verify,
}: Pick<Policy, 'limits' | 'masking' | 'roots' | 'verify'>): MaskText {
  // There is no limit of time: what is shown must not depend on how busy the machine is.
  const within = {
    ...toKnowWhether(limits),
    parseMs: Number.POSITIVE_INFINITY,
    parsedSizeBytes: maskedSizeBytes(limits),
  };
  const asked = rulesOf(masking, 'mask-path', roots);
  const shown = rulesOf(masking.shown, 'show-path', roots);
  const isSecret: IsSecretName =
    shown.isKey === undefined ? isSecretName : (name) => isSecretName(name) && shown.isKey?.(name) !== true;
  const search: MaskText['search'] = (text, like) => {
    if (masking.isOff) return NOTHING_FOUND;
    if (like === undefined || verify === 'full') return searchText(text, isSecret);
    return searchEdited(like, text, isSecret);
  };
  const hasRules = (path: SafePath) => asked.isKey !== undefined || asked.pathsIn(path).length > 0;
  const mask: MaskText['mask'] = (path, text, inText, masked) => {
    if (masking.isOff) return masked([]);
    const paths = asked.pathsIn(path);
    const isAsked = hasRules(path);
    if (!isAsked && inText.found.length === 0 && inText.nameCandidates.length === 0) return masked([]);
    const isSettings = SETTINGS.test(path.components.at(-1) ?? '');
    const asText = (spans: readonly SecretSpan[] = []) => {
      const isNamed = isAsked ? anyOf([...masking.keys, ...lastKeys(paths)]) : undefined;
      const byName = { isMaskedByOperator: isNamed, isSecret, isSettings };
      const found = findInPlainText(text, byName, inText.found);
      const isHcl = path.extension === 'tf' || path.extension === 'hcl';
      return masked([...spans, ...(isHcl ? found.filter((one) => !isExpression(text, one)) : found)]);
    };
    const file = readIfWithinLimits(path, text);
    // Nothing tells which of its values a rule is about, so that all are masked.
    if (file !== undefined && isTextOnly(file)) {
      const values = file.format.valuesIn?.(text, within) ?? [{ start: 0, end: text.length }];
      return asText(values.map((value) => ({ ...value, by: 'structure' })));
    }
    if (file === undefined || file.stream.hasStructure === false) return asText();
    const rules = { isSecret, isShown: shown.isKey, isAsked: asked.isKey, paths };
    const spans = withoutShown(file, findInTree(file, rules, inText), shown.pathsIn(path));
    if (spans.length === 0) return masked([]);
    const answer = masked(spans);
    const again = readIfWithinLimits(path, answer.shown);
    return again === undefined || again.unreadable !== undefined ? asText(spans) : answer;
  };
  return {
    search,
    mask,
    mayHoldSecret: (path, piece) => !masking.isOff && (hasRules(path) || mayHoldSecret(piece)),
  };

  function readIfWithinLimits(path: SafePath, text: string): ConfigFile | undefined {
    if (text.length > within.parsedSizeBytes) return undefined;
    return unlessRefused(() => readEvenIfInvalid(path, text, within));
  }
}

/** Matches the names of files in which blanks may separate a name from its value. */
const SETTINGS = /(?:\.(?:conf|cfg|cnf|ini|properties)|netrc)$/iu;

/** True for a value without quotes, which in HCL is an expression such as `random_password.db.result`. */
function isExpression(text: string, { by, start, end }: SecretSpan): boolean {
  return by === 'key' && text[start - 1] === ' ' && EXPRESSION.test(text.slice(start, end));
}

const EXPRESSION =
  /^[a-z]\w{0,60}(?:\.[\w-]{1,60}|\[[\w.*]{1,60}\]){1,9}$|^file(?:base64)?\("[\w./${}-]{1,200}"\)$/u;

/** Drops the spans at paths that the operator wants to show. A span stays if the operator names it as secret, or its form alone shows that. */
function withoutShown(
  { stream }: ConfigFile,
  spans: readonly SecretSpan[],
  paths: readonly (readonly PathWord[])[],
): readonly SecretSpan[] {
  const nodes: Span[] = [];
  for (const words of paths)
    for (const { root } of stream.documents)
      matchPaths(stream.text, root, words, (node) => {
        nodes.push(node);
        return true;
      });
  return spans.filter(
    ({ by, start }) =>
      (by !== 'key' && by !== 'structure') || !nodes.some((node) => node.start <= start && start < node.end),
  );
}

/** Returns the last keys of the paths: in a file that cannot be parsed, nothing more of a path can be found. */
function lastKeys(paths: readonly (readonly PathWord[])[]): readonly string[] {
  return paths.map((words) => {
    const word = words.findLast((one) => 'key' in one);
    return word !== undefined && 'key' in word ? word.key : '*';
  });
}

interface Unmasked {
  readonly sandbox: Sandbox;
  readonly policy: Policy;
  /** The key for the fingerprints where no state has one. */
  readonly maskingKey?: string | undefined;
  /** Called with the name of each file before it is opened; a refusal that it throws is that of the file. */
  readonly onOpen?: ((file: string) => void) | undefined;
}

/** Returns the masked sandbox. */
export function withMasking({ sandbox, policy, maskingKey, onOpen }: Unmasked): Sandbox {
  const key = maskingKey ?? randomHex(32);
  return maskedSandbox(sandbox, new Masking(maskText(policy), key), onOpen);
}
