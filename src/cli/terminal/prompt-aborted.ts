// A person who leaves a question open, by Ctrl-C or Ctrl-D.

/** Nothing that was not decided before is decided. */
export class PromptAborted extends Error {
  override readonly name = 'PromptAborted';
  readonly how: 'interrupt' | 'end';

  constructor(how: 'interrupt' | 'end') {
    super('nothing more was decided');
    this.how = how;
  }
}
