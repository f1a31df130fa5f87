import type { Message } from '#shared/protocol/update.ts';

/** Consecutive messages of the conversation. */
export interface MessagesView {
  readonly messages: readonly Message[];
  /** When each of them arrived, in milliseconds since the launch; `null` when that is not known. */
  readonly arrivals: readonly (number | null)[];
}
