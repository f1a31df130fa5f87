import type { AnswerPart } from '../../endpoint/endpoint.ts';
import type { ManualEndpoint } from './manualEndpoint.ts';
import { settled } from './manualEndpoint.ts';

/** Returns a part of the text. */
export const text = (words: string): AnswerPart => ({ kind: 'text', text: words });
/** Returns a part of the reasoning. */
export const reasoning = (words: string): AnswerPart => ({ kind: 'reasoning', text: words });
/** The end of a complete answer. */
export const END: AnswerPart = { kind: 'end', reason: 'stop' };

/** Sends parts of the newest answer; resolves when they have been taken. */
export async function stream({ chats }: ManualEndpoint, ...parts: readonly AnswerPart[]): Promise<void> {
  for (const part of parts) chats.at(-1)?.send(part);
  await settled();
}
