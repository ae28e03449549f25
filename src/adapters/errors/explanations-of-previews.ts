// Explanations of the codes about previews, changes and approvals, with what usually helps.
import type { ErrorCode } from '../../security/index.ts';

export interface Explanation {
  readonly meaning: string;
  readonly advice: readonly string[];
}

export const OF_PREVIEWS = {
  PREVIEW_NOT_FOUND: {
    meaning: 'No preview has this id, it was dropped, or what was stored of it has been changed since.',
    advice: ['Preview the change again, and apply what that answers'],
  },
  PREVIEW_EXPIRED: {
    meaning: 'The preview is too old, or of another policy.',
    advice: ['Preview the change again, and apply what that answers'],
  },
  PREVIEW_USED: {
    meaning: 'The preview has been applied already. A preview works once.',
    advice: ['Read the file to see how it is now'],
  },
  PREVIEW_REPLACED: {
    meaning:
      'More edits were added to the preview, and another one holds all of them. Decisions about it hold no more.',
    advice: ['Use the preview that the message names'],
  },
  PREVIEW_REQUIRED: {
    meaning:
      'The operator wants every write to be previewed first, or there is a question about this one. Nothing was written.',
    advice: ['Send the same call with dry_run true, and apply what that answers'],
  },
  CHANGE_NOT_FOUND: {
    meaning: 'No change that was applied here has this id, or its record is too old and was dropped.',
    advice: ['Use the change_id that the call which applied the change has answered'],
  },
  APPROVAL_REQUIRED: {
    meaning: 'A person has to approve the change, and has not decided yet or approved a part of it.',
    advice: ['Ask the person, and send the same call again once they have decided'],
  },
  APPROVAL_DECLINED: {
    meaning: 'A person has said no to this change. Nothing was written.',
    advice: ['Do not repeat the same change; ask what should be different'],
  },
  APPROVAL_UNAVAILABLE: {
    meaning:
      'A person would have to approve the change, and nobody can be asked here, or too many changes wait already. Nothing was written.',
    advice: ['Hand the diff to a person'],
  },
  POLICY_DENIED: {
    meaning: 'A rule of the operator denies this change, or it would show or write a value that is masked.',
    advice: ['See the rules with list_capabilities, and change something else, or ask the operator'],
  },
} as const satisfies Partial<Record<ErrorCode, Explanation>>;
