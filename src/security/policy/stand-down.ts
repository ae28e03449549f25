// After a person's no, what changes the same nodes again needs a person, whatever the rules say: at, above and below them, in
// any document of the file, in any item of a list, in any spelling of a key. What is denied stays denied.
import { foldText } from '../text/fold.ts';
import type { FileFacts, LeafChange, StandDown } from './facts.ts';

/** Of more, what is common to them counts. */
const MOST_NODES = 100;

/** The no that a change is about again; the one that holds longest where several are. */
export function standDownFor(
  { doc, path }: LeafChange,
  refused: readonly StandDown[],
): StandDown | undefined {
  const segments = path.map((part) => segmentOf(`${part}`));
  const isAbout = ({ touched }: StandDown) =>
    doc === undefined || touched.some((pointer) => isRelated(segments, segmentsIn(pointer)));
  return refused
    .filter(isAbout)
    .reduce<StandDown | undefined>(
      (longest, no) => (longest === undefined || no.until > longest.until ? no : longest),
      undefined,
    );
}

/** The nodes that a change is of, as JSON pointers, for the record of a no to it. */
export function touchedNodes({ changes }: Pick<FileFacts, 'changes'>): readonly string[] {
  const paths = changes.map(({ path }) => path.map(String));
  const depth = Math.max(0, ...paths.map(({ length }) => length));
  for (let most = depth; most > 0; most -= 1) {
    const cut = new Set(paths.map((path) => pointerTo(path.slice(0, most))));
    if (cut.size <= MOST_NODES) return [...cut];
  }
  return [''];
}

/** Of a list: its items move. */
const ANY = '*';

function isRelated(one: readonly string[], other: readonly string[]): boolean {
  const common = Math.min(one.length, other.length);
  return one.slice(0, common).every((part, at) => part === ANY || other[at] === ANY || part === other[at]);
}

function segmentsIn(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => segmentOf(part.replaceAll('~1', '/').replaceAll('~0', '~')));
}

/** Digits may be an index. */
function segmentOf(part: string): string {
  return /^\d+$/u.test(part) ? ANY : foldText(part);
}

function pointerTo(path: readonly string[]): string {
  return path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
