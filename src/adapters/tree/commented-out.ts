// Tells comments that are about an entry from entries and items that were commented out above it. Those are settings that
// somebody may want back: they neither leave with the entry below them nor are replaced with its comment.
import { type Commented, headStart } from './head-comment.ts';
import { lineEnd, lineStart, nextLine } from './lines.ts';

/** An entry with its name, or an item, which has no key. */
interface Part {
  readonly start: number;
  readonly key?: unknown;
  readonly name?: string | undefined;
}

/**
 * Returns where the comments begin that are about the part, and leave with it; the start of its line where it has none. `start` is the
 * place on its line where it begins, together with a comma or a dash.
 */
export function commentStart(stream: Commented, part: Part, start = part.start): number {
  return belowCommentedOut(stream.text, part, headStart(stream, start));
}

/** Returns where the comments about the part begin: below the last commented-out part between `head` and the part's own line. */
export function belowCommentedOut(text: string, part: Part, head: number): number {
  const own = lineStart(text, part.start);
  let start = head;
  let depth: number | undefined;
  for (let at = head; at < own; at = nextLine(text, at)) {
    const line = commentIn(text.slice(at, lineEnd(text, at)));
    if (line === undefined) continue;
    // What is deeper, or an item below a key, is the value of the commented-out part. Behind `#- a` prose begins one column later.
    const isInside =
      depth !== undefined && (line.depth > depth + 1 || (line.depth >= depth && ITEM.test(line.content)));
    if (!isInside) depth = isPartLike(line, part) ? line.depth : undefined;
    if (depth !== undefined) start = nextLine(text, at);
  }
  // A part that shares its line with a dash has no line of its own.
  return Math.max(Math.min(start, own), head);
}

/** Returns whether a comment looks like an entry that was commented out. */
export function isEntryLike(comment: string): boolean {
  const line = commentIn(comment);
  return line !== undefined && isPartLike(line, { start: 0, key: true });
}

interface CommentLine {
  /** The number of blanks between the mark and the content. */
  readonly depth: number;
  readonly content: string;
}

function commentIn(line: string): CommentLine | undefined {
  const [, blanks, content = ''] = /^[ \t]*(?:#|\/\/)([ \t]*)(\S.*)$/u.exec(line) ?? [];
  return blanks === undefined ? undefined : { depth: blanks.length, content: content.trimEnd() };
}

const ITEM = /^-(?:[ \t]|$)/u;
const ENTRY =
  /^(?:"(?<quoted>[^"\n]+)"|(?<plain>[\w.$/-]+))(?:[ \t]*=|[ \t]?:(?=[ \t]|$))[ \t]*(?<value>.*)$/u;

function isPartLike({ content }: CommentLine, part: Part): boolean {
  if (part.key === undefined) return ITEM.test(content);
  const { quoted, plain, value = '' } = ENTRY.exec(content)?.groups ?? {};
  const key = quoted ?? plain;
  if (key === undefined || /^\d+$/u.test(key) || ABOUT_NEXT.test(content) || value.endsWith('.'))
    return false;
  // `# Note: …` is prose unless the keys beside it are capitalized as well.
  if (/^[A-Z][a-z]+$/u.test(key) && !/^["']?[A-Z]/u.test(part.name ?? '')) return false;
  const isOfWords = /^[^\s"'[{|>&*!#]+[ \t]+[^\s#]/u.test(value);
  return !isOfWords || key !== part.name;
}

/** What is said about the next key, in words or to a tool. */
const ABOUT_NEXT =
  /^(?:note|todo|fixme|hack|xxx|warning|warn|attention|caution|hint|tip|info|important|defaults?|examples?|e\.g\.?|usage|see|ref|https?|renovate|checkov|trivy|pragma|dependabot|kics-scan|noqa|nosec|prettier-ignore|eslint-[\w-]+)[ \t]*[:=]/iu;
