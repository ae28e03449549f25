// Protects files that SOPS has encrypted: an edit may change nothing that sops authenticates, or every later "sops decrypt" fails.
// Comments and layout can be edited; with mac_only_encrypted also the values in clear text. This follows getsops/sops (sops.go,
// aes/cipher.go, stores/yaml, stores/json).
import { type Change, keyOf, type NodePath, printNodePath } from '../../security/index.ts';
import type { Stream } from '../tree/span-tree.ts';
import { type Breach, type EncryptedEdit, shellWord } from './breach.ts';
import { type Covered, coveredBy, decidingComments, encryptedComments, sectionData } from './sops-covered.ts';
import { SECTION, sopsSectionOf } from './sops-section.ts';

export function sopsBreach(base: Stream, result: Stream, edit: EncryptedEdit): Breach | undefined {
  if (base.hasStructure === false) return asText(base, edit);
  const section = sopsSectionOf(base);
  if (section === undefined) return undefined;
  const instead = [`A person who holds its keys runs: sops edit ${shellWord(edit.file)}`];
  if (sopsSectionOf(result) === undefined || !isSame(sectionData(base), sectionData(result)))
    return {
      why: `is encrypted with SOPS, and only sops may write its section "${SECTION}"`,
      path: SECTION,
      instead: [
        `A person who holds its keys runs: sops updatekeys ${shellWord(edit.file)}, or sops rotate --in-place ${shellWord(edit.file)}`,
      ],
    };
  const [old, next] = [coveredBy(section, base), coveredBy(section, result)];
  const at = firstDifference(old.map(whatOf), next.map(whatOf));
  if (at !== undefined) return breachAt(old[at], next[at], section.isMacOfEncrypted, edit);
  if (!isSame(decidingComments(section, base, old), decidingComments(section, result, next)))
    return {
      why: 'is encrypted with SOPS, and a comment that decides what is encrypted would change',
      instead,
    };
  const known = encryptedComments(base);
  return encryptedComments(result).every((comment) => known.includes(comment))
    ? undefined
    : { why: 'is encrypted with SOPS, and a comment in it, which is encrypted, would change', instead };
}

/** Checks a file that cannot be parsed here: if sops has encrypted it, nobody can tell what an edit would touch. */
function asText({ text }: Stream, { file, isPlainText }: EncryptedEdit): Breach | undefined {
  // A mapping within a plain text is an example, and not encrypted.
  const marks = isPlainText && !text.trimStart().startsWith('{') ? MACS_OF_LINES : MAC_OF_MAPPING;
  if (!marks.test(text)) return undefined;
  return {
    why: 'is encrypted with SOPS, and can only be read as plain text here: what its MAC covers is not known',
    instead: [`A person who holds its keys runs: sops edit ${shellWord(file)}`],
  };
}

/** These patterns are for .env and .ini files, and for mappings. */
const MACS_OF_LINES = /^(?:sops_mac|mac\s*)=\s*ENC\[AES256_GCM,/mu;
const MAC_OF_MAPPING = /\bmac["']?\s*:\s*["']?ENC\[AES256_GCM,/u;

function breachAt(
  old: Covered | undefined,
  next: Covered | undefined,
  isMacOfEncrypted: boolean,
  { file, changes }: EncryptedEdit,
): Breach {
  const found = [next, old].flatMap((covered) => {
    const change = covered && changes.find((one) => one.doc === covered.doc && isAbout(one, covered.path));
    return covered === undefined || change === undefined ? [] : [{ covered, change }];
  })[0];
  const covered = found?.covered ?? next ?? old;
  const path = printNodePath(covered?.path ?? []);
  return {
    why: `is encrypted with SOPS, and ${reason(covered?.kind, isMacOfEncrypted)}`,
    path,
    doc: covered?.doc,
    instead: [
      `A person who holds its keys runs: ${commandFor(file, covered, found?.change)}`,
      isMacOfEncrypted
        ? 'What SOPS leaves in clear text in this file, and comments, can be changed here'
        : 'Comments and layout can be changed here, and no value',
    ],
  };
}

function reason(kind: Covered['kind'] | undefined, isMacOfEncrypted: boolean): string {
  switch (kind) {
    case 'to be encrypted':
      return 'a value would stand in clear text where sops expects an encrypted one';
    case 'encrypted':
      return 'an encrypted value, which is bound to its keys and its place, would change, move or go';
    case 'shape':
      return 'it would hold what sops cannot read';
    default:
      return isMacOfEncrypted
        ? 'its MAC covers this value: sops could no longer open it'
        : 'its MAC covers every value, also those in clear text: sops could no longer open it';
  }
}

/** Returns the command for a change; `sops set` and `sops unset` reach the first document only. */
function commandFor(file: string, covered: Covered | undefined, change: Change | undefined): string {
  const name = shellWord(file);
  if (covered?.doc !== 0 || change === undefined) return `sops edit ${name}`;
  const place = shellWord(covered.path.map(bracketed).join(''));
  if (change.op === 'remove') return `sops unset ${name} ${place}`;
  return change.op === 'add' || change.op === 'replace'
    ? `sops set ${name} ${place} '"VALUE"'`
    : `sops edit ${name}`;
}

function bracketed(segment: NodePath[number]): string {
  return `[${JSON.stringify(keyOf(segment) ?? segment)}]`;
}

/** True if the change is of the node itself, of one above it, or of one below. */
function isAbout({ path }: Change, node: NodePath): boolean {
  const own = printNodePath(node);
  const isBelow = (inner: string, outer: string) =>
    inner.startsWith(outer) && /^(?:$|[.[])/u.test(inner.slice(outer.length));
  return isBelow(own, path) || isBelow(path, own);
}

function whatOf({ what }: Covered): string {
  return what;
}

function firstDifference(a: readonly string[], b: readonly string[]): number | undefined {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) if (a[at] !== b[at]) return at;
  return undefined;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return firstDifference(a, b) === undefined;
}
