// Seals as kubeseal does and encrypts as ansible-vault does, with keys for tests, and opens both again. By
// bitnami-labs/sealed-secrets (crypto.go) and ansible (parsing/vault/__init__.py).
import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  generateKeyPairSync,
  pbkdf2Sync,
  privateDecrypt,
  publicEncrypt,
} from 'node:crypto';
import { type Document, parseAllDocuments } from 'yaml';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const SEALING = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
const NO_NONCE = Buffer.alloc(12);

export function seal(plain: string, label: string): string {
  const session = createHash('sha256').update(`${label} ${plain}`).digest();
  const oaepLabel = Buffer.from(label);
  const key = publicEncrypt({ key: publicKey, ...SEALING, oaepLabel }, session);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(key.length);
  const cipher = createCipheriv('aes-256-gcm', session, NO_NONCE);
  const data = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return Buffer.concat([length, key, data]).toString('base64');
}

/** Why the controller would refuse one of the file's secrets; undefined where it opens all of them. */
export function unsealRefuses(text: string): string | undefined {
  try {
    for (const document of parseAllDocuments(text)) openSealed(document);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

function openSealed(document: Document): void {
  const { kind, metadata, spec } = document.toJS() ?? {};
  if (kind !== 'SealedSecret') {
    if (/[A-Za-z0-9+/]{170}/u.test(String(document))) throw new Error('nobody decrypts this value');
    return;
  }
  const { name = '', namespace = '', annotations = {} } = metadata ?? {};
  const scope = (wide: string) => annotations[`sealedsecrets.bitnami.com/${wide}`] === 'true';
  const strict = scope('namespace-wide') ? namespace : `${namespace}/${name}`;
  const oaepLabel = Buffer.from(scope('cluster-wide') ? '' : strict);
  for (const value of Object.values(spec?.encryptedData ?? {})) {
    const bytes = Buffer.from(String(value), 'base64');
    const end = 2 + bytes.readUInt16BE(0);
    const session = privateDecrypt({ key: privateKey, ...SEALING, oaepLabel }, bytes.subarray(2, end));
    const cipher = createDecipheriv('aes-256-gcm', session, NO_NONCE);
    cipher.setAuthTag(bytes.subarray(-16));
    cipher.update(bytes.subarray(end, -16));
    cipher.final();
  }
}

const PASSWORD = 'a password for tests';

/** The lines of a vault, with its header. */
export function vault(plain: string): string {
  const salt = createHash('sha256').update(plain).digest();
  const { key, hmacKey, iv } = vaultKeys(salt);
  const padding = 16 - (Buffer.byteLength(plain) % 16);
  const cipher = createCipheriv('aes-256-ctr', key, iv);
  const data = Buffer.concat([
    cipher.update(plain + String.fromCharCode(padding).repeat(padding)),
    cipher.final(),
  ]);
  const mac = createHmac('sha256', hmacKey).update(data).digest('hex');
  const hex = Buffer.from([salt.toString('hex'), mac, data.toString('hex')].join('\n')).toString('hex');
  return ['$ANSIBLE_VAULT;1.1;AES256', ...(hex.match(/.{1,80}/gu) ?? [])].join('\n');
}

/** Why ansible could not open it: the whole file, or one of its `!vault` values. */
export function vaultRefuses(text: string): string | undefined {
  try {
    if (text.startsWith('$ANSIBLE_VAULT;')) openVault(text);
    else {
      const values: string[] = [];
      const resolve = (value: string): string => {
        values.push(value);
        return '';
      };
      const plain = parseAllDocuments(text, { customTags: [{ tag: '!vault', resolve }] })
        .map((document) => JSON.stringify(document.toJS()))
        .join();
      for (const value of values) openVault(value);
      if (plain.includes('$ANSIBLE_VAULT;')) throw new Error('nobody decrypts this value');
    }
    return undefined;
  } catch (error) {
    return String(error);
  }
}

function openVault(text: string): void {
  const [header = '', ...lines] = text.split('\n').map((line) => line.trim());
  if (!/^\$ANSIBLE_VAULT;1\.[12];AES256/u.test(header)) throw new Error('no header');
  const hex = lines.join('');
  if (!/^(?:[0-9a-f]{2})+$/u.test(hex)) throw new Error('no hexadecimal text');
  const [salt = '', mac = '', data = ''] = Buffer.from(hex, 'hex').toString().split('\n');
  const { hmacKey } = vaultKeys(Buffer.from(salt, 'hex'));
  const own = createHmac('sha256', hmacKey).update(Buffer.from(data, 'hex')).digest('hex');
  if (own !== mac) throw new Error('HMAC verification failed');
}

function vaultKeys(salt: Buffer) {
  const bytes = pbkdf2Sync(PASSWORD, salt, 10_000, 80, 'sha256');
  return { key: bytes.subarray(0, 32), hmacKey: bytes.subarray(32, 64), iv: bytes.subarray(64) };
}
