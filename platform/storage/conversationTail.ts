import { applyUpdate, currentMessage } from '#shared/conversation/applyUpdate.ts';
import { type Conversation, fromSnapshot, toFrame } from '#shared/conversation/conversation.ts';
import { emptyVector } from '#shared/conversation/vector.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import type { Message } from '#shared/protocol/update.ts';

/** The end of a stored conversation: its newest message, if any, with its number, which is 0 when there is none. */
export interface Newest {
  readonly person: string;
  readonly number: number;
  readonly messages: readonly Message[];
}

/** A row that a frame has changed. */
export interface ChangedRow {
  /** `null`: the person's name has not changed. */
  readonly person: string | null;
  /** `null`: no message has changed. */
  readonly message: { readonly number: number; readonly json: () => string } | null;
}

/**
 * Converts the frames of one conversation to rows. Updates change only the newest message (spec §6.1), so this keeps only
 * that one.
 */
export class ConversationTail {
  #state: Conversation;
  #number: number;
  /** Number of changed rows that are not on the disk. */
  unwritten = 0;

  constructor({ person, number, messages }: Newest) {
    this.#state = fromSnapshot({ person, messages });
    this.#number = number;
  }

  /**
   * Folds the next frame. Returns the row that it changes, whose JSON is made when it is written.
   * @throws {Error} when its text is not an update.
   */
  add(frame: string): ChangedRow {
    const update = decodeUpdate(frame);
    if (update.kind === 'rejected') throw new Error(`a frame is not an update: ${update.where}`);
    const { person, messages } = this.#state;
    const isNew = update.kind === 'message';
    const before = isNew ? { person, messages: emptyVector<never>() } : this.#state;
    const state = applyUpdate(before, update);
    this.#state = state;
    if (isNew) this.#number += 1;
    const message = state.messages === messages ? undefined : currentMessage(state);
    return {
      person: state.person === person ? null : state.person,
      message:
        message === undefined ? null : { number: this.#number, json: () => JSON.stringify(toFrame(message)) },
    };
  }
}
