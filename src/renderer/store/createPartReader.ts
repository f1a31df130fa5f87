import type { ConversationPart } from '#shared/conversation/conversation.ts';
import type { ParleySyncBridge } from '#shared/ipc/channels.ts';
import { parsePart } from './parseFetched.ts';

/** Fetches the missing parts of the conversation. */
interface PartReader {
  /**
   * Starts to fetch the conversation that began with the action number `start`: the messages before index `missing`. Abandons the missing
   * parts of the previous conversation.
   */
  begin(start: number, missing: number): void;
  /** Continues after a refused request. */
  resume(): void;
}

/**
 * Creates a part reader. It fetches the missing parts one after the other, the newest first, and requests the next one when the previous
 * one is applied, so a window receives no more than it can process:
 *
 *     complete ── begin ──▶ reading: one request at a time ── the first message has arrived ──▶ complete
 *                              ▲           │ refused, or main has another conversation
 *                              └─ resume ──┴▶ waiting
 */
export function createPartReader(
  { fetchPart }: Pick<ParleySyncBridge, 'fetchPart'>,
  onPart: (part: ConversationPart) => void,
): PartReader {
  let wanted = { start: 0, missing: 0 };
  let isReading = false;

  /** Fetches one part; resolves to whether to continue. */
  const readOne = async (): Promise<boolean> => {
    const requested = wanted;
    const text = await fetchPart(requested.start, requested.missing);
    if (wanted !== requested) return true;
    // The action that replaced the conversation has not arrived yet; it calls `begin` again.
    if (text === null) return false;
    const part = parsePart(text);
    wanted = { start: requested.start, missing: part.from };
    onPart(part);
    return true;
  };
  const read = async () => {
    if (isReading) return;
    isReading = true;
    try {
      while (wanted.missing > 0 && (await readOne()));
    } catch (error) {
      console.warn('A part of the conversation could not be fetched; the next heartbeat retries it.', error);
    }
    isReading = false;
  };

  return {
    begin(start, missing) {
      wanted = { start, missing };
      void read();
    },
    resume: () => void read(),
  };
}
