// Thrown in the place of a reply where a preview needs the yes of the person at the client, and nobody has asked
// for it yet. No refusal: the server asks, and makes the same call again with the answer.
import type { StoredPreview } from '../security/index.ts';
import { questionAbout } from './question.ts';

export class AskFirst extends Error {
  override readonly name = 'AskFirst';
  readonly preview: string;
  readonly question: string;

  /** Throws APPROVAL_UNAVAILABLE for a preview that is too long to be asked about. */
  constructor(preview: StoredPreview, warnings: readonly string[]) {
    super('the person at the client has to be asked');
    this.preview = preview.id;
    this.question = questionAbout(preview, warnings);
  }
}
