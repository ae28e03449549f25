// A file argument that is well formed: relative, plain, and named the same on every platform. It proves nothing about the disk:
// the file may not exist, and a symlink may be on the way.
import { Refusal } from '../errors/refusal.ts';
import { lazily } from '../text/look-alikes.ts';
import { quoted, visibleLine } from '../text/visible.ts';
import { isOnDenylist } from './denylist.ts';

/** Returns the operator's word for the format of a file, if there is one. */
export type FormatOf = (components: readonly string[]) => string | undefined;

const WHAT_WORKS = 'Give a path relative to the root, such as deploy/web.yaml';

export class SafePath {
  /** An object of the same shape is of another type. */
  protected readonly isParsed = true;
  readonly root: string | undefined;
  readonly components: readonly string[];
  /** The format that the operator has given to the file; undefined if its name tells it. */
  readonly format: string | undefined;

  /** @internal Made by `parse` and `listedPath` only. */
  constructor(root: string | undefined, components: readonly string[], format?: FormatOf) {
    this.root = root;
    this.components = Object.freeze([...components]);
    this.format = format?.(components);
    Object.freeze(this);
  }

  /** Parses a file argument without asking the disk. Throws PATH_INVALID, PATH_OUTSIDE_ROOT or PATH_DENIED. */
  static parse(text: string, rootNames: readonly (string | undefined)[], format?: FormatOf): SafePath {
    const unreadable = unreadablePath(text);
    if (unreadable !== undefined) throw invalid(text, unreadable);
    if (/^\/[^/]/u.test(text)) throw outside(text, 'it is an absolute path');
    const { root, rest } = rootOf(text, rootNames);
    // This comes before the other text rules: ".git." and ".g<zero width>it" are attempts at .git, and must be
    // answered as denied.
    if (isOnDenylist(rest.split('/'))) throw deniedPath(text);
    const malformed = malformedPath(rest);
    if (malformed !== undefined) throw invalid(text, malformed);
    return new SafePath(root, rest.split('/'), format);
  }

  /** The last component. */
  get name(): string {
    return this.components.at(-1) ?? '';
  }

  /** The extension in lower case, without the dot; empty if there is none. */
  get extension(): string {
    return /.\.([^.]+)$/u.exec(this.name)?.[1]?.toLowerCase() ?? '';
  }

  /** The path as the agent writes it: `a/b.yaml`, or `@name/a/b.yaml` with named roots. */
  toString(): string {
    const relative = this.components.join('/');
    return this.root === undefined ? relative : `@${this.root}/${relative}`;
  }
}

/**
 * For this layer only: makes the path of an entry that a listing met, by the same text rules; undefined if its name breaks
 * them. The listing has asked the policy already, and `open` asks again.
 */
export function listedPath(
  root: string | undefined,
  components: readonly string[],
  format?: FormatOf,
): SafePath | undefined {
  const text = components.join('/');
  const isPlain = unreadablePath(text) === undefined && malformedPath(text) === undefined;
  return isPlain ? new SafePath(root, text.split('/'), format) : undefined;
}

/**
 * Makes the refusal PATH_DENIED. It follows from the name alone, so that it is the same whether the file exists or not. `way` says
 * which option opens the file; none does by default.
 */
export function deniedPath(text: string, way = 'it is on a denylist, and no --allow opens it'): Refusal {
  return new Refusal(
    'PATH_DENIED',
    `Cannot use ${quoted(text)}: ${way}. config_list shows the files that are open.`,
    { file: visibleLine(text.slice(0, 200)) },
  );
}

function rootOf(
  text: string,
  rootNames: readonly (string | undefined)[],
): { root: string | undefined; rest: string } {
  const names = rootNames.filter((name) => name !== undefined);
  const [, name, rest] = /^@([^/]*)\/(.*)$/su.exec(text) ?? [];
  // Where no root is held, the name of any root is taken as it is.
  if (rootNames.length === 0 && name !== undefined && rest !== undefined) return { root: name, rest };
  if (names.length === 0) return { root: undefined, rest: text };
  const known = names.map((one) => `@${one}`).join(', ');
  if (name === undefined || rest === undefined) {
    throw invalid(text, `it does not start with the name of a root. The roots are ${known}`);
  }
  if (!names.includes(name)) throw outside(text, `there is no such root. The roots are ${known}`);
  return { root: name, rest };
}

function invalid(text: string, reason: string): Refusal {
  const rest = text.replace(/^(?:\.\/+)+/u, '');
  const advice =
    rest !== text && rest !== '' ? [`Use ${quoted(rest)}, without the leading './'`] : [WHAT_WORKS];
  return new Refusal(
    'PATH_INVALID',
    `Cannot use ${quoted(text)} as a file: ${reason}. ${advice[0]}.`,
    { file: visibleLine(text.slice(0, 200)) },
    { advice },
  );
}

function outside(text: string, reason: string): Refusal {
  return new Refusal('PATH_OUTSIDE_ROOT', `Cannot use ${quoted(text)} as a file: ${reason}. ${WHAT_WORKS}.`, {
    file: visibleLine(text.slice(0, 200)),
  });
}

const MAX_PATH_BYTES = 4096;
const MAX_COMPONENT_BYTES = 255;
const MAX_COMPONENTS = 64;

// Controls forge log lines and terminals; bidi and format characters make two names look alike.
const hiddenCharacter = lazily(() => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{NChar}]/u);

/**
 * Returns why a text cannot be read as a path at all, or undefined. This comes before the denylist, because in such a text it
 * is not clear which names are meant.
 */
export function unreadablePath(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (Buffer.byteLength(text) > MAX_PATH_BYTES) return `it is longer than ${MAX_PATH_BYTES} bytes`;
  if (text.includes('\0')) return 'it contains a NUL character';
  if (text.includes('\\')) return "it contains a backslash; separate folders with '/'";
  // '..' is refused even where it would stay inside, because after a symlink the text and the kernel disagree on
  // where it leads.
  if (text.split('/').includes('..')) return "'..' is never followed";
  return undefined;
}

/** Returns why a text that passed `unreadablePath` is not a plain relative path, or undefined. The caller handles absolute paths. */
function malformedPath(text: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(text)) return 'it is a URL, not a file below the root';
  const components = text.split('/');
  if (components.length > MAX_COMPONENTS) return `it has more than ${MAX_COMPONENTS} components`;
  for (const component of components) {
    const reason = malformedComponent(component);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Returns why a single name cannot be part of a path, or undefined. */
function malformedComponent(component: string): string | undefined {
  if (component === '') return "it starts, ends or doubles a '/'";
  if (component === '.') return "it contains a '.' component";
  if (component.includes(':')) return "it contains ':' (a drive, a stream or a URL)";
  if (hiddenCharacter().test(component)) return 'it contains a control or invisible character';
  if (/[. ]$/u.test(component)) return 'a name ends with a dot or a space';
  if (Buffer.byteLength(component) > MAX_COMPONENT_BYTES)
    return `a name is longer than ${MAX_COMPONENT_BYTES} bytes`;
  return undefined;
}
