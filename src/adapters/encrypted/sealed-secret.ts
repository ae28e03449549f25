// SealedSecrets: each value is encrypted with the namespace and the name of its object as a label (less of it with a wider
// scope), so neither may change as long as a value stays. The keys of values are not bound: they may be renamed, and values
// deleted, or replaced whole by what kubeseal made. This follows bitnami-labs/sealed-secrets (crypto.go,
// sealedsecret_expansion.go).
import { keyOf, type NodePath, printNodePath, unlessRefused } from '../../security/index.ts';
import type { Json } from '../tree/json.ts';
import { visitNodes } from '../tree/keys.ts';
import type { Stream } from '../tree/span-tree.ts';
import { toValue } from '../values/to-value.ts';
import { type Breach, type EncryptedEdit, shellWord } from './breach.ts';

export const KIND = 'SealedSecret';

export function sealedBreach(base: Stream, result: Stream, { file }: EncryptedEdit): Breach | undefined {
  if (!base.text.includes(KIND) && !result.text.includes(KIND)) return undefined;
  const [old, next] = [sealedIn(base), sealedIn(result)];
  if (old === undefined || next === undefined) return byLines(base.text, result.text, file);
  const labels = new Map<string, Set<string>>();
  for (const { text, label } of old) labels.set(text, (labels.get(text) ?? new Set()).add(label));
  const halves = new Set(old.flatMap(({ text }) => halvesOf(text) ?? []));
  for (const { text, label, path, doc, name } of next) {
    const at = { path: printNodePath(path), doc, instead: [sealAgain(file, name, path)] };
    const known = labels.get(text);
    if (known !== undefined && !known.has(label)) return { why: OTHER_LABEL, ...at };
    const own = halvesOf(text);
    const isWhole = own !== undefined && !own.some((half) => halves.has(half));
    if (known === undefined && !isWhole) return { why: NOT_SEALED, ...at };
  }
  const strays = straysIn(base, old, labels);
  const stray = [...straysIn(result, next, labels)].find(([place]) => !strays.has(place));
  return stray?.[1] && { why: STRAY, ...stray[1], instead: [sealAgain(file, 'NAME', [])] };
}

const OTHER_LABEL =
  'holds a SealedSecret, whose values are bound to its name, its namespace and its scope: they could no longer be decrypted';
const NOT_SEALED =
  'holds a SealedSecret, and what would stand there as one of its values was not made by kubeseal';
const STRAY = 'holds a SealedSecret, and one of its values would stand where nobody decrypts it';
const UNREAD =
  'holds a SealedSecret, cannot be read as a whole, and what names the secret or one of its values would change';

interface SealedValue {
  readonly text: string;
  /** The label to which the value is bound, as EncryptionLabel computes it. */
  readonly label: string;
  readonly name: string;
  readonly doc: number;
  readonly path: NodePath;
}

/**
 * Returns the sealed values of each SealedSecret, alone or as an item of a list, with those that aliases and merges bring.
 * Undefined where that cannot be read.
 */
function sealedIn({ documents, hasStructure }: Stream): readonly SealedValue[] | undefined {
  if (hasStructure === false) return undefined;
  return unlessRefused(() =>
    documents.flatMap((document, doc) => {
      const value = toValue(document, document.root);
      const items = memberOf(value, 'items');
      const listed = Array.isArray(items) ? items : [];
      const below = listed.map((item, index) => ({
        item,
        path: ['items', index],
      }));
      return [{ item: value, path: [] }, ...below].flatMap(({ item, path }) => valuesOf(item, path, doc));
    }),
  );
}

function valuesOf(object: Json, above: NodePath, doc: number): readonly SealedValue[] {
  const sealed = memberOf(memberOf(object, 'spec'), 'encryptedData');
  if (memberOf(object, 'kind') !== KIND || !isMapping(sealed)) return [];
  const metadata = memberOf(object, 'metadata');
  const [name, label] = [textOf(metadata, 'name'), labelOf(metadata)];
  const path = [...above, 'spec', 'encryptedData'];
  return Object.entries(sealed).map(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return { text: text.trim(), label, name, doc, path: [...path, key] };
  });
}

/** Computes the label as EncryptionLabel does; the empty label of cluster scope equals that of no other scope. */
function labelOf(metadata: Json | undefined): string {
  const annotations = memberOf(metadata, 'annotations');
  const is = (scope: string): boolean =>
    memberOf(annotations, `sealedsecrets.bitnami.com/${scope}`) === 'true';
  const namespace = textOf(metadata, 'namespace');
  if (is('cluster-wide')) return '';
  return is('namespace-wide') ? namespace : `${namespace}/${textOf(metadata, 'name')}`;
}

/** Returns where sealed values are outside of a SealedSecret, by document and path. */
function straysIn(
  { documents, text }: Stream,
  sealed: readonly SealedValue[],
  known: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, Pick<Breach, 'path' | 'doc'>> {
  const strays = new Map<string, Pick<Breach, 'path' | 'doc'>>();
  if (known.size === 0) return strays;
  const places = new Set(sealed.map(({ doc, path }) => `${doc} ${printNodePath(path)}`));
  for (const [doc, { root }] of documents.entries())
    visitNodes(text, root, (node, at) => {
      if (node.kind !== 'scalar' || !known.has(node.value.trim())) return;
      const path = printNodePath(at);
      if (!places.has(`${doc} ${path}`)) strays.set(`${doc} ${path}`, { path, doc });
    });
  return strays;
}

const MIN_KEY_BYTES = 128;
const TAG_BYTES = 16;

/**
 * The encrypted session key, and what it encrypts: two bytes of length, the first, the second with its tag. No two values
 * share either, unless somebody has edited one by hand. Undefined for what is no such value.
 */
function halvesOf(text: string): readonly [string, string] | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/u.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length < 2 || bytes.toString('base64') !== text) return undefined;
  const end = 2 + bytes.readUInt16BE(0);
  if (end < MIN_KEY_BYTES || bytes.length < end + TAG_BYTES) return undefined;
  return [bytes.toString('base64', 2, end), bytes.toString('base64', end)];
}

export function holdsSealed(stream: Stream): boolean {
  return stream.text.includes(KIND) && (sealedIn(stream) ?? []).length > 0;
}

/** The lines that can bind a value, and what may be one. */
const BINDING =
  /^.*(?:SealedSecret|sealedsecrets\.bitnami\.com|<<|[&*]\w|\b(?:name|namespace)["']?\s*:|[A-Za-z0-9+/=]{170}).*$/gmu;

function byLines(base: string, result: string, file: string): Breach | undefined {
  const lines = (text: string) => (text.match(BINDING) ?? []).map((line) => line.trim()).join('\n');
  if (lines(base) === lines(result)) return undefined;
  return { why: UNREAD, instead: [`A person mends ${file} by hand, or seals the secret anew with kubeseal`] };
}

function sealAgain(file: string, name: string, path: NodePath): string {
  const key = keyOf(path.at(-1)) ?? 'KEY';
  return `A person seals it anew: kubectl create secret generic ${shellWord(name)} --dry-run=client --from-file=${shellWord(key)}=/dev/stdin -o yaml | kubeseal --format yaml --merge-into ${shellWord(file)}`;
}

type Members = { readonly [key: string]: Json };

function isMapping(value: Json | undefined): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isMapping(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function textOf(value: Json | undefined, name: string): string {
  const text = memberOf(value, name);
  return text === undefined || text === null ? '' : String(text);
}
