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
export interface Ending {
  readonly label: string;
  /** A sentence that is added as a text item, for example why the answer failed. */
  readonly note?: string;
}

interface AnswerWriterOptions extends FramesOptions {
  readonly send: (frame: object) => void;
}

/**
 * Creates the writer of one answer:
 *
 *     waiting ── first text ──▶ running ── finish ──▶ finishing ── last frame ──▶ ended
 *        │                        │                       │                        ▲
 *        └──────────── end ───────┴───────────────────────┴────────────────────────┘
 */
export function createAnswerWriter({ send, ...options }: AnswerWriterOptions): AnswerWriter {
  const text = createAnswerText();
  const frames = createFrames(text, options);
  let isOpen = true;
  let onEnd: (() => void) | undefined;

  const whenIdle = () => {
    const call = onEnd;
    onEnd = undefined;
    call?.();
  };
  const pace = createPace({ clock: options.clock, next: frames.next, send, whenIdle });
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
