// Finds the context of each value in a template, from the constant pieces between the values. It knows the part of HTML that our
// templates use, and throws for the rest: scripts, handlers, comments, attributes without quotes.

export type TemplateContext = 'text' | 'attribute' | 'address';

/** Stands for a value; no template contains this character. */
const HOLE = '\0';
const TOKEN =
  /(?<text>[^<]+)|<(?:!doctype html|\/?(?<tag>[a-z][a-z0-9]*))(?<attributes>(?:\s+[a-z][a-z-]*(?:="[^"]*")?)*)\s*>/uy;
const ATTRIBUTE = /(?<name>[a-z][a-z-]*)(?:="(?<value>[^"]*)")?/gu;

const ADDRESSES: ReadonlySet<string> = new Set(['href', 'action', 'formaction', 'src', 'cite', 'poster']);
const FORBIDDEN_TAGS =
  /^(?:script|style|iframe|object|embed|base|svg|math|template|noscript|link|frame|xmp|plaintext)$/u;
const FORBIDDEN_ATTRIBUTES = /^(?:on.*|style|srcdoc|srcset|xmlns.*|http-equiv|ping|target|download)$/u;

/** Returns the context of each value. Throws TypeError for a template in which a value could become markup or a script. */
export function contextsIn(statics: readonly string[]): readonly TemplateContext[] {
  const template = statics.join(HOLE);
  const holes: TemplateContext[] = [];
  // Each template is complete by itself, so that an inner one cannot change the meaning of the outer one.
  for (let at = 0; at < template.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(template)?.groups;
    if (found === undefined) throw new TypeError('a template has a hole or markup that no template may have');
    const { text = '', tag = '', attributes = '' } = found;
    if (FORBIDDEN_TAGS.test(tag)) throw new TypeError(`no template holds ${tag}`);
    holes.push(...Array.from(holesIn(text), () => 'text' as const), ...attributeHoles(attributes));
  }
  return holes;
}

function attributeHoles(attributes: string): readonly TemplateContext[] {
  return [...attributes.matchAll(ATTRIBUTE)].flatMap(({ groups: { name = '', value = '' } = {} }) => {
    if (FORBIDDEN_ATTRIBUTES.test(name)) throw new TypeError(`no template holds ${name}`);
    const isAddress = ADDRESSES.has(name);
    // Harmless pieces could together make a dangerous address, so that a value must be the whole address.
    if (isAddress && value.includes(HOLE) && value !== HOLE)
      throw new TypeError('a hole is a part of an address only');
    return Array.from(holesIn(value), () => (isAddress ? 'address' : 'attribute'));
  });
}

function holesIn(text: string): readonly string[] {
  return text.split(HOLE).slice(1);
}
