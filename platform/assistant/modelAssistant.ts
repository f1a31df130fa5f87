import type { Outgoing } from '#shared/protocol/outgoing.ts';
import type { Message } from '#shared/protocol/update.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import { type AnswerFigures, createUsageDisplay } from './answerFigures.ts';
import type { AnswerPlace, EndCause, NewId } from './assistant.ts';
import { type ControlWord, readAssistantWord } from './controlWords.ts';
import { cutOffNotice, notice, stoppedNotice } from './markedMessage.ts';
import { ModelAnswer } from './modelAnswer.ts';
import { type Task, findQuestion, findUnfinished, refusalOf } from './readQuestion.ts';
import type { ModelSource } from './streamAnswer.ts';
import { readNewTopic } from './topics.ts';

/** The options of `ModelAssistant`. */
interface ModelAssistantOptions {
  readonly clock: Clock;
  readonly newId: NewId;
  /** Called at the end of every answer. */
  readonly onAnswer: (figures: AnswerFigures) => void;
}

/** A file waits this long for further files, and for the question about them (contract §9). */
const GATHER_MS = 3000;
/** Two windows can send the same word at once, and `stop` when the answer has just ended: then it does nothing. */
const SAME_MS = 1000;

/**
 * The assistant of one conversation whose answers come from an endpoint.
 *
 *   idle ──a file──▶ gathering ──3 s, or another message──▶ answering
 *   idle ──another message, `again`, `continue`──▶ answering
 *   gathering ──a file──▶ gathering
 *   gathering, answering ──`stop`, `new topic`, the end──▶ idle
 */
export class ModelAssistant {
  #running: ModelAnswer | null = null;
  #gathering: { readonly place: AnswerPlace; readonly cancel: Cancel } | null = null;
  /** What the newest message of the person has ended: an answer, or the wait for more files. */
  #interrupted: 'nothing' | 'answer' | 'files' = 'nothing';
  /** The last word that was done. */
  #done: { readonly word: ControlWord; readonly at: number } | null = null;
  readonly #usage = createUsageDisplay();

  constructor(private readonly options: ModelAssistantOptions) {}

  /** Returns what a text does now instead of being a message; `null`: it is a message. */
  readWord(text: string, messages: readonly Message[]): ControlWord | null {
    const word = readAssistantWord(text);
    switch (word) {
      case null:
      case 'usage':
        return null;
      case 'new topic':
        return readNewTopic(messages);
      case 'stop':
      case 'cancel':
        if (this.#gathering !== null || this.#running?.hasEnded === false) return 'stop';
        return this.#isDone('stop') ? 'nothing' : null;
      case 'edit':
        return findQuestion(messages) === null ? null : word;
      case 'again':
      case 'continue': {
        if (this.#isDone(word)) return 'nothing';
        const find = word === 'again' ? findQuestion : findUnfinished;
        return find(messages) === null ? null : word;
      }
      default:
        return word satisfies never;
    }
  }

  /** Does what a word says, with an answer from this source if there is one. */
  obey(word: ControlWord, place: AnswerPlace, source: ModelSource): void {
    this.#setDone(word);
    if (word === 'stop' && this.#interrupted === 'files') place.send(stoppedNotice(this.options.newId));
    const find = word === 'again' ? findQuestion : findUnfinished;
    const task = word === 'again' || word === 'continue' ? find(place.messages()) : null;
    if (task !== null) this.#start(task, place, source);
  }

  /** Starts the answer from this source. Settings that change later do not change it. */
  answer(question: Outgoing, place: AnswerPlace, source: ModelSource): void {
    const { category, text } = question;
    if (category === 'text' && readAssistantWord(text) === 'usage') this.#say(place, this.#usage.toggle());
    else if (category === 'text' || category === 'audio') this.#answerAll(place, source);
    else {
      const refusal = refusalOf(question);
      if (refusal !== null && this.#interrupted !== 'files') return this.#answerAll(place, source);
      if (refusal !== null) this.#say(place, refusal);
      this.#gather(place, source);
    }
  }

  /** Ends the running answer, or the wait for more files. */
  end(cause: EndCause): void {
    if (this.#gathering === null) {
      this.#interrupted = this.#running?.hasEnded === false ? 'answer' : 'nothing';
      this.#running?.end(cause);
      this.#running = null;
      return;
    }
    const { place, cancel } = this.#gathering;
    cancel();
    this.#gathering = null;
    this.#interrupted = 'files';
    this.#setDone('stop');
    if (cause === 'shutdown') place.send(cutOffNotice(this.options.newId));
  }

  /** Ends everything without another update. */
  drop(): void {
    this.#gathering?.cancel();
    this.#running?.drop();
  }

  #gather(place: AnswerPlace, source: ModelSource): void {
    const cancel = this.options.clock.after(GATHER_MS, () => {
      this.#gathering = null;
      this.#interrupted = 'nothing';
      this.#answerAll(place, source);
    });
    this.#gathering = { place, cancel };
  }

  /** Answers everything that has been said since the last answer. */
  #answerAll(place: AnswerPlace, source: ModelSource): void {
    this.#start({ messages: place.messages(), continues: false }, place, source);
  }

  #start(task: Task, place: AnswerPlace, source: ModelSource): void {
    const { clock, newId, onAnswer } = this.options;
    const onEnd = (figures: AnswerFigures) => {
      this.#setDone('stop');
      this.#usage.add(figures);
      onAnswer(figures);
    };
    const interrupts = this.#interrupted === 'answer';
    const { label } = this.#usage;
    this.#running = new ModelAnswer({ task, place, source, clock, newId, interrupts, label, onEnd });
  }

  #say(place: AnswerPlace, text: string): void {
    place.send(notice(this.options.newId, text));
  }

  #setDone(word: ControlWord): void {
    this.#done = { word, at: this.options.clock.now() };
  }

  #isDone(word: ControlWord): boolean {
    return this.#done?.word === word && this.options.clock.now() - this.#done.at < SAME_MS;
  }
}
