import type { Clock } from '#shared/clock.ts';
import { AnswerWriter } from '../answer/answerWriter.ts';
import { type EndReason, EndpointError, type EndpointErrorKind, type Model } from '../endpoint/endpoint.ts';
import {
  type AnswerFigures,
  type AnswerMeter,
  type AnswerOutcome,
  createAnswerMeter,
} from './answerFigures.ts';
import { ASSISTANT, type AnswerPlace, type EndCause, type NewId } from './assistant.ts';
import {
  type MarkedMessage,
  cutLabel,
  cutNotice,
  cutOffNotice,
  notice,
  shortenedNotice,
  stoppedLabel,
  stoppedNotice,
} from './markedMessage.ts';
import { avatar } from './pictures.ts';
import { type Task, readQuestion } from './readQuestion.ts';
import { type RetryLater, type Wait, createRetries } from './retryLater.ts';
import { type Adaptation, type ModelSource, streamAnswer } from './streamAnswer.ts';
import { currentTopic } from './topics.ts';

/** The options of `ModelAnswer`. */
interface ModelAnswerOptions {
  readonly task: Task;
  readonly place: AnswerPlace;
  readonly source: ModelSource;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Whether the question has ended another answer, whose last updates the client still shows. */
  readonly interrupts: boolean;
  /** Returns the label of a complete answer of the model with this name. */
  readonly label: (name: string, figures: AnswerFigures) => string;
  readonly onEnd: (figures: AnswerFigures) => void;
}

/** An answer that took longer ends with a notification, so that a person who looked away comes back. */
const NOTIFY_AFTER_MS = 10_000;
/** The pause before the message of an answer that interrupts another one: what was left of that is shown in this time. */
const INTERRUPTING_MS = 250;

/** What the platform says after an answer, or in place of an empty one. */
interface Said extends Pick<MarkedMessage, 'action' | 'failed'> {
  readonly text: string;
}

const ONLY_REASONING: Said = {
  text: 'The model sent only its reasoning. Send “again” to ask again.',
  action: 'again',
};
const EMPTY: Said = { text: 'The model sent an empty answer. Send “again” to ask again.', action: 'again' };
const LENGTH: Said = {
  text: 'The answer reached the model’s limit. Send “continue” to get the rest.',
  action: 'continue',
};
const TOOL: Said = {
  text: 'The model asked for a tool. Parley has none: send “again”, or ask without the tool.',
  action: 'again',
};
const FILTERED: Said = {
  text: 'A content filter of the server ended the answer. Ask in other words.',
  action: 'again',
};
const UNEXPECTED = 'The answer failed for an unexpected reason. Send “again” to ask again.';
const CLIPPED =
  'Your message is longer than the model’s context window: only its beginning was sent. Split it to send all of it.';

/** What is said about pictures that a model does not get. */
const NO_IMAGES: Readonly<Record<NonNullable<Adaptation['withoutImages']>, (model: string) => string>> = {
  refused: (model) => `${model} does not accept pictures: it answers without them.`,
  tooLarge: (model) =>
    `The pictures are too large for the server of ${model}: it answers without them. Send a smaller one.`,
};

/** Returns what a notice says while an answer waits. */
function waitText({ kind, leftS }: Wait): string {
  const others = kind === 'rateLimited' ? 'The server limits the requests.' : 'The server is busy.';
  const reason = kind === 'loading' ? 'The server loads the model.' : others;
  return `${reason} Trying again ${leftS === 0 ? 'now' : `in ${leftS} s`}.`;
}

/** Failures that another setting solves. */
const BY_SETTINGS: ReadonlySet<EndpointErrorKind> = new Set([
  'notFound',
  'unauthorized',
  'unknownModel',
  'tls',
  'contextTooLong',
  'unsupported',
  'rejected',
]);

