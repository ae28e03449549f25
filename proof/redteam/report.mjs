// What came of the attacks, for somebody who decides about a server: one table, and what fell.
const GROUPS = [
  [
    'containment',
    'Out of the folder by a name',
    'Whether a path can lead out of the folder that the server was given.',
  ],
  ['race', 'Out of the folder by a race', 'The same while another process exchanges what stands on the way.'],
  [
    'secrets',
    'Names and values that nobody should hand to an agent',
    'Keys, tokens and passwords that are read; files that other programs run and that are made.',
  ],
  ['content', 'Files that cost', 'Whether a file can stop the server for everybody else.'],
  [
    'injection',
    'Files that speak',
    'Whether text of a file reaches a person or a model in a way that deceives.',
  ],
  ['approval', 'Who decides', 'Whether a change can be seen first, and is then exactly what was seen.'],
  ['crash', 'Kills', 'Whether a file is ever torn.'],
];

export function reportOf(findings, { name, command, when, node, platform }) {
  const rows = GROUPS.map(([group, title]) => {
    const some = findings.filter((finding) => finding.group === group);
    const count = (outcome) => some.filter((finding) => finding.outcome === outcome).length;
    return `| ${title} | ${some.length - count('skipped')} | ${count('held')} | ${bold(count('fell'))} | ${count('skipped')} |`;
  });
  const sections = GROUPS.flatMap(([group, title, about]) => {
    const some = findings.filter((finding) => finding.group === group && finding.outcome !== 'held');
    if (some.length === 0) return [];
    const lines = some.map(
      ({ what, outcome, why }) => `- ${outcome === 'fell' ? '**fell**' : 'not tried'}: ${what}: ${why}`,
    );
    return [`### ${title}\n\n${about}\n\n${lines.join('\n')}\n`];
  });
  return `# Red team report

Server: \`${command}\`
Spoken to as: ${name}. ${when}, Node ${node}, ${platform}.

| attacks | tried | held | fell | not tried |
|---|---|---|---|---|
${rows.join('\n')}

${sections.length === 0 ? 'Nothing fell.\n' : sections.join('\n')}`;
}

/** One row a server, for several reports side by side. */
export function comparison(reports) {
  const head = ['attacks', ...reports.map(({ title }) => title)];
  const rows = GROUPS.map(([group, title]) => [
    title,
    ...reports.map(({ findings }) => {
      const some = findings.filter((finding) => finding.group === group && finding.outcome !== 'skipped');
      return `${some.filter(({ outcome }) => outcome === 'held').length} of ${some.length}`;
    }),
  ]);
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function bold(count) {
  return count === 0 ? '0' : `**${count}**`;
}
