// A text that is too long to be shown whole, and says so: nobody may take it for the whole.

export function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}… (${text.length} characters)`;
}
