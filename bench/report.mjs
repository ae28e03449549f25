// The figures as Markdown: every time beside what it is compared with, and the targets with their verdicts.

export function targetTable(targets) {
  const rows = targets.map(({ job, ratio, limit, of }) => {
    const verdict = ratio === undefined ? 'not run' : ratio <= limit ? 'met' : 'MISSED';
    return `| ${job} | ${limitText(limit)} × ${of} | ${ratio === undefined ? '–' : ratioText(ratio)} | ${verdict} |`;
  });
  return ['| job | target | measured | |', '|---|---|---|---|', ...rows].join('\n');
}

export function timeTable(title, columns, rows) {
  const lines = rows.map(
    ([name, times]) => `| ${name} | ${columns.map((column) => msText(times[column])).join(' | ')} |`,
  );
  return [
    `| ${title} | ${columns.join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
    ...lines,
  ].join('\n');
}

export function msText(ms) {
  if (ms === undefined) return '–';
  return ms >= 100 ? `${ms.toFixed(0)} ms` : ms >= 1 ? `${ms.toFixed(1)} ms` : `${ms.toFixed(3)} ms`;
}

function ratioText(ratio) {
  return ratio >= 0.1 ? `${ratio.toFixed(2)} ×` : `1/${(1 / ratio).toFixed(0)}`;
}

function limitText(limit) {
  return limit >= 0.1 ? String(limit) : `1/${Math.round(1 / limit)}`;
}
