import type { Clock } from '#shared/clock.ts';
import { type AnswerWriter, createAnswerWriter } from '../answer/createAnswerWriter.ts';
import { type EndReason, EndpointError, type Model } from '../endpoint/endpoint.ts';
import {
  type AnswerFigures,
  type AnswerMeter,
  type AnswerOutcome,
  createAnswerMeter,
} from './answerFigures.ts';
import { ASSISTANT, type AnswerPlace, type EndCause, type NewId } from './assistant.ts';
import { currentTopic } from './controlWords.ts';
import {
  LABELS,
  type MarkedMessage,
  WRITING,
  cutNotice,
  cutOffNotice,
  notice,
  shortenedNotice,
} from './markedMessage.ts';
import { avatar } from './pictures.ts';
import { type Task, readQuestion } from './readQuestion.ts';
import { createRetries } from './retryLater.ts';
import { type Adaptation, type ModelSource, streamAnswer } from './streamAnswer.ts';

/** The options of `ModelAnswer`. */
interface ModelAnswerOptions {
  readonly task: Task;
  readonly place: AnswerPlace;
  readonly source: ModelSource;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Returns the label of a complete answer. */
  readonly label: (figures: AnswerFigures) => string;
  readonly onEnd: (figures: AnswerFigures) => void;
}

/** An answer that took longer ends with a notification, so that a person who looked away comes back. */
const NOTIFY_AFTER_MS = 10_000;

const ONLY_REASONING = 'The model sent only its reasoning. Send “again” to ask again.';
const EMPTY = 'The model sent an empty answer. Send “again” to ask again.';
const LENGTH = 'The answer reached the model’s limit. Send “continue” to get the rest.';
const TOOL = 'The model asked for a tool. Parley has none: send “again”, or ask without the tool.';
const FILTERED = 'A content filter of the server ended the answer. Ask in other words.';
const UNEXPECTED = 'The answer failed for an unexpected reason. Send “again” to ask again.';
const CLIPPED =
  'Your message is longer than the model’s context window: only its beginning is sent. Split it to send all of it.';

/** What is said about pictures that a model does not get. */
const NO_IMAGES: Readonly<Record<NonNullable<Adaptation['withoutImages']>, (model: string) => string>> = {
  refused: (model) => `${model} does not accept pictures: it answers without them.`,
  tooLarge: (model) =>
    `The pictures are too large for the server of ${model}: it answers without them. Send a smaller one.`,
};

/** The end of an answer: its label, and a sentence below it or instead of it. */
interface Ending {
  readonly label: string;
  readonly note?: string;
  /** Whether the question has failed. */
  readonly isFailure?: boolean;
}

/**
 * One answer of a model.
 *
 *   waiting ──the first part──▶ writing ──the end or a failure──▶ finishing: the rest, at the pace of updates ──▶ ended
 *   waiting ──a failure──▶ ended
 *   waiting, writing, finishing ──`end`: the rest at once, `drop`──▶ ended
 */
export class ModelAnswer {
  readonly #abort = new AbortController();
  readonly #meter: AnswerMeter;
  #writer: AnswerWriter | null = null;
  #model: Model | null = null;
  #hasReasoned = false;
  #waits = false;
  #state: 'running' | 'finishing' | 'ended' = 'running';

  constructor(private readonly options: ModelAnswerOptions) {
    this.#meter = createAnswerMeter(options.clock);
    void this.#run();
  }

  get hasEnded(): boolean {
    return this.#state === 'ended';
  }

  /** Whether the person has seen a part of the answer. */
  get hasBegun(): boolean {
    return this.#writer?.hasBegun === true;
  }

  /** Ends the answer from outside: sends the rest of what the model has said at once. */
  end(cause: EndCause): void {
    const isRunning = this.#state === 'running';
    this.#state = 'ended';
    this.#abort.abort();
    this.#writer?.end({ label: cause === 'question' ? LABELS.stopped : LABELS.cut });
    if (!isRunning) return;
    if (cause === 'shutdown' && !this.hasBegun) this.options.place.send(cutOffNotice(this.options.newId));
    this.#report(cause === 'question' ? 'stopped' : cause);
  }

  /** Ends the answer of an account that is deleted. */
  drop(): void {
    const isRunning = this.#state === 'running';
    this.#state = 'ended';
    this.#abort.abort();
    this.#writer?.end({ label: LABELS.cut });
    if (isRunning) this.#report('dropped');
  }

