// Reads the reviewers file of the operator, which names the people who may approve, with their public keys (Ed25519).
import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Log } from '../audit/log.ts';
import { isWithin } from '../containment/roots.ts';
import { ignoring } from '../errors/refusal.ts';
import { StartError } from '../errors/start-error.ts';
import { ambientRealpath } from '../fs/ambient-fs.ts';
import type { ChangePolicy } from '../policy/change-policy.ts';
import { readOperatorFile } from '../policy/operator-file.ts';
import { quoted } from '../text/visible.ts';
import { isSameName } from './quorum.ts';
import { keyId, REVIEWER_LINE, type ReviewerKey } from './reviewer-key.ts';

export interface Reviewer {
  readonly name: string;
  /** The id that `keyId` computes. */
  readonly id: string;
  readonly publicKey: KeyObject;
  /** The principals as whom the reviewer or their agents call over the network, exactly as a transport verifies them. */
  readonly principals: readonly string[];
}

const MOST_REVIEWERS = 1_000;

/**
 * Reads the file. Its lines are as `REVIEWER_LINE` says; empty lines and `#` comments are skipped. Throws StartError for any other
 * line, and for a file that is in a folder of `forbidden` or that others could change.
 */
export function readReviewers(file: string, forbidden: readonly string[]): readonly Reviewer[] {
  requireOutside(file, forbidden);
  const reviewers = parseReviewers(readOperatorFile(file), file);
  if (reviewers.length === 0)
    throw refused(file, 'it names nobody; "config-airlock keygen NAME" prints a line for it');
  return reviewers;
}

/** The data that is needed to read the list again; plain, so that it can be sent to a thread. */
export interface ReviewersSource {
  /** An absolute path, because the working directory may change. */
  readonly file: string;
  readonly forbidden: readonly string[];
}

/**
 * Returns who may approve at this moment: whoever is taken off the list no longer counts. The answer is empty if the file
 * can no longer be read or trusted; the log says so.
 */
export function currentReviewers(source: ReviewersSource | undefined, log: Log): readonly Reviewer[] {
  if (source === undefined) return [];
  const reviewers = ignoring('all', () => readReviewers(source.file, source.forbidden));
  if (reviewers === undefined) log.event('error', 'reviewers_unusable');
  return reviewers ?? [];
}

function parseReviewers(text: string, file: string): readonly Reviewer[] {
  const reviewers: Reviewer[] = [];
  for (const [index, line] of text.split(/\r?\n/u).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, name, base64, more = ''] = REVIEWER_LINE.exec(line.trimEnd()) ?? [];
    const where = `line ${index + 1}`;
    if (name === undefined || base64 === undefined)
      throw refused(file, `${where} is not "name ed25519:BASE64", with principal=TEXT behind it or without`);
    const publicKey = publicKeyOf(base64);
    if (publicKey === undefined) throw refused(file, `${where} holds no Ed25519 key`);
    const principals = [...more.matchAll(/principal=(\S+)/gu)].map(([, principal = '']) => principal);
    const reviewer = { name, id: keyId(publicKey), publicKey, principals };
    // Two names for one key, or one name in two spellings, would make one person two.
    if (reviewers.some((other) => isSameName(other.name, name) || other.id === reviewer.id))
      throw refused(file, `${where} repeats a name or a key`);
    reviewers.push(reviewer);
    if (reviewers.length > MOST_REVIEWERS) throw refused(file, `it names more than ${MOST_REVIEWERS}`);
  }
  return reviewers;
}

/** Throws StartError for a rule that asks for reviewers who are not on the list, or for more than are on it. */
export function requireApprovers(
  { rules }: Pick<ChangePolicy, 'rules'>,
  reviewers: readonly Reviewer[],
): void {
  for (const { id, approvers, count = 1 } of rules) {
    const unknown = approvers?.find((name) => !reviewers.some((reviewer) => reviewer.name === name));
    if (unknown !== undefined)
      throw new StartError(
        `--policy: the rule ${quoted(id)} names the approver ${quoted(unknown)}, who is not in the reviewers file`,
      );
    if (count > reviewers.length)
      throw new StartError(
        `--policy: the rule ${quoted(id)} asks for ${count} reviewers, and the reviewers file names ${reviewers.length}`,
      );
  }
}

/** False for a reviewer who is mapped to one of the principals that proposed a change: their approval never counts. */
export function mayApprove({ principals }: Reviewer, proposers: readonly string[]): boolean {
  return !principals.some((principal) => proposers.includes(principal));
}

/** Finds the reviewer in the list whose key this is; their name is part of what they sign. */
export function reviewerOf(
  key: Pick<ReviewerKey, 'id'>,
  reviewers: readonly Reviewer[],
): Reviewer | undefined {
  return reviewers.find(({ id }) => id === key.id);
}

function publicKeyOf(base64: string): KeyObject | undefined {
  const raw = Buffer.from(base64, 'base64');
  // A key has several spellings in base64; only one counts.
  if (raw.toString('base64') !== base64) return undefined;
  return createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
    format: 'jwk',
  });
}

function requireOutside(file: string, forbidden: readonly string[]): void {
  const path = ignoring('all', () => ambientRealpath(file));
  if (path === undefined) throw refused(file, 'it does not exist, or may not be read');
  if (forbidden.some((folder) => isWithin(path, folder)))
    throw refused(file, 'it is inside a root or the state directory; put it somewhere else');
}

function refused(file: string, reason: string): StartError {
  return new StartError(`cannot use the reviewers file ${quoted(file)}: ${reason}`);
}
