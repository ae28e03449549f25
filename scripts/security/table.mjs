// The figures of the tests, summed up and side by side. Their names are those of test/harness/figures.ts.
const FINDINGS = ['flood', 'patterns', 'widths', 'followers', 'bounds', 'trusted files', 'key', 'defaults'];
const ROWS = [
  ['attacks'],
  ['refused'],
  ['escapes', 0],
  ['canaries leaked', 0],
  ['races'],
  ['race swaps'],
  ['race reads'],
  ['race reads that escaped', 0],
  ['race writes'],
  ['races with a write outside', 0],
  ['writes that went with a moved folder'],
  ['kills'],
  ['kills of a recovery'],
  ['torn files', 0],
  ['batches in halves', 0],
  ['wrong modes', 0],
  ['leftovers after the next start', 0],
  ['rounds of two writers'],
  ['rounds beside a third that is to be killed'],
  ['lost updates', 0],
  ...FINDINGS.flatMap((finding) => [[`${finding}: attacks`], [`${finding}: escapes`, 0]]),
];

const COLUMNS = [
  { who: 'airlock', title: 'config-airlock' },
  { who: 'naive', title: 'realpath, prefix, open' },
];

/** In Markdown. A figure that nobody counted is a dash, and so is never taken for a 0. */
export function table(counted) {
  const columns = COLUMNS.filter(({ who }) => counted.some((line) => line.who === who));
  const rows = ROWS.map(([figure, bound]) => {
    const cells = columns.map(({ who }) => total(counted, who, figure)?.toLocaleString('en') ?? '–');
    return [bound === 0 ? `**${figure}**` : figure, ...cells];
  });
  const head = ['', ...columns.map(({ title }) => title)];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** The figures of config-airlock that must be 0 and are not, or that nobody counted. */
export function broken(counted) {
  return ROWS.filter(([figure, bound]) => bound === 0 && total(counted, 'airlock', figure) !== 0).map(
    ([figure]) => figure,
  );
}

function total(counted, who, figure) {
  const lines = counted.filter((line) => line.who === who && line.figure === figure);
  return lines.length === 0 ? undefined : lines.reduce((sofar, { number }) => sofar + number, 0);
}
