// Recognises values of a secret key that are only names: of a Kubernetes Secret, or of a key in one.
import type { Part } from './references.ts';
import { secretParts } from './secret-values.ts';

/** Matches keys whose value is the secret itself, and never the name of a Secret. */
const SECRET_ITSELF =
  /(?:client|app|shared|jwt|session|cookie|oauth|oidc|signing|hmac|api|consumer|encryption|webhook|login|user|admin)[_.-]?secrets?$|auth_?secrets?$/iu;
/** Matches names of Kubernetes resources, of words with hyphens or dots: `home-ops-runner-secret`. */
const RESOURCE = /^(?=.{1,63}$)[a-z]{2,}\d{0,2}(?:[-.](?:[a-z]+\d{0,2}|\d{1,2}))+$/u;
/** Matches names of keys in a Secret, as External Secrets refers to them. */
const KEY_OF_SECRET =
  /^(?:token|password|username|user|key|secret|host|port|url|database|kubeconfig|config|[a-z]{2,20}(?:_[a-z]{2,20}){1,4}|[A-Z\d]{2,20}(?:-[A-Z\d]{2,20}){1,4})$/u;

const ORDINARY =
  /(?:^|[._-])(?:name|type|enabled|kind|mode|namespace|username(?:_in)?|user|host|hostname|port|database|db_?name|region|bucket|domain|protocol|ssl_?mode|email|log_?level)$/iu;

/** True if the last word of a key in a Secret shows that it holds no secret: `host`, `db-user`, `apiUsername`. */
export function isOrdinary(key: string): boolean {
  return ORDINARY.test(key.replaceAll(/([a-z\d])([A-Z])/gu, '$1_$2'));
}

/** Matches a sentence that tells people what to enter. */
const PROSE =
  /^[A-Z][a-z]+(?: [^\s]+){1,40}? (?:the|to|of|your)(?: [^\s]+){2,40}$|^[A-Z][a-z]+ to [a-z]+(?: [^\s]+){1,40}$/u;

/** Returns the secret parts of a value with this key. `source` is the value as it is written, without quotes. */
export function secretPartsOf(name: string, source: string): readonly Part[] {
  if (isCertificate(source)) return [];
  const isProse = PROSE.test(source) && !/phrase|mnemonic/iu.test(name);
  return isProse || isNameOfSecret(name, source.trim()) ? [] : secretParts(source);
}

/**
 * Returns the kinds of values that are not masked below this name. If all kinds of another name are among them, that name masks all
 * that this name masks. Values that are never secrets are a kind that every name has.
 */
export function kindsShownFor(name: string): readonly string[] {
  const isOfKey = /(?:^s|[a-z\d]S)ecretKey$/u.test(name);
  const isOfSecret = isOfKey || (/secrets?$/iu.test(name) && !SECRET_ITSELF.test(name));
  return [
    'no secret',
    ...(/phrase|mnemonic/iu.test(name) ? [] : ['prose']),
    ...(isOfKey ? ['name of a key'] : []),
    ...(isOfSecret && name !== 'secretKey' ? ['name of a Secret'] : []),
  ];
}

/** True for a public certificate without a private key. */
function isCertificate(source: string): boolean {
  return source.includes('-----BEGIN CERTIFICATE-----') && !source.includes('PRIVATE KEY');
}

function isNameOfSecret(name: string, value: string): boolean {
  if (/(?:^s|[a-z\d]S)ecretKey$/u.test(name))
    return KEY_OF_SECRET.test(value) || (name !== 'secretKey' && RESOURCE.test(value));
  return /secrets?$/iu.test(name) && !SECRET_ITSELF.test(name) && RESOURCE.test(value);
}
