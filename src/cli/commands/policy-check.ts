// `policy check` judges a Git diff on stdin by the policy of --policy, for CI. It runs no Git and opens no repository: the
// caller pipes the diff, and Git's id of each file proves that the diff holds it whole.
import type { Readable } from 'node:stream';
import { ReadStream } from 'node:tty';
import { counted } from '../../adapters/tree/wording.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import { loadEngines } from '../../security/policy/engines.ts';
import { type Level, strictest } from '../../security/policy/levels.ts';
import type { Verdict } from '../../security/policy/verdict.ts';
import { withScratchFolder } from '../../security/sandbox/scratch-folder.ts';
import { visibleLine } from '../../security/text/visible.ts';
import { type Airlock, VERSION } from '../../server.ts';
import { judge } from '../../tools/index.ts';
import { DIFF_COMMAND, type DiffedFile, readDiff } from '../policy/read-diff.ts';
import { forgetEnvironment } from '../process/process-hardening.ts';
import { rootlessOptions } from '../settings/airlock-options.ts';
import { CHECK_FORMAT, QUIET } from '../settings/command-options.ts';
import { OPTIONS } from '../settings/options.ts';
import { UsageError } from '../settings/usage-error.ts';
import { type Line, line } from '../terminal/rows.ts';
import { type CommandContext, wantsJson } from './context.ts';
import { requirePolicy, whileJudging } from './judging.ts';
import { printJson, printLines } from './output.ts';
import { annotationsOf, type ReportedFinding, sarifOf } from './policy-report.ts';
import {
  countsText,
  decidingRules,
  findingAsJson,
  findingLines,
  NEEDS,
  placeOf,
  ruleOf,
  STYLE_OF,
} from './verdict-lines.ts';

const MAX_BYTES = 100_000_000;
const MAX_FINDINGS = 10;

const EXIT_CODE: Readonly<Record<Level, number>> = { direct: 0, preview: 0, client: 1, human: 1, deny: 3 };

interface CheckedFile {
  readonly path: string;
  /** The level; undefined for a file that no server with these options serves, which no rule is about. */
  readonly level: Level | undefined;
  readonly verdict?: Verdict;
  /** The reason why it cannot be judged; such a file never passes. */
  readonly problem?: string;
}

export async function policyCheck(context: CommandContext): Promise<number> {
  const { settings, env, input } = context;
  requirePolicy(context);
  if (input instanceof ReadStream)
    throw new UsageError(
      `policy check reads a diff from stdin: ${DIFF_COMMAND} | config-airlock policy check …`,
    );
  const options = await rootlessOptions(settings, env);
  forgetEnvironment();
  const bytes = await bytesOf(input);
  // An empty diff is refused, because it may also mean that Git has failed.
  if (bytes.length === 0)
    throw new UsageError(`the diff on stdin is empty; it has to come from: ${DIFF_COMMAND}`);
  const files = readDiff(bytes);
  const roots = settings.of(OPTIONS.root).value;
  const root = roots.length === 1 ? roots[0]?.name : undefined;
  // No file is read from the disk. The empty folder is needed only to find out which files a server would serve.
  const checked = await withScratchFolder(({ folder }) =>
    whileJudging({ ...options, roots: [{ name: root, dir: folder }] }, async (airlock) => {
      await loadEngines(airlock.policy.changes);
      return files.filter(isChanged).map((file) => check(file, airlock));
    }),
  );
  // A checkout can hold a program of the same name: the log says which one it was.
  if (!settings.of(QUIET).value)
    context.errors.write(`Judged by config-airlock ${VERSION} (${context.program.join(' ')})\n`);
  const levels = checked.flatMap(({ level }) => level ?? []);
  const level = strictest('direct', ...levels);
  const format = settings.of(CHECK_FORMAT).value;
  if (format === 'sarif') printJson(context, sarifOf(checked.flatMap(findingsToReport)));
  else if (format === 'github') printLines(context, annotationsOf(checked.flatMap(findingsToReport)));
  else if (wantsJson(context)) printJson(context, { level, files: checked.map(asJson) });
  else printLines(context, linesOf(checked, level));
  return EXIT_CODE[level];
}

