// Attacks on a policy, each with the rule that it tries to get around: they are made through the server, and told to
// `policy check` as the diff of a pull request. Both have to answer the same.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diffOf } from '../../harness/git-diff.ts';
import { runCommand } from '../../harness/run-command.ts';
import { tempRoot } from '../../harness/temp-root.ts';
import { startToolServer, type ToolServer } from '../../harness/tool-server.ts';

export interface AttackRow {
  readonly why: string;
  /** The one rule that is about the file of this row, without its id and files. */
  readonly rule: string;
  readonly before: string;
  /** The text that is replaced, and what it is replaced by. */
  readonly edit: readonly [old: string, next: string];
  readonly file?: string;
  /** The server's refusal, where it refuses such an edit whatever the policy says. */
  readonly code?: string;
}

/** The rows of `denied` have to be denied, and those of `passed` must not be. */
export function describeAttacks(
  what: string,
  { denied, passed }: Readonly<Record<'denied' | 'passed', readonly AttackRow[]>>,
): void {
  const rows = [...denied, ...passed];
  const fileOf = (row: AttackRow) => `r${rows.indexOf(row)}/${row.file ?? 'x.yaml'}`;
  const rules = rows.map(({ rule }, at) => `  - { id: r${at}, files: "r${at}/**", ${rule} }\n`);
  const operator = tempRoot({ 'policy.yaml': `default: preview\nrules:\n${rules.join('')}` });
  const flags = ['--allow', '**', '--policy', `${operator.dir}/policy.yaml`];

  describe(what, () => {
    let server: ToolServer;
    let checked: ReadonlyMap<string, string>;
    beforeAll(async () => {
      server = await startToolServer({
        files: Object.fromEntries(rows.map((row) => [fileOf(row), row.before])),
        flags,
      });
      const input = rows
        .map((row) =>
          diffOf(
            fileOf(row),
            row.before,
            row.before.replace(row.edit[0], () => row.edit[1]),
          ),
        )
        .join('');
      const { stdout } = await runCommand(['policy', 'check', ...flags, '--json'], { input });
      const { files } = JSON.parse(stdout);
      checked = new Map(
        files.map(({ file, level }: { file: string; level: string }) => [file, level] as const),
      );
    });
    afterAll(async () => {
      await server.close();
      operator.remove();
    });
    const editOf = (row: AttackRow) => ({
      edits: [{ op: 'replace_text', file: fileOf(row), old_text: row.edit[0], new_text: row.edit[1] }],
    });

    test.for(denied)('is denied: $why [POL-2]', async (row) => {
      expect(checked.get(fileOf(row))).toBe('deny');
      expect(await server.refused('config_edit', editOf(row))).toMatchObject({
        code: row.code ?? 'POLICY_DENIED',
      });
    });

    test.for(passed)('is not denied: $why [POL-1]', async (row) => {
      expect(checked.get(fileOf(row))).toBe('preview');
      const { data } = await server.ok('config_edit', editOf(row));
      expect(data['preview_id']).toBeTypeOf('string');
    });
  });
}
