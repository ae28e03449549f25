// Reads the operator's policy file (YAML or JSON) into rules; errors are reported with their line.

import { StartError } from '../../security/errors/start-error.ts';
import { type DataPath, printNodePath } from '../../security/node-paths/node-path.ts';
import type { ChangePolicy, ChangeRule } from '../../security/policy/change-policy.ts';
import { loadEngines } from '../../security/policy/engines.ts';
import { DEFAULT_LIMITS } from '../../security/policy/policy.ts';
import { PolicyFault } from '../../security/policy/policy-fields.ts';
import { readChangePolicy, readWithAllFaults } from '../../security/policy/read-change-policy.ts';
import { parseYaml } from '../formats/yaml/yaml-format.ts';
import { nodeAt } from '../tree/locate.ts';
import { readPlainValue } from '../values/to-value.ts';
import { lintPolicy } from './lint/lint-policy.ts';

/** Reads a policy. Throws StartError where it cannot be trusted, and a Refusal where it is no YAML or JSON. */
export async function readPolicy(text: string): Promise<ChangePolicy> {
  const value = readPlainValue(text);
  await loadEngines(value);
  try {
    return readChangePolicy(value);
  } catch (error) {
    if (!(error instanceof PolicyFault)) throw error;
    throw new StartError(faultText(faultAt(text, error.at, error.message)));
  }
}

/** A fault or a doubt in a policy file, and its place. */
export interface PolicyFinding {
  readonly line: number;
  /** The node path; empty if it is about the whole file. */
  readonly path: string;
  readonly message: string;
}

function faultText({ line, path, message }: PolicyFinding): string {
  return `line ${line}${path === '' ? '' : `, ${path}`}: ${message}`;
}

/** A reason outside of the policy why a rule, or a part of it, has no effect, and the key that is at fault. */
export interface DeadRule {
  readonly key: string;
  readonly message: string;
}

/**
 * Returns all faults that would stop the start, or the doubts where there are none. `whyDead` finds other faults of a rule,
 * such as files that are not served, and `whyIdle` other doubts. Throws a Refusal where the text is no YAML or JSON.
 */
export async function examinePolicy(
  text: string,
  whyDead: (rule: ChangeRule) => DeadRule | undefined = () => undefined,
  whyIdle: typeof whyDead = () => undefined,
): Promise<{
  readonly rules: readonly ChangeRule[];
  readonly faults: readonly PolicyFinding[];
  readonly doubts: readonly PolicyFinding[];
}> {
  const value = readPlainValue(text);
  await loadEngines(value);
  const { policy, faults } = readWithAllFaults(value);
  const { rules = [] } = policy ?? {};
  const foundBy = (reason: typeof whyDead) =>
    rules.flatMap((rule, index) => {
      const found = reason(rule);
      return found === undefined ? [] : [{ at: ['rules', index, found.key], message: found.message }];
    });
  const dead = foundBy(whyDead);
  const doubts = policy === undefined ? [] : [...lintPolicy(policy), ...foundBy(whyIdle)];
  const located = ({ at, message }: { readonly at: DataPath; readonly message: string }) =>
    faultAt(text, at, message);
  return { rules, faults: [...faults, ...dead].map(located), doubts: doubts.map(located) };
}

function faultAt(text: string, at: DataPath, message: string): PolicyFinding {
  return { line: lineOf(text, at), path: printNodePath(at), message };
}

/** Returns the line of the node, or of the nearest one above it that is in the text itself. */
function lineOf(text: string, at: DataPath): number {
  const { documents, lines } = parseYaml(text, DEFAULT_LIMITS);
  const depths = Array.from({ length: at.length + 1 }, (_, cut) => at.slice(0, at.length - cut));
  const node = depths.map((some) => nodeAt(documents[0]?.root, some)).find((found) => found !== undefined);
  return lines.at(node?.start ?? 0);
}
