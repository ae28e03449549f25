// The operator's patterns of what is masked and what is shown. A pattern that could be misread stops the start, because it
// would silently mask nothing.
import { StartError } from '../errors/start-error.ts';
import type { MaskingRules, Policy } from '../policy/policy.ts';
import { quoted } from '../text/visible.ts';
import { compileRulePattern, type List, type PathTest } from './operator-pattern.ts';

type Roots = Policy['roots'];

/** Compiles a pattern for files to mask; it matches any spelling, so that nobody gets around it. Throws StartError. */
export function compileMasked(pattern: string, roots: Roots): PathTest {
  return compileRulePattern(pattern, roots, 'mask-path').isLike;
}

/** Compiles a pattern for files to show; it matches the exact spelling only. Throws StartError. */
export function compileShown(pattern: string, roots: Roots): PathTest {
  return compileRulePattern(pattern, roots, 'show-path').isExact;
}

/** Checks the patterns of keys and files; node paths are checked by the layer that can parse them. Throws StartError. */
export function requireMaskingPatterns({ masking, roots }: Policy): void {
  requireKeys(masking, 'mask');
  requireKeys(masking.shown, 'show');
  requireFiles(masking, 'mask-path');
  requireFiles(masking.shown, 'show-path');

  function requireFiles({ paths }: MaskingRules, list: List): void {
    for (const { files } of paths) compileRulePattern(files, roots, list);
  }
}

function requireKeys({ keys }: MaskingRules, verb: 'mask' | 'show'): void {
  for (const key of keys) {
    const reason = misreadKey(key, verb);
    if (reason !== undefined) throw new StartError(`bad --${verb}-key pattern ${quoted(key)}: ${reason}`);
  }
}

/** Returns why a key pattern could be taken for another one, or undefined. */
function misreadKey(pattern: string, verb: 'mask' | 'show'): string | undefined {
  const plain = pattern.trim();
  if (plain === '') return 'it is empty';
  if (pattern.length > 256) return 'it is longer than 256 characters';
  if (/\p{Cc}|\p{Cf}/u.test(pattern)) return 'it holds a character that nobody can see';
  if (plain !== pattern) return `it begins or ends with a space; write ${quoted(plain)}`;
  if (/^(["']).*\1$/u.test(pattern)) return 'the quotes are part of it; leave them out';
  if (/[,{}]/u.test(pattern))
    return `only '*' and '?' are special here; give --${verb}-key once for each pattern`;
  if (pattern.startsWith('&')) return `an anchor is no key; write the key before it`;
  const [, whole] = /^\^([\w*?-]+)\$$/u.exec(pattern) ?? [];
  if (whole !== undefined) return `a pattern is the whole key already; write ${quoted(whole)}`;
  if (/[\\^|()[\]!]/u.test(pattern)) return "only '*' and '?' are special here";
  if (pattern.includes(':'))
    return `it is no key; for nodes of files write --${verb}-path ${quoted(pattern)}`;
  if (/^\.{0,2}\//u.test(pattern)) {
    const path = pattern.replace(/^\.*/u, '');
    return `it is a path; write --${verb}-path ${quoted(`**:${path}`)}, or the key alone: ${quoted(path.replace(/^.*\//u, ''))}`;
  }
  // Dots are fine beside a slash: `app.kubernetes.io/token` is a key of an annotation.
  if (pattern.includes('.') && !pattern.includes('/'))
    return `it could be a path or a key; write --${verb}-path ${quoted(`**:**.${pattern.replace(/^\*?\.+/u, '')}`)} for a path, or ${quoted(pattern.replaceAll('.', '?'))} for a key that holds a dot`;
  return undefined;
}
