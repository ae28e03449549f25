// The backend as a thread sees it that has neither state nor files to write: each question is sent to the thread that started it, and
// its reply comes back under the same id.
import type { EventEmitter } from 'node:events';
import { Refusal } from '../security/errors/refusal.ts';
import type { Answer, Asked, Backend, Question } from '../security/state/backend.ts';

/** A question, as it is sent. */
export interface SentQuestion<Name extends Question = Question> {
  readonly id: string;
  readonly name: Name;
  readonly asked: Asked<Name>;
}

export type SentReply<Name extends Question = Question> =
  | { readonly answer: Answer<Name> }
  | { readonly refused: SentRefusal }
  | { readonly failed: SentError };

type SentRefusal = Pick<Refusal, 'code' | 'message' | 'where' | 'clues'>;

/** What is sent of a bug. An error itself may hold what no port can carry. */
type SentError = Pick<Error, 'name' | 'message'> & { readonly stack: string | undefined };

/** Makes the backend of the asking thread. `replies` emits each reply under the id of its question. */
export function askingBackend(send: (question: SentQuestion) => void, replies: EventEmitter): Backend {
  let count = 0;
  const ask =
    <Name extends Question>(name: Name) =>
    (asked: Asked<Name>): Promise<Answer<Name>> =>
      new Promise((resolve, reject) => {
        const id = String(++count);
        replies.once(id, (replied: SentReply<Name>) => {
          if ('answer' in replied) resolve(replied.answer);
          else reject('refused' in replied ? refusalOf(replied.refused) : bugOf(replied.failed));
        });
        send({ id, name, asked });
      });
  return {
    ...{ keep: ask('keep'), load: ask('load'), decided: ask('decided'), change: ask('change') },
    ...{ changes: ask('changes'), waiting: ask('waiting'), facts: ask('facts') },
    ...{ write: ask('write'), apply: ask('apply'), drop: ask('drop') },
  };
}

/** Answers a question of another thread. Never rejects: the other thread gets the error. */
export async function answer<Name extends Question>(
  { name, asked }: SentQuestion<Name>,
  backend: Backend,
  send: (reply: SentReply<Name>) => void,
): Promise<void> {
  try {
    send({ answer: await backend[name](asked) });
  } catch (error) {
    const { name, message, stack } = error instanceof Error ? error : new Error('no error was thrown');
    if (!(error instanceof Refusal)) return send({ failed: { name, message, stack } });
    const { code, where, clues } = error;
    send({ refused: { code, message, where, clues } });
  }
}

function refusalOf({ code, message, where, clues }: SentRefusal): Refusal {
  return new Refusal(code, message, where, clues);
}

function bugOf({ name, message, stack }: SentError): Error {
  return Object.assign(new Error(message), { name, stack });
}
