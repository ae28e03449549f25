// Answers whose approval a stored preview needs, by its level. The yes of the person at the client or at the terminal comes
// with the call, from the layer that asked them; no argument can replace it.
import {
  type Approved,
  approvalDeclinedAtClient,
  approvedAtTerminal,
  approvedByClient,
  approvedByPreview,
  approvedByReviewer,
  auditedFiles,
  type Refusal,
  type StoredPreview,
} from '../security/index.ts';
import { underPresentRules } from './judge-change.ts';
import { type AskedAbout, questionAbout } from './question.ts';
import { type CallContext, stateOf } from './tool.ts';

/**
 * Answers the approval. Throws the APPROVAL_* that says what is missing, and AskFirst where the person at the client has to be
 * asked, who then is shown `shown`.
 */
export async function approvePreview(
  preview: StoredPreview,
  shown: AskedAbout | undefined,
  context: CallContext,
): Promise<Approved> {
  const { approval } = preview.record;
  // Only a signature counts here; even the person at this terminal cannot do without one.
  if (approval === 'human') {
    const { needs = [] } = await underPresentRules(preview.record, context);
    const { approvalMessage } = context.policy.changes;
    return approvedByReviewer(preview, stateOf(context).decisions, needs, approvalMessage);
  }
  if (context.confirmed === 'terminal') return approvedAtTerminal(preview);
  if (approval !== 'client') return approvedByPreview(preview);
  if (context.confirmed === 'declined') throw await recordedNo(preview, context);
  if (context.confirmed === 'client') return approvedByClient(preview);
  if (shown === undefined) throw new Error('nobody is asked about what was not computed');
  throw new AskFirst(preview, shown);
}

/** Makes the refusal for a no at the client, after it was recorded. Throws where it cannot be recorded. */
async function recordedNo({ id, record }: StoredPreview, context: CallContext): Promise<Refusal> {
  const { caller, requestId: request_id } = context;
  const files = auditedFiles(record.files);
  const declined = { type: 'declined', about: id, files, caller, request_id } as const;
  await stateOf(context).audit([declined]);
  return approvalDeclinedAtClient('the person at the client said no');
}

/** True where somebody has to be asked before this call can go on. */
export function asksFirst({ record }: StoredPreview, { confirmed }: CallContext): boolean {
  return record.approval === 'client' && confirmed === undefined;
}

/**
 * Thrown where a preview needs the yes of the person at the client, and nobody has asked for it yet. It is no refusal: the
 * server asks, and makes the same call again with the answer.
 */
export class AskFirst extends Error {
  override readonly name = 'AskFirst';
  readonly preview: string;
  readonly question: string;

  /** Writes the question. Throws APPROVAL_UNAVAILABLE for a preview that is too long to be asked about. */
  constructor(preview: StoredPreview, shown: AskedAbout) {
    super('the person at the client has to be asked');
    this.preview = preview.id;
    this.question = questionAbout(preview, shown);
  }
}
