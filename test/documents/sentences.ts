// The sentences of a document in Markdown, as a reader meets them: code, pictures and the addresses of links are left out, and
// an item of a list, a cell of a table and a heading end a sentence.

export function sentencesIn(markdown: string): readonly string[] {
  const prose = markdown
    .replaceAll(/```.*?```|<!--.*?-->/gsu, '\n\n')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replaceAll(/`[^`]*`/gu, 'code')
    .replaceAll('**', '');
  return prose
    .split(/\n\s*\n|\n(?=\s*(?:[-|#]|\d+\. ))/u)
    .flatMap((block) => (block.startsWith('|') ? block.split('|') : [block]))
    .flatMap((block) =>
      block
        .replaceAll(/\s+/gu, ' ')
        .trim()
        .split(/(?<=[.!?:][)"]?) (?=\S)/u),
    )
    .filter((sentence) => !/^(?:code ?)+$/u.test(sentence));
}
