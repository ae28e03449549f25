// Draws what a terminal has shown as one SVG: each of its lines appears in its turn, and the whole begins again. It needs no
// script and no font of its own, so that it can be shown wherever pictures are.
const [COLUMNS, WIDTH, HEIGHT, MARGIN] = [94, 8.4, 18, 16];
const SECONDS_A_LINE = 0.35;
const STILL_SECONDS = 6;

const COLOUR = new RegExp('\u001b\\[([\\d;]*)m', 'u');
const OTHER_SEQUENCE = new RegExp('\u001b\\[(?![\\d;]*m)[0-9;?]*[@-~]', 'gu');

/** The codes of SGR that the command uses. */
const CLASSES = new Map([
  ['1', 'bold'],
  ['2', 'dim'],
  ['31', 'red'],
  ['32', 'green'],
  ['33', 'yellow'],
  ['36', 'cyan'],
]);

/**
 * @param {string} command shown as what was typed first
 * @param {string} raw what the terminal got, with its escape sequences
 * @returns {string} the text of the SVG
 */
export function pictureOf(command, raw) {
  const lines = [`\u001b[1m$ ${command}\u001b[0m`, ...linesOf(raw)];
  const total = lines.length * SECONDS_A_LINE + STILL_SECONDS;
  const height = lines.length * HEIGHT + 2 * MARGIN;
  const width = COLUMNS * WIDTH + 2 * MARGIN;
  const shown = lines.map((line, index) => {
    const from = ((index * SECONDS_A_LINE) / total) * 100;
    return {
      style: `@keyframes l${index}{0%,${from.toFixed(2)}%{opacity:0}${(from + 0.01).toFixed(2)}%,100%{opacity:1}}`,
      text: `<text x="${MARGIN}" y="${(MARGIN + (index + 0.8) * HEIGHT).toFixed(1)}" style="animation:l${index} ${total.toFixed(1)}s infinite">${spansOf(line)}</text>`,
    };
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="A change is reviewed and approved at a terminal">
<style>text{font:14px ui-monospace,Menlo,Consolas,monospace;white-space:pre;fill:#e6e6e6}.bold{font-weight:bold}.dim{fill:#9a9a9a}.red{fill:#ff7b72}.green{fill:#7ee787}.yellow{fill:#e3b341}.cyan{fill:#79c0ff}@media(prefers-reduced-motion:reduce){text{animation:none!important}}${shown.map(({ style }) => style).join('')}</style>
<rect width="100%" height="100%" rx="8" fill="#161b22"/>
${shown.map(({ text }) => text).join('\n')}
</svg>
`;
}

/** Answers the lines that stood on the screen at the end, with colours only. */
function linesOf(raw) {
  const plain = raw.replaceAll(OTHER_SEQUENCE, '');
  const lines = plain.split(/\r?\n/u).map((line) => line.replace(/^.*\r/u, ''));
  while (lines.at(-1)?.trim() === '') lines.pop();
  return lines;
}

function spansOf(line) {
  const parts = line.split(COLOUR);
  let style = '';
  return parts
    .map((part, index) => {
      if (index % 2 === 1) style = CLASSES.get(part) ?? '';
      if (index % 2 === 1 || part === '') return '';
      const text = part.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
      return style === '' ? `<tspan>${text}</tspan>` : `<tspan class="${style}">${text}</tspan>`;
    })
    .join('');
}
