import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { emptyConversation, toSnapshot } from '#shared/conversation/conversation.ts';
import { decodeUpdate, type ContentItem, type Message } from '#shared/protocol/update.ts';
import { virtualClock } from '#shared/clock.ts';
import type { AnswerPart } from '../../endpoint/endpoint.ts';
import { type AnswerWriter, createAnswerWriter } from '../createAnswerWriter.ts';

/** A frame and when it was sent, in milliseconds. */
interface SentFrame {
  readonly at: number;
  readonly frame: Readonly<Record<string, unknown>>;
}

/** Creates a writer on a virtual clock, and a client that folds its frames. */
export function testWriter(expectsReasoning = false) {
  const clock = virtualClock();
  const frames: SentFrame[] = [];
  let conversation = emptyConversation;
  const send = (frame: object) => {
    const update = decodeUpdate(JSON.stringify(frame));
    if (update.kind === 'rejected') throw new Error(`The frame was rejected: ${update.reason}`);
    conversation = applyUpdate(conversation, update);
    frames.push({ at: clock.now(), frame: { ...frame } });
  };
  const replace = (frame: object) => {
    conversation = emptyConversation;
    send(frame);
  };
  let ids = 0;
  const newId = () => `m${ids++}`;
  const label = 'Parley is writing…';
  const writer = createAnswerWriter({ clock, newId, send, replace, label, expectsReasoning });
  const message = (): Message | undefined => toSnapshot(conversation).messages.at(-1);
  return { clock, writer, frames, message };
}

/** Adds text to an answer. */
export const addText = (writer: AnswerWriter, text: string): void => writer.add({ kind: 'text', text });

/** Writes an answer in these parts, one each `everyMs`, and returns its message. */
export function writeAnswer(parts: readonly (string | AnswerPart)[], everyMs = 0): Message {
  const { clock, writer, message } = testWriter();
  for (const part of parts) {
    writer.add(typeof part === 'string' ? { kind: 'text', text: part } : part);
    clock.advance(everyMs);
  }
  writer.end({ label: 'Parley' });
  return message() ?? {};
}

/** Returns the items of an answer, each as its category and its text or HTML. */
export const itemsOf = ({ content = [] }: Message): readonly string[] => content.map(itemText);

const itemText = ({ category, text, html }: ContentItem): string =>
  `${category}: ${(category === 'html' ? html : text) ?? ''}`;