/**
 * One answer of a model. Its message is sent as soon as the question was read; what there is to say about it follows its last update.
 *
 *   waiting ──the first words──▶ writing ──the end or a failure──▶ finishing: the rest, at the pace of updates ──▶ ended
 *   waiting ──the end, a failure or `end`: a notice replaces the message──▶ ended
 *   writing, finishing ──`end`: the rest at once, `drop`──▶ ended
 */
export class ModelAnswer {
  readonly #abort = new AbortController();
  readonly #meter: AnswerMeter;
  #writer: AnswerWriter | null = null;
  #model: Model | null = null;
  #adaptation: Adaptation | null = null;
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

  /** Ends the answer from outside: sends the rest of what the model has said at once. */
  end(cause: EndCause): void {
    const isRunning = this.#state === 'running';
    const isStop = cause === 'question';
    this.#abort.abort();
    if (!isRunning) this.#writer?.end(this.#name);
    else if (this.#hasContent) {
      this.#writer?.end(isStop ? stoppedLabel(this.#name) : cutLabel(this.#name));
      this.#announce();
    } else this.#replace((isStop ? stoppedNotice : cutOffNotice)(this.options.newId));
    this.#state = 'ended';
    if (isRunning) this.#report(isStop ? 'stopped' : cause);
  }

  /** Ends the answer of an account that is deleted. */
  drop(): void {
    const isRunning = this.#state === 'running';
    this.#state = 'ended';
    this.#abort.abort();
    this.#writer?.drop();
    if (isRunning) this.#report('dropped');
  }

