// Shows lines to a person at a real terminal and asks questions. At the end the terminal is as it was before. Ctrl-C and Ctrl-D at
// any question throw PromptAborted.
import { usualColumns } from '../../security/text/columns.ts';
import { visibleLine } from '../../security/text/visible.ts';
import { CLOSED, CTRL_C, CTRL_D, Keyboard } from './keyboard.ts';
import { DEFAULT_SIZE, type Line, rowsOf, type Style, styled, withoutControls } from './rows.ts';

/** A person has left a question by Ctrl-C or Ctrl-D. Earlier decisions stand. */
export class PromptAborted extends Error {
  override readonly name = 'PromptAborted';
  readonly how: 'interrupt' | 'end';

  constructor(how: 'interrupt' | 'end') {
    super('nothing more was decided');
    this.how = how;
  }
}

const MORE = '-- more: Enter continues, q stops --';
const MAX_TYPED = 1_000;
const ENTER = /^[\r\n]$/u;
const CTRL_U = '\u0015';
// biome-ignore lint/suspicious/noControlCharactersInRegex: what the keys send
const ERASING = /^[\u007f\b\u0015]$/u;

export class Terminal {
  readonly #output: NodeJS.WriteStream;
  readonly #keyboard: Keyboard;
  readonly #hasColour: boolean;

  constructor(input: NodeJS.ReadStream, output: NodeJS.WriteStream, hasColour: boolean) {
    this.#output = output;
    this.#hasColour = hasColour;
    this.#keyboard = new Keyboard(input);
  }

  say(text = '', style?: Style): void {
    for (const row of rowsOf(text, this.#width))
      this.#output.write(`${styled(row, style, this.#hasColour)}\n`);
  }

  /** Shows lines page by page; false if the person did not want to see the rest. */
  async page(lines: readonly Line[]): Promise<boolean> {
    let left = this.#pageRows;
    for (const { text, style } of lines) {
      // The width is read anew, because the window may have another size by now.
      for (const row of rowsOf(text, this.#width)) {
        if (left === 0) {
          const answer = await this.key(MORE, ['', ' ', 'q']);
          if (answer === 'q') return false;
          left = this.#pageRows;
        }
        this.#output.write(`${styled(row, style, this.#hasColour)}\n`);
        left -= 1;
      }
    }
    return true;
  }

  /** Shows all lines page by page, and asks only after the last one. `action` completes "Type yes to …". */
  async confirm(lines: readonly Line[], action: string): Promise<boolean> {
    const isRead = await this.page(lines);
    if (isRead && (await this.line(`Type yes to ${action}:`)) === 'yes') return true;
    this.say('Nothing was decided.', 'yellow');
    return false;
  }

  /** Waits for one of the keys, without Enter; '' stands for Enter. */
  async key(question: string, keys: readonly string[]): Promise<string> {
    await this.#ask(question);
    for (;;) {
      const text = (await this.#next()).replace(ENTER, '');
      if (!keys.includes(text)) continue;
      this.#output.write(`${text}\n`);
      return text;
    }
  }

  /** Asks for a line, and returns it without spaces around it. */
  line(question: string): Promise<string> {
    return this.#typed(question, true).then((text) => text.trim());
  }

  /** Asks for a line that is not shown while it is typed. */
  secret(question: string): Promise<string> {
    return this.#typed(question, false);
  }

  close(): void {
    this.#keyboard.close();
  }

  async #typed(question: string, isShown: boolean): Promise<string> {
    await this.#ask(question);
    let typed: readonly string[] = [];
    for (;;) {
      const key = await this.#next(typed.length > 0);
      if (ENTER.test(key)) {
        this.#output.write('\n');
        return typed.join('');
      }
      if (ERASING.test(key)) {
        const left = key === CTRL_U ? [] : typed.slice(0, -1);
        if (isShown) this.#erase(typed.slice(left.length));
        typed = left;
      } else if (typed.length < MAX_TYPED && isText(key, isShown)) {
        typed = [...typed, key];
        if (isShown) this.#output.write(key);
      }
    }
  }

  async #ask(question: string): Promise<void> {
    await this.#keyboard.forget();
    this.#output.write(styled(`${withoutControls(question)} `, 'bold', this.#hasColour));
  }

  async #next(isTyping = false): Promise<string> {
    for (;;) {
      const key = await this.#keyboard.next();
      // Ctrl-D after some text is ignored, as in a shell.
      if (key === CTRL_D && isTyping) continue;
      if (key !== CTRL_D && key !== CTRL_C && key !== CLOSED) return key;
      this.#output.write('\n');
      throw new PromptAborted(key === CTRL_C ? 'interrupt' : 'end');
    }
  }

  #erase(characters: readonly string[]): void {
    const columns = characters.reduce((sum, character) => sum + usualColumns(character), 0);
    this.#output.write('\b \b'.repeat(columns));
  }

  get #width(): number {
    return this.#output.columns || DEFAULT_SIZE.columns;
  }

  /** The rows of a page: the window without the question, and with one row of the page before. */
  get #pageRows(): number {
    const asked = rowsOf(`${MORE} `, this.#width).length;
    return Math.max((this.#output.rows || DEFAULT_SIZE.rows) - 1 - asked, 3);
  }
}

/** True for text, and not for what an arrow key or a paste with terminal codes sends. A secret may hold characters that cannot be seen. */
function isText(key: string, isShown: boolean): boolean {
  return !/^\p{Cc}/u.test(key) && (!isShown || visibleLine(key) === key);
}
