// The cases of test/tables/policy.yaml, each a policy as an operator writes it, a change, and what the change comes to: asked of
// `policy test`, of a server through a real client and, where the change is one of text, of `policy check` by the diff of a pull request.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { makeReviewerKey } from '../../../src/security/approval/reviewer-key.ts';
import type { Outcome } from '../../harness/clients.ts';
import { diffOf } from '../../harness/git-diff.ts';
import { memoryDisk } from '../../harness/memory-disk.ts';
import { runCommand } from '../../harness/run-command.ts';
import { type RunningServer, startServer } from '../../harness/start-server.ts';
import { tempRoot } from '../../harness/temp-root.ts';

const LEVELS = ['direct', 'preview', 'client', 'human', 'deny'] as const;
const Fields = z.record(z.string(), z.unknown());
const Step = z.tuple([z.unknown(), z.unknown()]);

const Row = z.strictObject({
  why: z.string(),
  /** Without an id and files: it is about the file of the row alone. Without it, the rules and files of the section hold. */
  rule: z.union([Fields, z.array(Fields)]).optional(),
  /** Short for a rule that denies what happens at these paths. */
  deny: z.string().optional(),
  file: z.string().default('x.yaml'),
  before: z.string().optional(),
  /** A text of the file and what replaces it, */
  replace: z.tuple([z.string(), z.string()]).optional(),
  /** or the whole text, */
  after: z.string().optional(),
  /** or a node and its value as the format writes it, */
  set: z.tuple([z.string(), z.string()]).optional(),
  /** or what config_edit takes, */
  edits: z.array(Fields).optional(),
  /** or new values of nodes that the rule is about, some of which it denies, */
  values: z.strictObject({ pass: z.array(z.unknown()), denied: z.array(z.unknown()) }).optional(),
  /** or their old and new values. */
  steps: z.strictObject({ pass: z.array(Step), denied: z.array(Step) }).optional(),
  /** Several texts of which each is a file of its own, with the same edit. */
  texts: z
    .strictObject({ pass: z.array(z.string()), denied: z.array(z.string()) })
    .partial()
    .optional(),
  /** The level by a rule of the row; `default`: the preview that no rule asks for. */
  is: z.enum([...LEVELS, 'default']).default('deny'),
  /** The rule of the section that it is by, instead. */
  by: z.string().optional(),
  /** The refusal, where the edit is none whatever the policy says. */
  refused: z.string().optional(),
  /** It is about what a server masks, and `policy test` masks nothing. */
  masked: z.literal(true).optional(),
});
type Row = z.infer<typeof Row>;

const Section = z.strictObject({
  name: z.string(),
  rules: z.array(Fields).default([]),
  files: z.record(z.string(), z.string()).default({}),
  /** Each row once for each, with § for it. */
  formats: z.array(z.string()).default(['']),
  /** What each row says that does not say otherwise. */
  each: Fields.default({}),
  rows: z.array(Fields),
});

interface Case {
  readonly name: string;
  readonly file: string;
  readonly before?: string | undefined;
  readonly others: Readonly<Record<string, string>>;
  readonly edits: readonly Readonly<Record<string, unknown>>[];
  readonly level: string;
  /** Undefined: one of the section. */
  readonly rule?: string | undefined;
  readonly row: Spelled;
}

const TABLE = z
  .array(Section)
  .parse(parse(readFileSync(new URL('../../tables/policy.yaml', import.meta.url), 'utf8')));

function editsOf({ replace, after, set, edits, before = '' }: Row): Case['edits'] {
  const [old_text, new_text] = replace ?? [before, after];
  if (replace !== undefined || after !== undefined) return [{ op: 'replace_text', old_text, new_text }];
  return set === undefined ? (edits ?? []) : [{ op: 'set', path: set[0], value: set[1] }];
}

interface Spelled extends Row {
  /** The nodes of a row about values that the rule denies. */
  readonly denied?: readonly string[];
}

