// Encrypts by SOPS's documented format, and checks as `sops decrypt` does, with a data key for tests: AES-256-GCM for each
// value with its key path as additional data, SHA-512 over the plain values in order as MAC. It shares no code with src: by
// getsops/sops (sops.go, aes/cipher.go, stores/yaml/store.go). In the place of age, a fixed key wraps the data key.
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { type Document, isAlias, isMap, isPair, isScalar, isSeq, parseAllDocuments, type Scalar } from 'yaml';

const DATA_KEY = createHash('sha256').update('a data key for tests').digest();
const WRAPPING_KEY = createHash('sha256').update('in the place of age').digest();
/** Of a MAC that covers encrypted values only. */
const MAC_ONLY_ENCRYPTED = createHash('sha256').update('sops').digest();
const TIME = '2026-11-20T10:00:00Z';

export interface Rules {
  readonly mac_only_encrypted?: boolean;
  readonly unencrypted_suffix?: string;
  readonly encrypted_suffix?: string;
  readonly encrypted_regex?: string;
  readonly unencrypted_regex?: string;
  readonly encrypted_comment_regex?: string;
}

/** With the comment that begins with `#secret` encrypted as well. */
export function encryptSops(plain: string, rules: Rules = {}, isJson = false): string {
  const documents = parseAllDocuments(plain, { keepSourceTokens: true });
  const mac = macOf(rules);
  for (const document of documents)
    walk(document, rules, (node, path, isEncrypted) => {
      const bytes = bytesOf(node);
      if (bytes === undefined) return;
      if (isEncrypted || rules.mac_only_encrypted !== true) mac.update(bytes);
      if (isEncrypted && bytes !== '') {
        node.value = encrypt(bytes, DATA_KEY, `${path.join(':')}:`, typeOf(node));
        node.type = isJson ? 'QUOTE_DOUBLE' : 'PLAIN';
        delete node.source;
      }
    });
  const section = {
    age: [{ recipient: 'age1test', enc: encrypt(DATA_KEY.toString('hex'), WRAPPING_KEY, '', 'str') }],
    lastmodified: TIME,
    mac: encrypt(mac.digest('hex').toUpperCase(), DATA_KEY, TIME, 'str'),
    ...rules,
    version: '3.11.0',
  };
  for (const document of documents) document.set('sops', document.createNode(section));
  const written = documents.map((document) =>
    isJson
      ? `${JSON.stringify(document.toJS(), null, 2)}\n`
      : document.toString({ lineWidth: 0, indent: 4 }).replace(/^---\n/u, ''),
  );
  return written
    .join('---\n')
    .replaceAll(/#secret .*/gu, (comment) => `#${encrypt(comment.slice(1), DATA_KEY, ':', 'comment')}`);
}

/** Why `sops decrypt` would refuse the file; undefined where it opens it. */
export function sopsRefuses(text: string): string | undefined {
  const documents = parseAllDocuments(text, { keepSourceTokens: true });
  const [first] = documents;
  const errors = documents.flatMap((document) => document.errors.map(({ message }) => message));
  if (errors.length > 0) return errors.join();
  const section = first?.toJS()?.['sops'];
  if (typeof section !== 'object') return 'sops metadata not found';
  try {
    const key = Buffer.from(decrypt(String(section.age[0].enc), WRAPPING_KEY, ''), 'hex');
    const mac = macOf(section);
    for (const document of documents)
      walk(document, section, (node, path, isEncrypted) => {
        const bytes = bytesOf(node);
        if (bytes === undefined) return;
        const plain = isEncrypted && bytes !== '' ? decrypt(bytes, key, `${path.join(':')}:`) : bytes;
        if (isEncrypted || section.mac_only_encrypted !== true) mac.update(plain);
      });
    const recorded = decrypt(String(section.mac), key, String(section.lastmodified));
    return recorded === mac.digest('hex').toUpperCase() ? undefined : 'MAC mismatch';
  } catch (error) {
    return String(error);
  }
}

function macOf({ mac_only_encrypted }: Rules) {
  const hash = createHash('sha512');
  return mac_only_encrypted === true ? hash.update(MAC_ONLY_ENCRYPTED) : hash;
}

type Visit = (node: Scalar, path: readonly string[], isEncrypted: boolean) => void;

function walk(document: Document, rules: Rules, visit: Visit): void {
  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === null)) return;
  if (!isMap(root)) throw new Error('a document that is no mapping is not supported');
  branch(root, [], []);

  function branch(node: unknown, path: readonly string[], comments: readonly string[]): void {
    if (isAlias(node)) branch(node.resolve(document), path, comments);
    else if (isScalar(node)) visit(node, path, isEncrypted(path, comments, rules));
    else if (isSeq(node)) for (const item of node.items) branch(item, path, comments);
    else if (isMap(node)) {
      for (const [index, pair] of node.items.entries()) {
        if (!isPair(pair) || !isScalar(pair.key)) throw new Error('a key is no scalar');
        if (path.length === 0 && pair.key.value === 'sops') continue;
        if (typeof pair.key.value !== 'string') throw new Error('a key is no text');
        const above = index === 0 ? (node.commentBefore ?? '') : '';
        const before = `${above}\n${pair.key.commentBefore ?? ''}`.split('\n').filter(Boolean);
        branch(pair.value, [...path, pair.key.value], [...comments, ...before]);
      }
    }
  }
}

