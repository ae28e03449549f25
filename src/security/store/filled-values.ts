// The values that people have filled in: kept so that they can be written, and masked wherever they stand from then on. One
// file for each; nothing in it is shown to anybody. Who erases one makes it a value like any other.
import { readFields, readOrUndefined } from '../records/fields.ts';
import type { StateFolder } from '../records/state-folder.ts';
import type { FilledValue } from '../secrets/filled-value.ts';
import { MaskedText, type Secret, type SecretSpan, secretsIn } from '../secrets/masked-text.ts';
import { type PlaceholderOf, placeholdersBy } from '../secrets/placeholder.ts';
import { canonicalJson, contentId, parseCanonical, randomNonce } from '../text/canonical-json.ts';
import { readSecret } from './applied-change.ts';
import { idsIn } from './retention.ts';

const MOST_BYTES = 1e6;
/** The oldest goes for the next one, and is masked no longer unless something else tells that it is a secret. */
const MOST_VALUES = 5_000;

/** A root by the name that paths begin with, and where it leads. */
export interface RootPlace {
  readonly name: string | undefined;
  readonly place: string;
}

interface Kept extends FilledValue {
  /** The file on this machine: another server, with other roots, has another name for it. */
  readonly place: string;
  readonly secret: Secret;
}

export class FilledValues {
  readonly #folder: StateFolder;
  readonly #placeholderOf: PlaceholderOf;
  readonly #roots: readonly RootPlace[];
  #known = new Map<string, Kept>();

  constructor(folder: StateFolder, maskingKey: string, roots: readonly RootPlace[]) {
    this.#folder = folder;
    this.#roots = roots;
    this.#placeholderOf = placeholdersBy(maskingKey);
  }

  /**
   * Keeps what stands at that span of a text, durable once it returns. Answers its id, and the text as it is shown.
   */
  keep(value: FilledValue, whole: string, span: SecretSpan): { readonly id: string; readonly shown: string } {
    const masked = new MaskedText(whole, [span], this.#placeholderOf);
    const [found] = secretsIn(masked);
    if (found === undefined) throw new Error('a value of no length is not kept');
    const ids = this.#ids();
    if (ids.length >= MOST_VALUES) {
      const [oldest] = ids
        .map((id) => ({ id, since: this.#folder.facts(`${id}.json`)?.mtimeNs ?? 0n }))
        .sort((a, b) => (a.since < b.since ? -1 : 1));
      if (oldest !== undefined) this.discard(oldest.id);
    }
    const { file, doc, path, text } = value;
    const { placeholder, text: source, quote, isBare } = found;
    const secret = { placeholder, text: source, quote, isBare };
    const record = canonicalJson({
      ...{ v: 1, nonce: randomNonce(), file, place: this.#placeOf(file), doc, path, text, secret },
    });
    const id = contentId(record);
    this.#folder.createDurable(`${id}.json`, record);
    return { id, shown: masked.shown };
  }

  /** For one whose preview was not kept. Never throws. */
  discard(id: string): void {
    this.#folder.remove(`${id}.json`);
  }

  /** All of a file, by what is there now: other processes fill in as well. */
  in(name: string): readonly FilledValue[] {
    const here = this.#placeOf(name);
    return this.#all()
      .filter(({ file, place }) => file === name || place === here)
      .map(({ file, doc, path, text }) => ({ file, doc, path, text }));
  }

  recall(placeholder: string, quote: string): Secret | undefined {
    const found = this.#all().flatMap(({ secret }) => (secret.placeholder === placeholder ? [secret] : []));
    return found.find((secret) => secret.quote === quote) ?? found[0];
  }

  #all(): readonly Kept[] {
    const ids = this.#ids();
    if (ids.length === 0) return [];
    const known = new Map<string, Kept>();
    for (const id of ids) {
      const kept = this.#known.get(id) ?? this.#read(id);
      if (kept !== undefined) known.set(id, kept);
    }
    this.#known = known;
    return [...known.values()];
  }

  #placeOf(name: string): string {
    const [, root, rest = name] = /^@([^/]+)\/(.*)$/u.exec(name) ?? [];
    const place = this.#roots.find((one) => one.name === root)?.place;
    return place === undefined ? name : `${place}/${rest}`;
  }

  #ids(): readonly string[] {
    return idsIn(this.#folder.names());
  }

  #read(id: string): Kept | undefined {
    const text = this.#folder.read(`${id}.json`, MOST_BYTES);
    if (text === undefined || contentId(text) !== id) return undefined;
    return readOrUndefined(() => readKept(parseCanonical(text)));
  }
}

function readKept(value: unknown): Kept {
  return readFields(value, (fields) => {
    fields.version();
    fields.text('nonce');
    return {
      ...{ file: fields.text('file'), place: fields.text('place') },
      ...{ doc: fields.count('doc'), path: fields.text('path') },
      ...{ text: fields.text('text'), secret: readSecret(fields.raw('secret')) },
    };
  });
}
