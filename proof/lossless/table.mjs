// The outcomes as a table, and as a page that says how they came about.
const OUTCOMES = [
  ['exact', 'exactly the asked lines'],
  ['more', 'other lines as well'],
  ['wrong', 'wrong data'],
  ['refused', 'refused'],
];
const KINDS = [
  ['set', 'set a value'],
  ['delete', 'delete an entry'],
  ['append', 'append an item'],
];

/** In Markdown. */
export function summary(results) {
  const head = ['', 'edits', ...OUTCOMES.map(([, title]) => title)];
  const rows = results.map(({ title, kinds, isMissing }) => {
    if (isMissing) return [title, 'not installed', '–', '–', '–', '–'];
    const all = totalOf(Object.values(kinds));
    return [title, sum(all), ...OUTCOMES.map(([outcome]) => share(all[outcome], sum(all)))];
  });
  return table(head, rows);
}

export function page(results, { fileCount, edits, seed, isOwn }) {
  const where = isOwn ? 'the files of `proof/lossless/files`' : 'a corpus of its own (`--corpus`)';
  const byKind = KINDS.map(([kind, title]) => {
    const rows = results
      .filter(({ isMissing }) => isMissing !== true)
      .map((result) => [
        result.title,
        sum(result.kinds[kind]),
        ...OUTCOMES.map(([outcome]) => share(result.kinds[kind][outcome], sum(result.kinds[kind]))),
      ]);
    return `### ${title[0].toUpperCase()}${title.slice(1)}\n\n${table(['', 'edits', ...OUTCOMES.map(([, name]) => name)], rows)}`;
  });
  return `${summary(results)}
${fileCount} files, ${where}; at most ${edits} edits of each, chosen by seed ${seed}.

${byKind.join('\n')}`;
}

function totalOf(counts) {
  return Object.fromEntries(
    OUTCOMES.map(([outcome]) => [outcome, counts.reduce((all, one) => all + one[outcome], 0)]),
  );
}

function sum(counts) {
  return Object.values(counts).reduce((all, one) => all + one, 0);
}

function share(count, all) {
  if (all === 0) return '–';
  const percent = (100 * count) / all;
  return `${count} (${percent === 0 || percent === 100 ? percent : percent.toFixed(1)} %)`;
}

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
