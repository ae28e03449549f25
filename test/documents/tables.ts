// The README's tables, made from what the code says about itself, and the places where they stand.
import { z } from 'zod';

interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly hints: { readonly readOnlyHint: boolean };
}

interface ListedOption {
  readonly name: string;
  readonly argument: string | undefined;
  readonly isRepeatable: boolean;
  readonly help: string;
  readonly default: unknown;
  readonly unset: string;
  write(value: unknown): readonly string[];
}

/** The text between `<!-- name -->` and `<!-- /name -->`; undefined where there are no such markers. */
export function sectionOf(document: string, name: string): string | undefined {
  return new RegExp(`<!-- ${name} -->\\n(.*?)<!-- /${name} -->`, 's').exec(document)?.[1];
}

export function withSection(document: string, name: string, content: string): string {
  const old = sectionOf(document, name);
  if (old === undefined) throw new Error(`the document has no markers for ${name}`);
  return document.replace(
    `<!-- ${name} -->\n${old}<!-- /${name} -->`,
    () => `<!-- ${name} -->\n${content}<!-- /${name} -->`,
  );
}

export function toolTable(tools: readonly ListedTool[]): string {
  const rows = tools.map((tool) => [
    `\`${tool.name}\``,
    inputsOf(tool.input),
    tool.hints.readOnlyHint ? 'reads' : 'writes',
    firstSentence(tool.description),
  ]);
  return table(['tool', 'input', '', 'what it does'], rows);
}

/** `envName`: the environment variable that stands for an option. */
export function optionTable(
  options: readonly ListedOption[],
  envName: (option: ListedOption) => string,
): string {
  const rows = options.map((option) => {
    const { name, argument, isRepeatable, help } = option;
    const [first = option.unset, ...rest] = argument === undefined ? ['off'] : option.write(option.default);
    const initial = first.includes('*') ? `\`${first}\`` : first;
    return [
      `\`--${name}${argument === undefined ? '' : ` ${argument}`}\`${isRepeatable ? ', repeatable' : ''}`,
      `\`${envName(option)}\``,
      rest.length === 0 ? initial : `${initial}, and ${rest.length} more`,
      help,
    ];
  });
  return table(['option', 'environment', 'default', 'what it does'], rows);
}

interface ListedCommand {
  readonly name: string;
  readonly args: string;
  readonly summary: string;
}

export function commandTable(commands: readonly ListedCommand[]): string {
  return table(
    ['command', 'what it does'],
    commands.map(({ name, args, summary }) => [`\`${`${name} ${args}`.trim()}\``, summary]),
  );
}

/** What each code means, and the way on that the table of refusals has. */
export function codeTable(refusals: Readonly<Record<string, { means: string; way: string }>>): string {
  const rows = Object.entries(refusals).map(
    ([code, { means, way }]) => `| \`${code}\` | ${means} | ${way} |`,
  );
  return `| code | means | way on |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function inputsOf(input: z.ZodObject): string {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return Object.keys(properties)
    .map((name) => `\`${name}${required.includes(name) ? '' : '?'}\``)
    .join(' ');
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/:$/, '.') ?? text;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  return `${line(head)}|${'---|'.repeat(head.length)}\n${rows.map(line).join('')}`;
}
