// `1 file`, `2 files`: a number and what it counts, in words.

export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
