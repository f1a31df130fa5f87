import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { emptyConversation, toSnapshot } from '#shared/conversation/conversation.ts';
import { decodeUpdate, type Message } from '#shared/protocol/update.ts';
import { virtualClock } from '#shared/clock.ts';
import type { AnswerPart } from '../../endpoint/endpoint.ts';
import { AnswerWriter } from '../answerWriter.ts';

/** A frame and when it was sent, in milliseconds. */
interface SentFrame {
  readonly at: number;
  readonly frame: Readonly<Record<string, unknown>>;
}

/** Creates a writer on a virtual clock, and a client that folds its frames. */
export function testWriter({ delayMs = 0 } = {}) {
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
  const writer = new AnswerWriter({ clock, newId, send, replace, name: 'llama', delayMs });
  const message = (): Message => toSnapshot(conversation).messages.at(-1) ?? {};
  /** Returns the frames after the message, each as its first field and its text or label. */
  const sent = () =>
    frames.slice(1).map(({ at, frame }) => [at, Object.keys(frame)[0], frame['text'] ?? frame['context']]);
  return { clock, writer, frames, sent, message };
}

/** Returns a part of the text. */
export const text = (words: string): AnswerPart => ({ kind: 'text', text: words });

/** Returns a part of the reasoning. */
export const reasoning = (words: string): AnswerPart => ({ kind: 'reasoning', text: words });

/** Adds text to an answer. */
export const addText = (writer: AnswerWriter, words: string): void => writer.add(text(words));

/** Returns the items of an answer, each as its format and its text. */
export const itemsOf = ({ content = [] }: Message): readonly (readonly [unknown, unknown])[] =>
  content.map((item) => ['format' in item ? item.format : null, item.text]);
