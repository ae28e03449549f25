// `node compare.mjs TITLE=REPORT.json …`: several reports side by side, as a table on stdout.
import { readFileSync } from 'node:fs';
import { comparison } from './report.mjs';

const reports = process.argv.slice(2).map((argument) => {
  const [, title, file] = /^(.*)=([^=]+)$/s.exec(argument) ?? [];
  if (file === undefined) throw new Error('expected TITLE=REPORT.json');
  return { title, findings: JSON.parse(readFileSync(file, 'utf8')).findings };
});
process.stdout.write(comparison(reports));
