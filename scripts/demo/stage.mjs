// How the demo looks: captions, framed replies, coloured diffs. At most 100 columns; colours only on a
// terminal or with FORCE_COLOR.
const WIDTH = 100;
const GLUE = '\u00a0';

const hasColour =
  process.env['NO_COLOR'] === undefined &&
  (process.env['FORCE_COLOR'] === undefined
    ? process.stdout.isTTY === true
    : process.env['FORCE_COLOR'] !== '0');

/** @param {string} code */
const ink = (code) => (/** @type {string} */ text) => (hasColour ? `\u001b[${code}m${text}\u001b[0m` : text);

const bold = ink('1');
const dim = ink('2');
const red = ink('31');
const green = ink('32');
const cyan = ink('36');

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`);
}

/**
 * The headline, and what the reader is about to see.
 * @param {string} headline
 * @param {string} text
 */
export function title(headline, text) {
  say(`\n${bold(headline)}`);
  for (const line of wrap(text, WIDTH)) say(line);
}

let stepsShown = 0;

/** @param {string} text */
export function caption(text) {
  stepsShown += 1;
  const [first = '', ...rest] = wrap(text, WIDTH - 4);
  say(`\n${cyan(String(stepsShown).padStart(2))}  ${bold(first)}`);
  for (const line of rest) say(`    ${bold(line)}`);
}

/**
 * What the client sends.
 * @param {string} tool
 * @param {Readonly<Record<string, unknown>>} input
 */
export function request(tool, input) {
  // A key stays with its value, as long as they fit on a line.
  const words = Object.entries(input).map(([key, value]) => {
    const text = `${key}: ${JSON.stringify(value)}`;
    return Array.isArray(value) ? text.replaceAll(/,(?=["{])/g, ', ') : text.replaceAll(' ', GLUE);
  });
  const [first = '', ...rest] = wrap(`${tool} { ${words.join(', ')} }`.replace('{  }', '{}'), WIDTH - 6);
  say(`    ${dim('→')} ${first.replaceAll(GLUE, ' ')}`);
  for (const line of rest) say(`      ${line.replaceAll(GLUE, ' ')}`);
}

/**
 * A refusal in its own words.
 * @param {unknown} code
 * @param {unknown} message
 */
export function refusal(code, message) {
  const [first = '', ...rest] = wrap(`${code}: ${message}`, WIDTH - 6);
  say(`    ${dim('│')} ${first.replace(String(code), red(String(code)))}`);
  for (const line of rest) say(`    ${dim('│')} ${line}`);
}

/**
 * What comes back: the first lines, whole as long as they fit.
 * @param {string} text
 * @param {number} most
 */
export function reply(text, most) {
  const lines = text.trimEnd().split('\n');
  for (const line of lines.slice(0, most)) {
    for (const row of rows(line, WIDTH - 6)) say(`    ${dim('│')} ${row}`);
  }
  if (lines.length > most) say(`    ${dim(`│ … ${lines.length - most} more lines`)}`);
}

/**
 * What a preview says beside its diffs.
 * @param {string} text
 */
export function notes(text) {
  const lines = text.split('\n').filter((line) => /^(?:Also changes|Removed comments|Warning)/.test(line));
  for (const line of lines) for (const row of wrap(line, WIDTH - 6)) say(`    ${dim('│')} ${row}`);
}

/**
 * A unified diff, red and green.
 * @param {string} text
 */
export function diff(text) {
  for (const line of text.trimEnd().split('\n')) {
    const paint = line.startsWith('+')
      ? green
      : line.startsWith('-')
        ? red
        : line.startsWith('@')
          ? cyan
          : String;
    for (const row of rows(line, WIDTH - 6)) say(`    ${dim('│')} ${paint(row)}`);
  }
}

/**
 * What a person types at a terminal of their own.
 * @param {readonly string[]} words
 */
export function command(words) {
  say(`    ${dim('$')} ${words.join(' ')}`);
}

/**
 * What that terminal showed, the lines of a diff in their colours.
 * @param {string} text
 */
export function screen(text) {
  for (const line of text.trim().split('\n')) {
    const paint = /^\+(?!\+)/.test(line) ? green : /^-(?!-)/.test(line) ? red : String;
    for (const row of rows(line, WIDTH - 6)) say(`    ${dim('│')} ${paint(row)}`);
  }
}

/** @param {string} text */
export function verdict(text) {
  for (const [index, line] of wrap(text, WIDTH - 6).entries())
    say(`    ${green(index === 0 ? '✓' : ' ')} ${line}`);
}

/** @param {string} text */
export function failure(text) {
  say(`    ${red('✗')} ${text}`);
}

/** @param {string} text */
export function farewell(text) {
  say('');
  for (const line of wrap(text, WIDTH)) say(line);
  say('');
}

/**
 * Words to lines.
 * @param {string} text
 * @param {number} width
 */
function wrap(text, width) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/**
 * One line to rows, broken anywhere: spaces in a reply are content.
 * @param {string} line
 * @param {number} width
 */
function rows(line, width) {
  const characters = Array.from(line);
  if (characters.length <= width) return [line];
  return Array.from({ length: Math.ceil(characters.length / width) }, (_, index) =>
    characters.slice(index * width, (index + 1) * width).join(''),
  );
}
