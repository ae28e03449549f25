// Where the holes of a template stand, read from its constant pieces once. Knows the small part of HTML that our
// templates are written in, and throws for the rest: scripts, handlers, comments, attributes without quotes.

export type TemplateContext = 'text' | 'attribute' | 'address';

/** What the reader is inside of. */
type State = 'text' | 'tag' | 'value';

const KNOWN = new WeakMap<readonly string[], readonly TemplateContext[]>();

/** Throws TypeError for a template in which a hole could become markup, a script or an address elsewhere. */
export function contextsIn(statics: readonly string[]): readonly TemplateContext[] {
  const known = KNOWN.get(statics);
  if (known !== undefined) return known;
  const holes: TemplateContext[] = [];
  let state: State = 'text';
  let attribute = '';
  for (const [index, piece] of statics.entries()) {
    ({ state, attribute } = read(piece, state, attribute));
    if (index === statics.length - 1) break;
    if (state === 'tag') throw new TypeError('a hole stands among the attributes of a tag');
    const isAddress = state === 'value' && ADDRESSES.has(attribute);
    // An address that is put together from pieces could be one that no piece is.
    if (isAddress && !(piece.endsWith('="') && statics[index + 1]?.startsWith('"')))
      throw new TypeError('a hole is a part of an address only');
    holes.push(state === 'text' ? 'text' : isAddress ? 'address' : 'attribute');
  }
  // Each template is whole by itself, so that one inside of another cannot change what the outer one means.
  if (state !== 'text') throw new TypeError('a template ends inside of a tag');
  KNOWN.set(statics, holes);
  return holes;
}

const ADDRESSES: ReadonlySet<string> = new Set(['href', 'action', 'formaction', 'src', 'cite', 'poster']);
const FORBIDDEN_TAGS =
  /^(?:script|style|iframe|object|embed|base|svg|math|template|noscript|link|frame|xmp|plaintext)$/u;
const FORBIDDEN_ATTRIBUTES = /^(?:on.*|style|srcdoc|srcset|xmlns.*|http-equiv|ping|target|download)$/u;

const TAG = /<(?:!doctype html>|(?<name>\/?[a-z][a-z0-9]*))/uy;
const ATTRIBUTE = /\s+(?<name>[a-z][a-z-]*)(?:="(?<value>[^"]*)(?<close>"?)|(?=[\s>]))/uy;
const END_OF_TAG = /\s*>/uy;

function read(piece: string, from: State, inside: string): { state: State; attribute: string } {
  let state = from;
  let attribute = inside;
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(piece);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  while (at < piece.length) {
    if (state === 'text') {
      const next = piece.indexOf('<', at);
      if (next === -1) break;
      at = next;
      const tag = take(TAG);
      if (tag === null) throw new TypeError('a "<" that begins no tag');
      const name = tag.groups?.['name'];
      if (name !== undefined && FORBIDDEN_TAGS.test(name.replace('/', '')))
        throw new TypeError(`no template holds ${name}`);
      if (name !== undefined) state = 'tag';
    } else if (state === 'value') {
      const end = piece.indexOf('"', at);
      if (end === -1) break;
      at = end + 1;
      state = 'tag';
    } else if (take(END_OF_TAG) !== null) {
      state = 'text';
    } else {
      const found = take(ATTRIBUTE);
      attribute = found?.groups?.['name'] ?? '';
      if (attribute === '') throw new TypeError('an attribute without double quotes');
      if (FORBIDDEN_ATTRIBUTES.test(attribute)) throw new TypeError(`no template holds ${attribute}`);
      if (found?.groups?.['close'] === '') state = 'value';
    }
  }
  return { state, attribute };
}
