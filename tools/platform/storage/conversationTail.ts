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

/** The rows that frames have changed and that are not written yet. */
export interface ChangedRows {
  /** `null`: the person's name has not changed. */
  readonly person: string | null;
  /** The messages as JSON, by number. */
  readonly messages: ReadonlyMap<number, string>;
}

/**
 * Converts the frames of one conversation to rows. Updates change only the newest message (spec §6.1), so this keeps only
 * that one.
 */
export class ConversationTail {
  #state: Conversation;
  #number: number;
  #isRenamed = false;
  readonly #changed = new Map<number, Conversation>();

  constructor({ person, number, messages }: Newest) {
    this.#state = fromSnapshot({ person, messages });
    this.#number = number;
  }

  /** Returns whether there are rows to write. */
  get isChanged(): boolean {
    return this.#isRenamed || this.#changed.size > 0;
  }

  /**
   * Folds the next frame.
   * @throws {Error} when its text is not an update.
   */
  add(frame: string): void {
    const update = decodeUpdate(frame);
    if (update.kind === 'rejected') throw new Error(`a frame is not an update: ${update.where}`);
    const { person, messages } = this.#state;
    const isNew = update.kind === 'message';
    const before = isNew ? { person, messages: emptyVector<never>() } : this.#state;
    this.#state = applyUpdate(before, update);
    if (isNew) this.#number += 1;
    if (this.#state.person !== person) this.#isRenamed = true;
    if (this.#state.messages !== messages) this.#changed.set(this.#number, this.#state);
  }

  rows(): ChangedRows {
    const messages = new Map<number, string>();
    for (const [number, state] of this.#changed) {
      const message = currentMessage(state);
      if (message !== undefined) messages.set(number, JSON.stringify(toFrame(message)));
    }
    return { person: this.#isRenamed ? this.#state.person : null, messages };
  }

  /** The rows are written. */
  markWritten(): void {
    this.#isRenamed = false;
    this.#changed.clear();
  }
}