/** True for a change of contents; permissions alone are no change of configuration. */
function isChanged({ before, after, problem }: DiffedFile): boolean {
  return problem !== undefined || before !== after;
}

function check({ path, before, after, problem }: DiffedFile, airlock: Airlock): CheckedFile {
  try {
    const [root] = airlock.sandbox.rootNames;
    const safe = airlock.sandbox.parse(root === undefined ? path : `@${root}/${path}`);
    airlock.sandbox.requireServed(safe);
    if (problem !== undefined) return { path, level: 'deny', problem };
    const start = process.cpuUsage();
    const verdict = judge(safe, () => [before, after], airlock);
    const { user, system } = process.cpuUsage(start);
    const { stepMs } = airlock.policy.limits;
    if (user + system > stepMs * 1_000)
      return { path, level: 'deny', problem: `it took too long to judge (--max-step-ms ${stepMs})` };
    return { path, level: verdict.level, verdict };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Other programs read files by names that a server refuses.
    const isServed = error.code === 'PATH_INVALID' || !error.code.startsWith('PATH_');
    return isServed
      ? { path, level: 'deny', problem: `${error.code}: ${error.message}` }
      : { path, level: undefined };
  }
}

function linesOf(checked: readonly CheckedFile[], level: Level): readonly Line[] {
  const served = checked.filter((file) => file.level !== undefined);
  const others = checked.length - served.length;
  const rest = others === 0 ? [] : [`${counted(others, 'file')} that no server with these options serves`];
  if (served.length === 0) return [line(`Nothing to judge${rest.map((text) => `: ${text}`).join('')}.`)];
  const counts = [countsText(served.flatMap((file) => file.level ?? [])), ...rest].join('; ');
  return [
    ...served.flatMap(fileLines),
    line(`${level}: ${NEEDS[level]}. Files: ${counts}.`, STYLE_OF[level]),
  ];
}

function fileLines({ path, level = 'deny', verdict, problem }: CheckedFile): readonly Line[] {
  const head = line(`${visibleLine(path)}: ${level}`, STYLE_OF[level]);
  if (verdict === undefined) return [head, line(`  it cannot be judged: ${problem ?? ''}`)];
  const findings = verdict.findings.filter((finding) => finding.level === level);
  const shown = findings.slice(0, MAX_FINDINGS);
  const more = verdict.findings.length - shown.length;
  return [
    line(`${visibleLine(path)}: ${level} (${decidingRules(verdict).join(', ')})`, STYLE_OF[level]),
    ...shown.flatMap(findingLines),
    ...(more > 0 ? [line(`  and ${counted(more, 'more change')}`)] : []),
  ];
}

/** Returns the findings that need a person or are denied. */
function findingsToReport({ path, level, verdict, problem }: CheckedFile): readonly ReportedFinding[] {
  if (level === undefined || EXIT_CODE[level] === 0) return [];
  if (verdict === undefined)
    return [
      {
        file: path,
        level,
        rule: 'default',
        place: 'the file',
        text: `it cannot be judged: ${problem ?? ''}`,
      },
    ];
  const findings = verdict.findings.filter((finding) => EXIT_CODE[finding.level] !== 0);
  return findings.slice(0, MAX_FINDINGS).map((finding) => ({
    ...{ file: path, level: finding.level, rule: ruleOf(finding), place: placeOf(finding) },
    text: finding.rule?.say ?? '',
  }));
}

function asJson({ path, level, verdict, problem }: CheckedFile): object {
  if (level === undefined) return { file: path, served: false };
  return {
    file: path,
    level,
    problem,
    changes: verdict?.findings.map(findingAsJson),
  };
}

async function bytesOf(input: Readable): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of input) {
    const bytes = Buffer.from(piece);
    size += bytes.length;
    if (size > MAX_BYTES) throw new UsageError(`the diff on stdin is larger than ${MAX_BYTES} bytes`);
    pieces.push(bytes);
  }
  return Buffer.concat(pieces);
}
