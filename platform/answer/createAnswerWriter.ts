import type { Message } from '#shared/protocol/update.ts';
import type { AnswerPart } from '../endpoint/endpoint.ts';
import { createAnswerText } from './createAnswerText.ts';
import { type FramesOptions, createFrames } from './createFrames.ts';
import { createPace } from './createPace.ts';

/** Writes an answer of the endpoint as updates (spec §6.1): one message, at most 8 updates a second. */
export interface AnswerWriter {
  /** Takes the next part of the endpoint's answer. Sends the message on the first text. */
  add(part: AnswerPart): void;
  /**
   * Ends the answer: completes an open block, sends everything that is left at once and sets the final label. Call it before another message is
   * appended, because an update always changes the newest message.
   */
  end(ending: Ending): void;
  /** Ends the answer as `end` does, but keeps the pace; then calls `ended`. An `end` before that sends the rest at once. */
  finish(ending: Ending, ended: () => void): void;
  /** Drops the answer: sends nothing more. */
  drop(): void;
  /** The Markdown so far: what the endpoint gets back as the assistant's message. */
  readonly source: string;
  /** Whether the message was sent. An answer without text, reasoning and note sends none. */
  readonly hasBegun: boolean;
}

/** How an answer ends. */
interface Ending {
  readonly label: string;
  /** A sentence that is added as a text item, for example why the answer failed. */
  readonly note?: string;
}

interface AnswerWriterOptions extends FramesOptions {
  readonly send: (frame: object) => void;
  /** Replaces the answer's message: text that was sent is reasoning. */
  readonly replace: (message: Message) => void;
  /** Whether the model is known to write its reasoning first, without an opening tag: its text is held back until the reasoning has ended. */
  readonly expectsReasoning?: boolean;
}

/**
 * Creates the writer of one answer:
 *
 *     waiting ── first text ──▶ running ── finish ──▶ finishing ── last frame ──▶ ended
 *        │                        │                       │                        ▲
 *        └──────────── end ───────┴───────────────────────┴────────────────────────┘
 */
export function createAnswerWriter({ send, replace, ...options }: AnswerWriterOptions): AnswerWriter {
  const text = createAnswerText(options.expectsReasoning);
  const frames = createFrames(text, options);
  let isOpen = true;
  let onEnd: (() => void) | undefined;

  const whenIdle = () => {
    const call = onEnd;
    onEnd = undefined;
    call?.();
  };
  const sendFrame = createSend(send, replace);
  const pace = createPace({ clock: options.clock, next: frames.next, send: sendFrame, whenIdle });
  const close = ({ label, note }: Ending) => {
    if (!isOpen) return;
    isOpen = false;
    text.end(note);
    frames.end(label);
  };

  return {
    add(part) {
      if (!isOpen) return;
      text.add(part);
      pace.schedule();
    },
    end(ending) {
      close(ending);
      pace.flush();
    },
    finish(ending, whenEnded) {
      onEnd = whenEnded;
      close(ending);
      pace.schedule();
    },
    drop() {
      isOpen = false;
      pace.stop();
    },
    get source() {
      return text.source;
    },
    get hasBegun() {
      return frames.hasBegun;
    },
  };
}

/** Returns a function that sends frames. A second message replaces the first one. */
function createSend(send: (frame: object) => void, replace: (message: Message) => void) {
  let isSent = false;
  return (frame: object) => {
    if (isSent && isMessage(frame)) replace(frame);
    else send(frame);
    isSent = true;
  };
}

const isMessage = (frame: object): frame is Message => 'modifier' in frame;
