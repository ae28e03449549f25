// A reviewer's key pair (Ed25519). The server never has the private key. It is kept as one line of JSON that only the passphrase
// opens: scrypt makes each guess cost 128 MB and a third of a second. AES-256-GCM encrypts the key, and authenticates the
// parameters that stand beside it.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  scryptSync,
} from 'node:crypto';
import { z } from 'zod';
import { canonicalJson, parsedJson } from '../../state/canonical.ts';
import { ignoring } from '../errors/refusal.ts';
import { StartError } from '../errors/start-error.ts';
import { quoted } from '../text/visible.ts';

export interface ReviewerKey {
  readonly id: string;
  readonly privateKey: KeyObject;
}

/** Matches a line of the reviewers file: `name ed25519:BASE64`, then any number of ` principal=TEXT`. */
export const REVIEWER_LINE =
  /^([\w.@+-]{1,64})[ \t]+ed25519:([A-Za-z0-9+/]{43}=)((?:[ \t]+principal=\S{1,256})*)$/u;

/** Keys are sealed in this way only; a file that asks for weaker parameters is not opened. */
const KIND = { v: 1, key: 'ed25519', kdf: 'scrypt', n: 2 ** 17, r: 8, p: 1, cipher: 'aes-256-gcm' } as const;
const sealedShape = z.strictObject({
  /** The id of the key, for what is told before the passphrase. */
  id: z.string(),
  v: z.literal(KIND.v),
  key: z.literal(KIND.key),
  kdf: z.literal(KIND.kdf),
  n: z.literal(KIND.n),
  r: z.literal(KIND.r),
  p: z.literal(KIND.p),
  cipher: z.literal(KIND.cipher),
  salt: z.string(),
  nonce: z.string(),
  sealed: z.string(),
});
const BYTES = { salt: 16, nonce: 12, key: 32, tag: 16, mostMemory: 256 * 1024 ** 2 } as const;

/** Makes a new key pair and its line for the reviewers file. Throws StartError if `name` is not valid. */
export function makeReviewerKey(name: string): { readonly key: ReviewerKey; readonly line: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const line = `${name} ed25519:${rawOf(publicKey).toString('base64')}`;
  if (!REVIEWER_LINE.test(line))
    throw new StartError(`${quoted(name)} is no name for a reviewer: letters, digits and . @ + - _`);
  return { key: { id: keyId(publicKey), privateKey }, line };
}

/** Encrypts a key. Returns the text that is kept in the key file. */
export function sealReviewerKey({ id, privateKey }: ReviewerKey, passphrase: string): string {
  const [salt, nonce] = [randomBytes(BYTES.salt), randomBytes(BYTES.nonce)];
  const cipher = createCipheriv(KIND.cipher, keyFrom(passphrase, salt), nonce).setAAD(
    authenticatedHeader({ id, salt }),
  );
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' });
  const sealed = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  const texts = { salt, nonce, sealed };
  const fields = Object.entries(texts).map(([field, bytes]) => [field, bytes.toString('base64')] as const);
  return `${canonicalJson({ ...KIND, id, ...Object.fromEntries(fields) })}\n`;
}

/** Opens a sealed key. Throws StartError for a wrong passphrase, and for text that `sealReviewerKey` did not write. */
export function openReviewerKey(text: string, passphrase: string): ReviewerKey {
  const kept = ignoring('all', () => partsOf(text));
  if (kept === undefined)
    throw new StartError(
      'cannot open the reviewer key: it was not made by "config-airlock keygen" of today; make a new one',
    );
  const privateKey = ignoring('all', () => {
    const { id, salt, nonce, sealed } = kept;
    const decipher = createDecipheriv(KIND.cipher, keyFrom(passphrase, salt), nonce, {
      authTagLength: BYTES.tag,
    });
    decipher.setAAD(authenticatedHeader({ id, salt })).setAuthTag(sealed.subarray(-BYTES.tag));
    const key = Buffer.concat([decipher.update(sealed.subarray(0, -BYTES.tag)), decipher.final()]);
    return createPrivateKey({ key, type: 'pkcs8', format: 'der' });
  });
  if (privateKey === undefined) throw new StartError('cannot open the reviewer key: the passphrase is wrong');
  return { id: keyId(createPublicKey(privateKey)), privateKey };
}

/** Returns the id that a sealed text names. Only the passphrase proves it. */
export function claimedKeyId(text: string): string | undefined {
  return ignoring('all', () => partsOf(text))?.id;
}

/** Returns the first 16 characters of the public key's hash. */
export function keyId(publicKey: KeyObject): string {
  return createHash('sha256').update(rawOf(publicKey)).digest('base64url').slice(0, 16);
}

/** Returns the raw key, which is the last 32 bytes. JWK is not used, because Node 20 can deadlock there during a garbage collection. */
function rawOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
}

/** Splits a sealed text into its bytes. Throws for anything that `sealReviewerKey` does not write. */
function partsOf(text: string) {
  const fields = sealedShape.parse(parsedJson(text));
  const [salt, nonce, sealed] = [fields.salt, fields.nonce, fields.sealed].map((field) =>
    Buffer.from(field, 'base64'),
  );
  if (salt?.length !== BYTES.salt || nonce?.length !== BYTES.nonce || (sealed?.length ?? 0) <= BYTES.tag)
    throw new Error('a part of the sealed key has another length');
  return { id: fields.id, salt, nonce, sealed: sealed ?? Buffer.alloc(0) };
}

/** Derives the key from the normalized passphrase, because keyboards send different Unicode spellings of one character. */
function keyFrom(passphrase: string, salt: Buffer): Buffer {
  const { n: N, r, p } = KIND;
  return scryptSync(passphrase.normalize(), salt, BYTES.key, { N, r, p, maxmem: BYTES.mostMemory });
}

function authenticatedHeader({ id, salt }: Pick<ReturnType<typeof partsOf>, 'id' | 'salt'>): Buffer {
  return Buffer.from(canonicalJson({ ...KIND, id, salt: salt.toString('base64') }));
}
