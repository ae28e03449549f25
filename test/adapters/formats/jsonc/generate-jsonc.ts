// JSON with comments in every style that people write: comments above, before, behind and between, on lines or within them,
// with or without a comma after the last entry. Each key, value and comment has a name of its own, so that it is found again.
import { type Random, randomFrom } from '../../../harness/random.ts';

/** The same text for the same seed. */
export function generateJsonc(seed: number): string {
  return new Writer(randomFrom(seed)).file();
}

class Writer {
  readonly #random: Random;
  readonly #unit: string;
  readonly #lineBreak: string;
  readonly #commented: number;
  #named = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#unit = random.pick(['  ', '  ', '    ', '\t']);
    this.#lineBreak = random.pick(['\n', '\n', '\n', '\r\n']);
    this.#commented = random.below(5);
  }

  file(): string {
    const header = this.#lines('').join('\n');
    const root = this.#collection('', 0, true);
    const end = this.#random.pick(['\n', '\n', '', ` ${this.#block()}\n`]);
    const text = `${header === '' ? '' : `${header}\n`}${root}${end}`;
    return (this.#random.below(20) === 0 ? '\uFEFF' : '') + text.replaceAll('\n', this.#lineBreak);
  }

  #name(letter: string): string {
    this.#named += 1;
    return `${letter}${this.#named}_`;
  }

  /** So often as this text has comments. */
  #isCommented(): boolean {
    return this.#random.below(8) < this.#commented;
  }

  #block(): string {
    return this.#random.pick([
      `/* ${this.#name('c')} */`,
      `/*${this.#name('c')}*/`,
      `/** ${this.#name('c')} , } */`,
    ]);
  }

  /** Up to the end of the line, or a block. */
  #tail(): string {
    return this.#random.pick([
      `// ${this.#name('c')}`,
      `//${this.#name('c')} "x": 1,`,
      `// ${this.#name('c')} /* x`,
      this.#block(),
    ]);
  }

  /** Comments on lines of their own. */
  #lines(indent: string): string[] {
    if (!this.#isCommented()) return [];
    const lines = this.#random.pick([
      () => [`// ${this.#name('c')}`],
      () => [`// ${this.#name('c')}`, `// ${this.#name('c')}`],
      () => [this.#block()],
      () => [`/* ${this.#name('c')}`, ' * more', ' */'],
      () => [`// ${this.#name('c')}`, ''],
    ])();
    return lines.map((line) => (line === '' ? '' : indent + line));
  }

  #value(indent: string, depth: number): string {
    if (depth < 3 && this.#random.below(3) === 0)
      return this.#collection(indent, depth + 1, this.#random.below(3) > 0);
    return this.#random.pick([
      `"${this.#name('v')}"`,
      `"${this.#name('v')} // no comment"`,
      '1',
      '-1.50e3',
      'true',
      'null',
    ]);
  }

  #collection(indent: string, depth: number, isOnLines: boolean): string {
    const isObject = depth === 0 || this.#random.below(3) > 0;
    const [open, close] = isObject ? ['{', '}'] : ['[', ']'];
    const count = this.#random.pick([0, 1, 1, 2, 3, 4]);
    const hasTrailing = this.#random.below(3) === 0;
    const inner = indent + this.#unit;
    const part = (): string => {
      const value = this.#value(isOnLines ? inner : indent, isOnLines ? depth : 3);
      if (!isObject) return value;
      const gap = this.#isCommented() && this.#random.below(4) === 0 ? ` ${this.#block()} ` : ' ';
      return `"${this.#name('k')}":${gap}${value}`;
    };
    const within = (text: string): string => {
      const before = this.#isCommented() && this.#random.below(3) === 0 ? `${this.#block()} ` : '';
      const behind = this.#isCommented() && this.#random.below(3) === 0 ? ` ${this.#block()}` : '';
      return before + text + behind;
    };
    const comma = (index: number): string => (index < count - 1 || hasTrailing ? ',' : '');
    if (!isOnLines) {
      const parts = Array.from({ length: count }, (_, index) => within(part()) + comma(index));
      const pad = this.#random.pick(['', ' ']);
      return count === 0 ? open + close : `${open}${pad}${parts.join(' ')}${pad}${close}`;
    }
    const opening = open + (this.#isCommented() && this.#random.below(3) === 0 ? ` ${this.#tail()}` : '');
    const rows = Array.from({ length: count }, (_, index) => {
      const behind = this.#isCommented() ? `${this.#random.pick([' ', '  ', '     '])}${this.#tail()}` : '';
      const blank = this.#random.below(6) === 0 && index > 0 ? [''] : [];
      return [...blank, ...this.#lines(inner), inner + within(part()) + comma(index) + behind];
    });
    const dangling = this.#random.below(4) === 0 ? this.#lines(inner) : [];
    return [opening, ...rows.flat(), ...dangling, indent + close].join('\n');
  }
}
