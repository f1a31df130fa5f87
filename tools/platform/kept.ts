import type { Message } from '#shared/protocol/update.ts';

/** A conversation as it is kept and sent (spec §2.6). */
export interface StoredConversation {
  readonly person: string;
  readonly messages: readonly Message[];
}

/** How much of a conversation is kept: messages, and characters of what they hold. */
export interface Keeping {
  readonly messages: number;
  readonly weight: number;
}

/** In the file. 20 MB is about fifteen of the largest pictures. */
export const FILED: Keeping = { messages: 500, weight: 20_000_000 };
/** In memory: cut back to this when there is twice as much. Twice the weight is still a frame that a client reads. */
export const LIVE: Keeping = { messages: 5000, weight: 20_000_000 };

/** Characters that messages hold, near enough. */
export const weightOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + weightOfOne(message), 0);

const weightOfOne = ({ avatar = '', content = [] }: Message): number =>
  content.reduce(
    (sum, { text, html, blob }) => sum + (text?.length ?? 0) + (html?.length ?? 0) + (blob?.length ?? 0),
    avatar.length,
  );

/** The newest messages that fit; the same list when all do. */
export function kept(messages: readonly Message[], keeping: Keeping): readonly Message[] {
  let start = messages.length;
  let weight = 0;
  while (start > 0 && messages.length - start < keeping.messages) {
    const message = messages[start - 1];
    weight += message === undefined ? 0 : weightOfOne(message);
    if (weight > keeping.weight) break;
    start--;
  }
  return start === 0 ? messages : messages.slice(start);
}
