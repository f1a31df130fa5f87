import { type Cancel, type Clock, every } from '#shared/clock.ts';
import type { Message } from '#shared/protocol/update.ts';
import type { AnswerPart } from '../endpoint/endpoint.ts';
import { type AnswerItem, createAnswerItems } from './createAnswerItems.ts';
import { createPace } from './createPace.ts';

/** Writes an answer of the endpoint as updates (contract §9): one message, at most 8 updates a second. */
export interface AnswerWriter {
  /** The name of the model: the beginning of the activity. */
  name: string;
  /** Takes the next part of the endpoint's answer. */
  add(part: AnswerPart): void;
  /**
   * Ends the answer: sends everything that is left at once, then the final activity. Call it before another message is appended, because an update always
   * changes the newest message.
   */
  end(label: string): void;
  /** Ends the answer as `end` does, but keeps the pace; then calls `ended`. An `end` before that sends the rest at once. */
  finish(label: string, ended: () => void): void;
  /** Sends nothing until the next part: another message stands in the answer's place, which its message then replaces. */
  hold(): void;
  /** Drops the answer: sends nothing more. */
  drop(): void;
  /** Whether the message was sent. */
  readonly isSent: boolean;
  /** Whether the model has said something that is not reasoning. */
  readonly hasText: boolean;
  /** Whether the model has said something. */
  readonly hasContent: boolean;
}

interface AnswerWriterOptions {
  readonly clock: Clock;
  readonly newId: () => string;
  /** The name of the model, as far as it is known. */
  readonly name: string;
  /** Base64 PNG, or empty. */
  readonly avatar?: string;
  /** The pause before the message, in milliseconds: it follows an answer that was ended at once. */
  readonly delayMs?: number;
  readonly send: (frame: object) => void;
  /** Replaces the answer's message: text that was sent is reasoning. */
  readonly replace: (message: Message) => void;
}

/**
 * Creates the writer of one answer, and sends its message, which is empty. An update is made when it can be sent: it has the newest text.
 *
 *     running ── finish ──▶ finishing ── last frame ──▶ ended
 *        └──────── end ─────────┴────────────────────────▲
 */
export function createAnswerWriter(options: AnswerWriterOptions): AnswerWriter {
  const { clock, newId, avatar = '', delayMs = 0, send, replace } = options;
  const items = createAnswerItems();
  const activity = createActivity(clock);
  let { name } = options;
  let finalLabel: string | undefined;
  let sentLabel: string | undefined;
  let onEnd: (() => void) | undefined;
  const id = newId();
  let isSent = false;
  let isHeld = false;
  let wasLabel = true;

  const newLabel = () => finalLabel ?? `${name} is ${activity.words()}…`;
  const message = (content: readonly AnswerItem[]): Message => {
    sentLabel = newLabel();
    return { id, modifier: 'ai', content, context: sentLabel, avatar, seen: true };
  };
  const labelFrame = () => {
    const label = newLabel();
    if (label === sentLabel) return undefined;
    wasLabel = true;
    sentLabel = label;
    return { context: label };
  };
  const itemFrame = (isHurried: boolean) => {
    const change = items.next(isHurried);
    if (change === undefined) return undefined;
    wasLabel = false;
    if (change.kind === 'replaced') return message(change.items);
    return change.kind === 'item' ? change.item : { text: change.text };
  };
  /** The label and the items take turns while the answer runs. The final label is the last frame. */
  const next = (isHurried: boolean) => {
    if (isHeld) return undefined;
    if (sentLabel === undefined) return message(items.takeAll());
    return finalLabel !== undefined || wasLabel
      ? (itemFrame(isHurried) ?? labelFrame())
      : (labelFrame() ?? itemFrame(isHurried));
  };
  const sendFrame = (frame: object) => {
    if (isSent && isMessage(frame)) replace(frame);
    else send(frame);
    isSent = true;
  };
  const whenIdle = () => {
    const call = onEnd;
    onEnd = undefined;
    call?.();
  };
  const pace = createPace({ clock, delayMs, next, send: sendFrame, whenIdle });
  const close = (ending: string) => {
    if (finalLabel !== undefined) return;
    activity.stop();
    items.end();
    finalLabel = ending;
  };

  activity.start(pace.schedule);
  pace.schedule();
  return {
    get name() {
      return name;
    },
    set name(known) {
      name = known;
      pace.schedule();
    },
    add(part) {
      if (finalLabel !== undefined) return;
      isHeld = false;
      items.add(part);
      activity.change(activityOf(part, items));
      pace.schedule();
    },
    end(ending) {
      close(ending);
      pace.flush();
    },
    finish(ending, ended) {
      onEnd = ended;
      close(ending);
      pace.schedule();
    },
    hold() {
      isHeld = true;
      isSent = true;
      sentLabel = undefined;
    },
    drop() {
      activity.stop();
      pace.stop();
    },
    get isSent() {
      return isSent;
    },
    get hasText() {
      return items.hasText;
    },
    get hasContent() {
      return items.hasContent;
    },
  };
}

const isMessage = (frame: object): frame is Message => 'modifier' in frame;

/** What the model does while its answer runs. */
type Activity = 'thinking' | 'loading the model' | 'writing';

function activityOf({ kind }: AnswerPart, { isThinking }: { readonly isThinking: boolean }): Activity {
  if (kind === 'loading') return 'loading the model';
  return isThinking && kind !== 'reasoningEnded' ? 'thinking' : 'writing';
}

/** From this time on, the label says how long the model has been thinking. In seconds. */
const LONG_S = 3;
const SECOND_MS = 1000;

/** Creates the activity of an answer: thinking at first. */
function createActivity(clock: Clock) {
  let current: Activity = 'thinking';
  let since = clock.now();
  let cancel: Cancel | undefined;
  return {
    /** Starts to call `onSecond` each second. */
    start(onSecond: () => void) {
      cancel = every(clock, SECOND_MS, onSecond);
    },
    stop: () => cancel?.(),
    change(next: Activity) {
      if (next !== current) since = clock.now();
      current = next;
    },
    words(): string {
      const seconds = Math.floor((clock.now() - since) / SECOND_MS);
      return current === 'thinking' && seconds >= LONG_S ? `${current}, ${seconds} s` : current;
    },
  };
}
