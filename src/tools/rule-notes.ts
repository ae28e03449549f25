// Says in words to which rules a change owes its level: for replies, for kept previews, and for reviewers.
import { counted } from '../adapters/index.ts';
import {
  type ChangeRule,
  type FileFinding,
  type Level,
  type Policy,
  printNodePath,
  type RuleNote,
  strictest,
  type Verdict,
  visibleLine,
  whatHolds,
} from '../security/index.ts';

const MAX_NOTES = 50;

/** Returns the rules that decided the level, each once, at most fifty; empty if only `--approval` decides. */
export function ruleNotes(verdict: Verdict, { changes }: Pick<Policy, 'changes'>): readonly RuleNote[] {
  if (changes.rules.length === 0) return [];
  const found = new Map<string, RuleNote>();
  for (const finding of verdict.findings) {
    if (finding.level !== verdict.level) continue;
    const note = noteOn(finding);
    const known = found.get(note.rule);
    found.set(note.rule, { ...note, ...known, count: (known?.count ?? 0) + 1 });
  }
  const notes = [...found.values()];
  const isHigh = ({ risk }: RuleNote) => risk !== undefined;
  return [...notes.filter(isHigh), ...notes.filter((note) => !isHigh(note))].slice(0, MAX_NOTES);
}

/** Returns the ids of these rules for the trail; undefined if there are none. */
export function rulesApplied(
  verdict: Verdict,
  policy: Pick<Policy, 'changes'>,
): readonly string[] | undefined {
  const ids = [...new Set(ruleNotes(verdict, policy).map(({ rule }) => rule))];
  return ids.length === 0 ? undefined : ids;
}

function noteOn({ rule, level, file, change }: FileFinding): RuleNote {
  const { id = 'default', say, risk } = rule ?? {};
  const marks = { ...(say === undefined ? {} : { say }), ...(risk === undefined ? {} : { risk }) };
  return { rule: id, level, file, path: printNodePath(change.path), count: 1, ...marks };
}

/** Writes a line such as `image-tags (human): deploy/web.yaml spec.image and 2 more changes. Ask the platform team.` */
export function ruleLine({ rule, level, file, path, count, say }: RuleNote): string {
  const more = count === 1 ? '' : ` and ${counted(count - 1, 'more change')}`;
  const place = path === '' ? '' : ` ${path}`;
  return visibleLine(`${rule} (${level}): ${file}${place}${more}${say === undefined ? '' : `. ${say}`}`);
}

/** Writes `image-tags: files deploy/**, paths **.image: direct for a higher patch version (such as 1.2.3), with the same name before it; else human`. */
export function ruleSummary(rule: ChangeRule, least: Level): string {
  const { id, callers = [], roots = [], files = [], doc = [], paths = [], ops = [] } = rule;
  const { level, otherwise, say } = rule;
  const fields = doc.map(
    ({ path, texts }) =>
      `${path.map((step) => ('key' in step ? step.key : '')).join('.')}=${texts.join('|')}`,
  );
  const about = [
    ...(callers.length === 0 ? [] : [`callers ${callers.join(', ')}`]),
    ...(roots.length === 0 ? [] : [`roots ${roots.join(', ')}`]),
    ...(files.length === 0 ? [] : [`files ${files.join(', ')}`]),
    ...(fields.length === 0 ? [] : [`documents with ${fields.join(', ')}`]),
    ...(paths.length === 0 ? [] : [`paths ${paths.map(({ text }) => text).join(', ')}`]),
    ...(ops.length === 0 ? [] : [ops.join(', ')]),
  ];
  const asked = whatHolds(rule);
  const end = asked === undefined ? '' : ` for ${asked}; else ${strictest(otherwise, least)}`;
  const words = say === undefined ? '' : `. ${say}`;
  return visibleLine(
    `${id}: ${about.join('; ') || 'every change'}: ${strictest(level, least)}${end}${words}`,
  );
}