  async #run(): Promise<void> {
    try {
      const reason = await this.#answer();
      if (reason === 'length') this.#finish('length', cutLabel(this.#name), LENGTH);
      else if (reason === 'filtered') this.#finish('filtered', this.#name, FILTERED);
      else if (reason !== null) this.#complete(reason === 'tool' ? TOOL : undefined);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Streams the answer; resolves with the reason of its end, or `null` when it has ended already. */
  async #answer(): Promise<EndReason | null> {
    const { task, place, source, clock, newId } = this.options;
    const { signal } = this.#abort;
    const question = await readQuestion({ task, place, endpoint: source.endpoint, newId, signal });
    if (question.refusal !== undefined) this.#finish('unread', '', { text: question.refusal });
    if (question.refusal !== undefined || this.#state !== 'running') return null;
    const writer = this.#createWriter();
    const retry = createRetries({ clock, signal, show: (wait) => this.#showWait(wait) });
    const model = await this.#findModel(retry);
    this.#model = model;
    source.name = model.id;
    if (this.#state === 'running') writer.name = model.id;
    const onBegin = (adaptation: Adaptation) => void (this.#adaptation = adaptation);
    let reason: EndReason = 'other';
    for await (const part of streamAnswer({ source, model, ...question, signal, retry, onBegin })) {
      if (this.#state !== 'running') return null;
      this.#meter.add(part);
      writer.add(part);
      this.#hasReasoned ||= part.kind === 'reasoning' || part.kind === 'reasoningEnded';
      if (part.kind === 'end') ({ reason } = part);
    }
    return this.#state === 'running' ? reason : null;
  }

  /** Returns the model. A server that loads it can refuse to list it. */
  async #findModel(retry: RetryLater): Promise<Model> {
    for (;;) {
      try {
        return await this.options.source.endpoint.model(this.#abort.signal);
      } catch (error) {
        if (!(await retry(error))) throw error;
      }
    }
  }

  /** Shows why the answer waits, until its first part: in its label that the server loads the model, otherwise in place of its message. */
  #showWait(wait: Wait): void {
    const { place, newId } = this.options;
    if (wait.kind === 'loading' && !this.#waits) return this.#writer?.showLoading(wait.leftS);
    const text = waitText(wait);
    if (this.#waits) return place.send({ text });
    this.#waits = true;
    this.#put(notice(newId, text, { action: 'cancel' }));
    this.#writer?.hold();
  }

  #createWriter(): AnswerWriter {
    const { clock, newId, place, source, interrupts, task } = this.options;
    const mark = <T extends object>(message: T) => ({
      ...message,
      model: this.#model?.id ?? source.name ?? '',
      ...(task.isAnother === true && { another: true }),
    });
    this.#writer = new AnswerWriter({
      clock,
      newId,
      name: source.name ?? ASSISTANT,
      avatar: avatar(),
      delayMs: interrupts ? INTERRUPTING_MS : 0,
      send: (frame) => place.send('modifier' in frame ? mark(frame) : frame),
      replace: (message) => place.replace(mark(message)),
    });
    return this.#writer;
  }

  get #name(): string {
    return this.#writer?.name ?? ASSISTANT;
  }

  get #hasContent(): boolean {
    return this.#writer?.hasContent === true;
  }

  /** Says what the model did not get. */
  #announce(): void {
    const { place, newId, task } = this.options;
    if (this.#adaptation === null) return;
    const { isCut, isClipped, shortened, withoutImages } = this.#adaptation;
    const cut = isCut ? cutNotice(newId, currentTopic(place.messages())) : null;
    if (cut !== null) place.send(cut);
    for (const file of shortened) {
      const said = shortenedNotice(newId, place.messages(), file);
      if (said !== null) place.send(said);
    }
    if (isClipped && !task.continues) place.send(notice(newId, CLIPPED));
    if (withoutImages !== null) place.send(notice(newId, NO_IMAGES[withoutImages](this.#name)));
  }

  /** @param without what is said of an answer without text. */
  #complete(without = this.#hasReasoned ? ONLY_REASONING : undefined): void {
    const label = this.options.label(this.#name, this.#figures('complete'));
    this.#finish('complete', label, this.#writer?.hasText === true ? undefined : without);
  }

  #fail(error: unknown): void {
    if (this.#state !== 'running') return;
    const kind = error instanceof EndpointError ? error.kind : 'unexpected';
    const text = error instanceof EndpointError ? error.message : UNEXPECTED;
    const retry = this.#hasContent ? 'continue' : 'again';
    const action = kind !== 'unexpected' && BY_SETTINGS.has(kind) ? 'settings' : retry;
    this.#finish(kind, cutLabel(this.#name), { text, action, ...(!this.#hasContent && { failed: true }) });
  }

  /** Ends the answer at the pace of its updates. A notice replaces the message of an answer without words. */
  #finish(outcome: AnswerOutcome, label: string, said?: Said): void {
    if (this.#state !== 'running') return;
    this.#state = 'finishing';
    const { place } = this.options;
    const isLong = this.#meter.elapsedMs() > NOTIFY_AFTER_MS;
    const hasContent = this.#hasContent;
    this.#report(outcome);
    const ended = () => {
      this.#state = 'ended';
      if (!hasContent) this.#replace(this.#notice(said ?? EMPTY));
      // It shows the newest message.
      if (isLong) place.send({ notify: true, unlessSeen: true });
      if (hasContent && said !== undefined) place.send(this.#notice(said));
      this.#announce();
    };
    if (hasContent) this.#writer?.finish(label, ended);
    else ended();
  }

  #notice({ text, ...fields }: Said): MarkedMessage {
    return notice(this.options.newId, text, fields);
  }

  /** Replaces the message by a notice. */
  #replace(said: MarkedMessage): void {
    this.#writer?.drop();
    this.#put(said);
  }

  /** Puts a notice where the message is, or will be. */
  #put(said: MarkedMessage): void {
    const { place } = this.options;
    if (this.#writer?.isSent === true) place.replace(said);
    else place.send(said);
  }

  #report(outcome: AnswerOutcome): void {
    this.options.onEnd(this.#figures(outcome));
  }

  #figures(outcome: AnswerOutcome): AnswerFigures {
    return this.#meter.figures(this.#model?.id ?? null, outcome);
  }
}