  async #run(): Promise<void> {
    try {
      const reason = await this.#answer();
      if (reason === 'length') this.#finish('length', { label: LABELS.cut, note: LENGTH });
      else if (reason === 'filtered') this.#finish('filtered', { label: ASSISTANT, note: FILTERED });
      else if (reason === 'tool') this.#complete(TOOL);
      else if (reason !== null) this.#complete();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Streams the answer; resolves with the reason of its end, or `null` when it has ended already. */
  async #answer(): Promise<EndReason | null> {
    const { task, place, source, newId } = this.options;
    const { signal } = this.#abort;
    const question = await readQuestion({ task, place, endpoint: source.endpoint, newId, signal });
    if (question.refusal !== undefined) this.#finish('unread', { label: ASSISTANT, note: question.refusal });
    if (question.refusal !== undefined || this.#state !== 'running') return null;
    const model = await source.endpoint.model(signal);
    this.#model = model;
    const writer = this.#createWriter(model);
    const onBegin = (adaptation: Adaptation) => this.#announce(adaptation, model);
    const retry = createRetries({ clock: this.options.clock, signal, show: (text) => this.#showWait(text) });
    let reason: EndReason = 'other';
    let endsReasoning = false;
    for await (const part of streamAnswer({ source, model, ...question, signal, retry, onBegin })) {
      if (this.#state !== 'running') return null;
      this.#meter.add(part);
      writer.add(part);
      this.#hasReasoned ||= part.kind === 'reasoning' || part.kind === 'reasoningEnded';
      endsReasoning ||= part.kind === 'reasoningEnded';
      if (part.kind === 'end') ({ reason } = part);
    }
    source.limits(model).reasonsFirst = endsReasoning;
    return this.#state === 'running' ? reason : null;
  }

  #createWriter(model: Model): AnswerWriter {
    const { clock, newId, place, source, task } = this.options;
    const { id } = model;
    const another = task.isAnother === true && { another: true };
    const mark = <T extends object>(message: T) => ({ ...message, model: id, ...another });
    this.#writer = createAnswerWriter({
      clock,
      newId,
      send: (frame) => place.send('modifier' in frame ? mark(frame) : frame),
      replace: (message) => place.replace(mark(message)),
      label: WRITING,
      avatar: avatar(),
      expectsReasoning: source.limits(model).reasonsFirst,
    });
    return this.#writer;
  }

  /** Shows why the answer waits. */
  #showWait(text: string): void {
    const { place, newId } = this.options;
    if (this.#waits) place.send({ text });
    else place.send(notice(newId, text, { action: 'cancel' }));
    this.#waits = true;
  }

  /** Says what the model does not get, before its answer. */
  #announce({ isCut, isClipped, shortened, withoutImages }: Adaptation, { id }: Model): void {
    const { place, newId, task } = this.options;
    const cut = isCut ? cutNotice(newId, currentTopic(place.messages())) : null;
    if (cut !== null) place.send(cut);
    for (const file of shortened) {
      const said = shortenedNotice(newId, place.messages(), file);
      if (said !== null) place.send(said);
    }
    if (isClipped && !task.continues) place.send(notice(newId, CLIPPED));
    if (withoutImages !== null) place.send(notice(newId, NO_IMAGES[withoutImages](id)));
  }

  /** @param without what is said of an answer without text. */
  #complete(without = this.#hasReasoned ? ONLY_REASONING : undefined): void {
    const label = this.options.label(this.#figures('complete'));
    const hasText = this.#writer?.source.trim() !== '';
    this.#finish('complete', { label, ...(!hasText && without !== undefined && { note: without }) });
  }

  #fail(error: unknown): void {
    if (this.#state !== 'running') return;
    const isKnown = error instanceof EndpointError;
    const label = this.#meter.hasParts() ? LABELS.cut : ASSISTANT;
    const note = isKnown ? error.message : UNEXPECTED;
    this.#finish(isKnown ? error.kind : 'unexpected', { label, note, isFailure: true });
  }

  /** Ends the answer at the pace of its updates. An answer that has not begun is only a notice. */
  #finish(outcome: AnswerOutcome, { label, note, isFailure = false }: Ending): void {
    if (this.#state !== 'running') return;
    this.#state = 'finishing';
    const isLong = this.#meter.elapsedMs() > NOTIFY_AFTER_MS;
    this.#report(outcome);
    const ended = () => {
      if (!this.hasBegun) this.#say(note ?? EMPTY, { context: label, ...(isFailure && { failed: true }) });
      if (isLong) this.options.place.send({ notify: true, unlessSeen: true });
      this.#state = 'ended';
    };
    if (this.#writer === null || !this.#meter.hasParts()) ended();
    else this.#writer.finish({ label, ...(note !== undefined && { note }) }, ended);
  }

  #say(text: string, fields: Partial<MarkedMessage>): void {
    this.options.place.send(notice(this.options.newId, text, fields));
  }

  #report(outcome: AnswerOutcome): void {
    this.options.onEnd(this.#figures(outcome));
  }

  #figures(outcome: AnswerOutcome): AnswerFigures {
    return this.#meter.figures(this.#model?.id ?? null, outcome);
  }
}
