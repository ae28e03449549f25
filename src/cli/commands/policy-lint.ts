// `policy lint FILE`: what is wrong in a policy file, and what was hardly meant, each with its line.
import { examinePolicy, type PolicyFinding } from '../../adapters/index.ts';
import { quoted, Refusal, readOperatorFile } from '../../security/index.ts';
import { forgetEnvironment } from '../process/process-hardening.ts';
import { UsageError } from '../settings/usage-error.ts';
import { type Line, line, type Style } from '../terminal/rows.ts';
import { type CommandContext, wantsJson } from './context.ts';
import { printJson, printLines } from './output.ts';

export async function policyLint(context: CommandContext): Promise<number> {
  forgetEnvironment();
  const [file = ''] = context.args;
  const { faults, doubts, rules } = await examined(file);
  if (wantsJson(context)) printJson(context, { ok: faults.length === 0, faults, warnings: doubts });
  else
    printLines(context, [
      ...findingLines(file, faults, 'fault', 'red'),
      ...findingLines(file, doubts, 'warning', 'yellow'),
      ...(faults.length + doubts.length === 0
        ? [line(`${file}: nothing found in its ${rules}.`, 'green')]
        : []),
    ]);
  return faults.length > 0 ? 2 : doubts.length > 0 ? 1 : 0;
}

async function examined(file: string) {
  const text = readOperatorFile(file);
  try {
    const { policy, faults, doubts } = await examinePolicy(text);
    const count = policy?.rules.length ?? 0;
    return { faults, doubts, rules: `${count} ${count === 1 ? 'rule' : 'rules'}` };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new UsageError(`cannot use ${quoted(file)}: ${error.message}`);
  }
}

function findingLines(
  file: string,
  found: readonly PolicyFinding[],
  kind: string,
  style: Style,
): readonly Line[] {
  const inOrder = [...found].sort((a, b) => a.line - b.line);
  return inOrder.map(({ line: at, path, message }) =>
    line(`${file}:${at}: ${kind}: ${path === '' ? '' : `${path}: `}${message}`, style),
  );
}