function spelledOut({ deny, ...row }: Row): readonly Spelled[] {
  if (deny !== undefined)
    return spelledOut({ ...row, rule: parse(`{ paths: ${JSON.stringify(deny)}, then: deny }`) });
  const { why, texts, values, steps } = row;
  if (texts !== undefined)
    return [
      ...(texts.denied ?? []).map((before) => ({ ...row, before, why: `${why}: ${before}` })),
      ...(texts.pass ?? []).map((before) => ({
        ...{ ...row, before, why: `${why}: not ${before}` },
        is: 'default' as const,
      })),
    ];
  const old = (all: readonly unknown[]) => all.map((value): [unknown, unknown] => ['other', value]);
  if (values !== undefined) return [withNodes(row, { pass: old(values.pass), denied: old(values.denied) })];
  return [steps === undefined ? row : withNodes(row, steps)];
}

/** One change of a node for each value. */
function withNodes(row: Row, { pass, denied }: NonNullable<Row['steps']>): Spelled {
  const text = (side: 0 | 1) =>
    `v:\n${[...pass, ...denied].map((step, at) => `  a${at}: ${JSON.stringify(step[side])}\n`).join('')}`;
  return {
    ...{ ...row, rule: { paths: 'v.*', ...Fields.parse(row.rule) }, before: text(0), after: text(1) },
    ...{ is: denied.length === 0 ? 'preview' : 'deny' },
    denied: denied.map((_, at) => `v.a${pass.length + at}`),
  };
}

function expanded({ rules, files, formats, each, rows }: z.infer<typeof Section>) {
  const all = formats.flatMap((format) =>
    rows.flatMap((row) =>
      spelledOut(Row.parse(JSON.parse(JSON.stringify({ ...each, ...row }).replaceAll('§', format)))),
    ),
  );
  const cases = all.map((row, index): Case => {
    const { why: name, is, by } = row;
    const [level, rule] = is === 'default' ? ['preview', 'default'] : [is, by];
    if (row.rule !== undefined) {
      const [id, { before }] = [`r${index}`, row];
      const about = { name, file: `${id}/${row.file}`, before, others: {}, edits: editsOf(row) };
      return { ...about, level, rule: rule ?? id, row };
    }
    const edits = editsOf(row).map((edit) => ({ file: row.file, ...edit }));
    const file = String(edits[0]?.file);
    const { [file]: before, ...others } = files;
    return { ...{ name, file, before, others, edits }, level, rule, row };
  });
  const own = all.flatMap(({ rule = [] }, index) =>
    [rule].flat().map((one, at) => ({
      ...{ id: at === 0 ? `r${index}` : `r${index}-${at + 1}`, files: `r${index}/**` },
      ...one,
    })),
  );
  return { cases, rules: [...rules, ...own] };
}

function rootOf(files: Readonly<Record<string, string>>, cases: readonly Case[]) {
  const own = cases.flatMap(({ file, before }): [string, string][] =>
    before === undefined ? [] : [[file, before]],
  );
  return { ...files, ...Object.fromEntries(own) };
}

