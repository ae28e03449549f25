// Which values below the name of a secret are names themselves: that of a Secret of Kubernetes, or of a key in one.
import type { Part } from './references.ts';
import { secretParts } from './secret-values.ts';

/** Of a key that ends so, the value is the secret itself, and never the name of one. */
const ITSELF =
  /(?:client|app|shared|jwt|session|cookie|oauth|oidc|signing|hmac|api|consumer|encryption|webhook|login|user|admin)[_.-]?secrets?$|auth_?secrets?$/iu;
/** Words with hyphens or dots, as Kubernetes wants its names: `home-ops-runner-secret`. */
const RESOURCE = /^(?=.{1,63}$)[a-z]{2,}\d{0,2}(?:[-.](?:[a-z]+\d{0,2}|\d{1,2}))+$/u;
/** Of External Secrets: the key in a Secret that is meant. */
const KEY_OF_SECRET =
  /^(?:token|password|username|user|key|secret|host|port|url|database|kubeconfig|config|[a-z]{2,20}(?:_[a-z]{2,20}){1,4}|[A-Z\d]{2,20}(?:-[A-Z\d]{2,20}){1,4})$/u;

const ORDINARY =
  /(?:^|[._-])(?:name|type|enabled|kind|mode|namespace|username(?:_in)?|user|host|hostname|port|database|db_?name|region|bucket|domain|protocol|ssl_?mode|email|log_?level)$/iu;

/** Whether a key of a Secret says by its last word that it holds none: `host`, `db-user`, `apiUsername`. */
export function isOrdinary(key: string): boolean {
  return ORDINARY.test(key.replaceAll(/([a-z\d])([A-Z])/gu, '$1_$2'));
}

/** A sentence that says what belongs here. */
const PROSE =
  /^[A-Z][a-z]+(?: [^\s]+){1,40}? (?:the|to|of|your)(?: [^\s]+){2,40}$|^[A-Z][a-z]+ to [a-z]+(?: [^\s]+){1,40}$/u;

/** What of a value below this name is secret. `source`: as it is written, without quotes. */
export function partsBelow(name: string, source: string): readonly Part[] {
  if (isCertificate(source)) return [];
  const isProse = PROSE.test(source) && !/phrase|mnemonic/iu.test(name);
  return isProse || isNameItself(name, source.trim()) ? [] : secretParts(source);
}

/** Certificates are public; what is bundled with them says whose they are. */
function isCertificate(source: string): boolean {
  return source.includes('-----BEGIN CERTIFICATE-----') && !source.includes('PRIVATE KEY');
}

function isNameItself(name: string, value: string): boolean {
  if (/(?:^s|[a-z\d]S)ecretKey$/u.test(name))
    return KEY_OF_SECRET.test(value) || (name !== 'secretKey' && RESOURCE.test(value));
  return /secrets?$/iu.test(name) && !ITSELF.test(name) && RESOURCE.test(value);
}
