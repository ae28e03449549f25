// Writes the verdicts of `policy check` as annotations of GitHub Actions, and as SARIF for code scanning. They name files, node
// paths and rules, and no value of a file.
import type { Level } from '../../security/policy/levels.ts';
import { visibleLine } from '../../security/text/visible.ts';
import { VERSION } from '../../server.ts';
import { type Line, line } from '../terminal/rows.ts';
import { NEEDS } from './verdict-lines.ts';

/** One change that needs a person, or that nobody can approve. */
export interface ReportedFinding {
  readonly file: string;
  readonly level: Level;
  /** The id of the rule, or `default`. */
  readonly rule: string;
  /** The place in the file: a node path, or the operation on the whole file. */
  readonly place: string;
  readonly text: string;
}

/** Returns a workflow command for each: an error for what is denied, a warning for what needs a person. */
export function annotationsOf(reported: readonly ReportedFinding[]): readonly Line[] {
  return reported.map((one) => {
    const kind = one.level === 'deny' ? 'error' : 'warning';
    const title = `${one.level}: ${one.rule}`;
    return line(`::${kind} file=${property(one.file)},title=${property(title)}::${messageText(textOf(one))}`);
  });
}

/** Returns the findings as a SARIF log. */
export function sarifOf(reported: readonly ReportedFinding[]): object {
  const ids = [...new Set(reported.map(({ rule }) => rule))];
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'config-airlock', version: VERSION, rules: ids.map((id) => ({ id })) } },
        results: reported.map((one) => ({
          ruleId: one.rule,
          ruleIndex: ids.indexOf(one.rule),
          level: one.level === 'deny' ? 'error' : 'warning',
          message: { text: textOf(one) },
          locations: [
            {
              physicalLocation: { artifactLocation: { uri: encodeURI(one.file) } },
              logicalLocations: [{ fullyQualifiedName: one.place }],
            },
          ],
        })),
      },
    ],
  };
}

function textOf({ place, level, text }: ReportedFinding): string {
  return visibleLine(`${place}: ${NEEDS[level]}${text === '' ? '' : `. ${text}`}`);
}

/** Escapes as GitHub's own toolkit does, so that no text ends the command or begins another one. */
function messageText(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return messageText(visibleLine(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