function isEncrypted(path: readonly string[], comments: readonly string[], rules: Rules): boolean {
  const { encrypted_suffix, encrypted_regex, unencrypted_regex, encrypted_comment_regex } = rules;
  const hasOther = encrypted_suffix ?? encrypted_regex ?? unencrypted_regex ?? encrypted_comment_regex;
  const suffix = rules.unencrypted_suffix ?? (hasOther === undefined ? '_unencrypted' : undefined);
  if (suffix !== undefined) return !path.some((key) => key.endsWith(suffix));
  if (encrypted_suffix !== undefined) return path.some((key) => key.endsWith(encrypted_suffix));
  if (unencrypted_regex !== undefined)
    return !path.some((key) => new RegExp(unencrypted_regex, 'u').test(key));
  if (encrypted_regex !== undefined) return path.some((key) => new RegExp(encrypted_regex, 'u').test(key));
  return comments.some((comment) => new RegExp(encrypted_comment_regex ?? '', 'u').test(comment));
}

/** As Go reads and prints it; undefined for null, which is not looked at. */
function bytesOf({ value, type }: Scalar): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  const text = String(value);
  return type === 'PLAIN' && /^\d{4}-\d\d-\d\d$/u.test(text) ? `${text}T00:00:00Z` : text;
}

function typeOf({ value }: Scalar): string {
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' ? 'int' : 'str';
}

function encrypt(plain: string, key: Buffer, additional: string, type: string): string {
  // Not random, so that a fixture is the same in each run.
  const iv = createHash('sha256').update(`${additional}${plain}`).digest();
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(additional));
  const data = Buffer.concat([cipher.update(plain), cipher.final()]).toString('base64');
  const tag = cipher.getAuthTag().toString('base64');
  return `ENC[AES256_GCM,data:${data},iv:${iv.toString('base64')},tag:${tag},type:${type}]`;
}

function decrypt(value: string, key: Buffer, additional: string): string {
  const found = /^ENC\[AES256_GCM,data:(.+),iv:(.+),tag:(.+),type:(.+)\]/u.exec(value);
  if (found === null) throw new Error("the value does not match sops' data format");
  const [data = '', iv = '', tag = ''] = found.slice(1);
  const cipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64'));
  cipher.setAAD(Buffer.from(additional)).setAuthTag(Buffer.from(tag, 'base64'));
  return Buffer.concat([cipher.update(Buffer.from(data, 'base64')), cipher.final()]).toString();
}
