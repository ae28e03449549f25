// Reads the cases of a policy strictly: a misspelled key would make a case that always passes.
import { z } from 'zod';
import { readPlainValue } from '../../adapters/values/to-value.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import { LEVELS } from '../../security/policy/levels.ts';
import { readOperatorFile } from '../../security/policy/operator-file.ts';
import { quoted } from '../../security/text/visible.ts';
import { UsageError } from '../settings/usage-error.ts';

const edit = z.looseObject({ file: z.string().optional() });

const policyCase = z.strictObject({
  name: z.string().min(1),
  /** The file of the edits that do not name one themselves. */
  file: z.string().min(1),
  /** The text of the file; without it, the file does not exist. */
  before: z.string().optional(),
  /** The texts of other files. */
  others: z.record(z.string(), z.string()).default({}),
  /** The edits, as config_edit takes them. */
  edits: z.array(edit).min(1),
  /** The verified principal whose edits they are; without it, nobody is verified. */
  caller: z.string().min(1).optional(),
  /** The name of the root in which the files are; without it, the root has none. */
  root: z.string().min(1).optional(),
  expect: z.enum(LEVELS),
  /** One of the rules that must decide; `default` where no rule names the change. */
  rule: z.string().min(1).optional(),
});

const casesFile = z.strictObject({
  /** Texts that several cases use by anchors. */
  texts: z.record(z.string(), z.string()).optional(),
  cases: z.array(policyCase).min(1),
});

export type PolicyCase = z.infer<typeof policyCase>;

/** Reads the cases. Throws UsageError or StartError. */
export function readCases(file: string): readonly PolicyCase[] {
  try {
    const read = casesFile.safeParse(readPlainValue(readOperatorFile(file)));
    if (read.success) return read.data.cases;
    const [first] = read.error.issues;
    const place = (first?.path ?? []).map(String).join('.');
    throw new UsageError(
      `cannot use ${quoted(file)}: ${place === '' ? '' : `${place}: `}${first?.message ?? 'unreadable'}`,
    );
  } catch (error) {
    if (error instanceof Refusal) throw new UsageError(`cannot use ${quoted(file)}: ${error.message}`);
    throw error;
  }
}