describe.each(TABLE)('$name', (section) => {
  const { cases, rules } = expanded(section);
  const asked = cases.map(({ name, file, before, others, edits, level }) => ({
    ...{ name, file, others, edits, expect: level },
    ...(before === undefined ? {} : { before }),
  }));
  const operator = tempRoot(
    {
      'policy.yaml': stringify({ default: 'preview', rules }),
      'cases.yaml': JSON.stringify({ cases: asked }),
      reviewers: `${makeReviewerKey('ann').line}\n`,
    },
    memoryDisk(),
  );
  const at = (name: string) => join(operator.dir, name);
  const flags = ['--allow', '**', '--policy', at('policy.yaml'), '--reviewers', at('reviewers')];
  let server: RunningServer;
  let tested: readonly { readonly level?: string; readonly rules?: readonly string[] }[];
  let checked: ReadonlyMap<string, CheckedFile>;

  beforeAll(async () => {
    const root = tempRoot(rootOf(section.files, cases), memoryDisk());
    server = await startServer({ root: root.dir, flags });
    const ran = await runCommand(['policy', 'test', at('cases.yaml'), ...flags, '--json']);
    if (ran.stderr !== '') throw new Error(ran.stderr);
    tested = JSON.parse(ran.stdout).cases;
    const input = cases.map(diffOfCase).join('');
    const { stdout } = await runCommand(['policy', 'check', ...flags, '--json'], { input });
    const { files } = input === '' ? { files: [] } : Checked.parse(JSON.parse(stdout));
    checked = new Map(files.map((one) => [one.file, one]));
    return () => root.remove();
  });
  afterAll(async () => {
    await server.close();
    operator.remove();
  });

  test.for(cases.map((one, index) => ({ ...one, index })))(
    '$name is $level [POL-1] [POL-2] [POL-3]',
    async ({ index, file, edits, level, rule, row }) => {
      const { refused, masked } = row;
      const outcome = await server.callTool('config_edit', {
        edits: edits.map((edit) => ({ file, ...edit })),
      });
      const said = saidBy(outcome);
      if (refused === undefined) expect(said, outcome.text).toMatchObject({ level });
      else expect(outcome.data).toMatchObject({ error: { code: refused } });
      const byTest = tested[index];
      if (masked !== true && refused === undefined) expect(byTest, 'policy test').toMatchObject({ level });
      if (rule !== undefined && refused === undefined)
        for (const rules of masked ? [said.rules] : [said.rules, byTest?.rules])
          expect(
            rules?.some((id) => id.replace(/-\d+$/u, '') === rule),
            `${rules} for ${rule}`,
          ).toBe(true);
      if (isOfText(row)) expect(checked.get(file), 'policy check').toMatchObject({ level });
      const { denied } = row;
      if (denied === undefined) return;
      expect(nodesIn(outcome.text), 'the refusal').toEqual(nodesIn(denied.join()));
      const found = checked.get(file)?.changes.filter((change) => change.level === 'deny') ?? [];
      expect(nodesIn(JSON.stringify(found)), 'policy check').toEqual(nodesIn(denied.join()));
    },
  );
});

/** Those of a row about values. */
function nodesIn(text: string): readonly string[] {
  return [...new Set(text.match(/\bv\.a\d+/gu))].sort();
}

const Checked = z.object({
  files: z.array(
    z.object({
      ...{ file: z.string(), level: z.string() },
      changes: z.array(z.object({ path: z.string(), level: z.string() })),
    }),
  ),
});
type CheckedFile = z.infer<typeof Checked>['files'][number];

function isOfText({ rule, before, replace, after, masked }: Row): boolean {
  return (
    rule !== undefined && before !== undefined && (replace ?? after) !== undefined && masked === undefined
  );
}

function diffOfCase({ row, file }: Case): string {
  const { before = '', replace = ['', ''], after } = row;
  return isOfText(row) ? diffOf(file, before, after ?? before.replace(replace[0], () => replace[1])) : '';
}

/** The level, and the rules that decided it. */
function saidBy({ isError, text, data }: Outcome): {
  readonly level: string;
  readonly rules: readonly string[];
} {
  if (isError) {
    const isDenied = text.startsWith('POLICY_DENIED: ');
    const rules = [...text.matchAll(/\brule ([\w-]+)/gu)].map(([, id = '']) => id);
    return { level: isDenied ? 'deny' : text, rules };
  }
  const notes = z.array(z.string()).parse(data['rules']);
  const found = notes.map((note) => /^(\S+) \((\w+)\)/u.exec(note) ?? []);
  return { level: found[0]?.[2] ?? 'none', rules: found.map(([, id = '']) => id) };
}

it('the table asks for every level, and its rows have names of their own', () => {
  for (const { name, rows } of TABLE)
    expect(new Set(rows.map((row) => row['why'])).size, name).toBe(rows.length);
  expect(new Set(TABLE.flatMap(expanded).flatMap(({ cases }) => cases.map(({ level }) => level)))).toEqual(
    new Set(LEVELS),
  );
});
