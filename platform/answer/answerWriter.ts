import { type Cancel, type Clock, every } from '#shared/clock.ts';
import type { Message } from '#shared/protocol/update.ts';
import type { AnswerPart } from '../endpoint/endpoint.ts';
import { type AnswerItem, AnswerItems } from './answerItems.ts';
import { createPace } from './createPace.ts';

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
 * Writes an answer of the endpoint as updates (contract §9): one message, which is sent at once, and at most 8 updates a second. An update is made when it can be
 * sent: it has the newest text.
 *
 *     running ── finish ──▶ finishing ── last frame ──▶ ended
 *        └──────── end ─────────┴────────────────────────▲
 */
export class AnswerWriter {
  readonly #items = new AnswerItems();
  readonly #activity: ReturnType<typeof createActivity>;
  readonly #pace: ReturnType<typeof createPace>;
  readonly #id: string;
  #name: string;
  #finalLabel: string | undefined;
  #sentLabel: string | undefined;
  #wasLabel = true;
  #isSent = false;
  #isHeld = false;
  #onEnd: (() => void) | undefined;

  constructor(private readonly options: AnswerWriterOptions) {
    const { clock, newId, name, delayMs = 0 } = options;
    this.#id = newId();
    this.#name = name;
    this.#activity = createActivity(clock);
    this.#pace = createPace({
      clock,
      delayMs,
      next: (isHurried) => this.#next(isHurried),
      send: (frame) => this.#send(frame),
      whenIdle: () => this.#whenIdle(),
    });
    this.#activity.start(this.#pace.schedule);
    this.#pace.schedule();
  }

  /** The name of the model: the beginning of the label. */
  get name(): string {
    return this.#name;
  }

  set name(known: string) {
    this.#name = known;
    this.#pace.schedule();
  }

  /** Whether the message was sent. */
  get isSent(): boolean {
    return this.#isSent;
  }

  /** Whether the model has said something that is not reasoning. */
  get hasText(): boolean {
    return this.#items.hasText;
  }

  /** Whether the model has said something. */
  get hasContent(): boolean {
    return this.#items.hasContent;
  }

  /** Takes the next part of the endpoint's answer. */
  add(part: AnswerPart): void {
    if (this.#finalLabel !== undefined) return;
    this.#isHeld = false;
    this.#items.add(part);
    this.#activity.change(activityOf(part, this.#items));
    this.#pace.schedule();
  }

  /**
   * Ends the answer: sends everything that is left at once, then the final label. Call it before another message is appended, because an update always
   * changes the newest message.
   */
  end(label: string): void {
    this.#close(label);
    this.#pace.flush();
  }

  /** Ends the answer as `end` does, but keeps the pace; then calls `ended`. An `end` before that sends the rest at once. */
  finish(label: string, ended: () => void): void {
    this.#onEnd = ended;
    this.#close(label);
    this.#pace.schedule();
  }

  /** Says in the label that the server loads the model, and in how many seconds it is asked again; 0: now. */
  showLoading(leftS: number): void {
    this.#activity.change(leftS === 0 ? LOADING : `${LOADING}, next try in ${leftS} s`);
    this.#pace.schedule();
  }

  /** Sends nothing until the next part: another message stands in the answer's place, which its message then replaces. */
  hold(): void {
    this.#isHeld = true;
    this.#isSent = true;
    this.#sentLabel = undefined;
  }

  /** Drops the answer: sends nothing more. */
  drop(): void {
    this.#activity.stop();
    this.#pace.stop();
  }

  #close(label: string): void {
    if (this.#finalLabel !== undefined) return;
    this.#activity.stop();
    this.#items.end();
    this.#finalLabel = label;
  }

  /** Returns the next frame. The label and the items take turns while the answer runs; the final label is the last frame. */
  #next(isHurried: boolean): object | undefined {
    if (this.#isHeld) return undefined;
    if (this.#sentLabel === undefined) return this.#message(this.#items.takeAll());
    return this.#finalLabel !== undefined || this.#wasLabel
      ? (this.#nextItem(isHurried) ?? this.#nextLabel())
      : (this.#nextLabel() ?? this.#nextItem(isHurried));
  }

  #nextItem(isHurried: boolean): object | undefined {
    const change = this.#items.next(isHurried);
    if (change === undefined) return undefined;
    this.#wasLabel = false;
    if (change.kind === 'replaced') return this.#message(change.items);
    return change.kind === 'item' ? change.item : { text: change.text };
  }

  #nextLabel(): object | undefined {
    const label = this.#label();
    if (label === this.#sentLabel) return undefined;
    this.#wasLabel = true;
    this.#sentLabel = label;
    return { context: label };
  }

  #message(content: readonly AnswerItem[]): Message {
    const { avatar = '' } = this.options;
    this.#sentLabel = this.#label();
    return { id: this.#id, modifier: 'ai', content, context: this.#sentLabel, avatar, seen: true };
  }

  #label(): string {
    return this.#finalLabel ?? `${this.#name} is ${this.#activity.words()}…`;
  }

  #send(frame: object): void {
    if (this.#isSent && isMessage(frame)) this.options.replace(frame);
    else this.options.send(frame);
    this.#isSent = true;
  }

  #whenIdle(): void {
    const call = this.#onEnd;
    this.#onEnd = undefined;
    call?.();
  }
}

const isMessage = (frame: object): frame is Message => 'modifier' in frame;

const THINKING = 'thinking';
const LOADING = 'loading the model';

/** Returns what the model does while its answer runs. */
const activityOf = ({ kind }: AnswerPart, { isThinking }: { readonly isThinking: boolean }): string =>
  isThinking && kind !== 'reasoningEnded' ? THINKING : 'writing';

/** From this time on, the label says how long the model has been thinking. In seconds. */
const LONG_S = 3;
const SECOND_MS = 1000;

/** Creates the activity of an answer: thinking at first. */
function createActivity(clock: Clock) {
  let current = THINKING;
  let since = clock.now();
  let cancel: Cancel | undefined;
  return {
    /** Starts to call `onSecond` each second. */
    start(onSecond: () => void) {
      cancel = every(clock, SECOND_MS, onSecond);
    },
    stop: () => cancel?.(),
    change(next: string) {
      if (next !== current) since = clock.now();
      current = next;
    },
    words(): string {
      const seconds = Math.floor((clock.now() - since) / SECOND_MS);
      return current === THINKING && seconds >= LONG_S ? `${current}, ${seconds} s` : current;
    },
  };
}
