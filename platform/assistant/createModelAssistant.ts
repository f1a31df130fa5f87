import type { Outgoing } from '#shared/protocol/outgoing.ts';
import type { Message } from '#shared/protocol/update.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import { type AnswerFigures, createUsageDisplay } from './answerFigures.ts';
import type { AnswerPlace, EndCause, NewId } from './assistant.ts';
import { type ControlWord, readAssistantWord, readNewTopic } from './controlWords.ts';
import { cutOffNotice, notice, stoppedNotice } from './markedMessage.ts';
import { ModelAnswer } from './modelAnswer.ts';
import { type Task, findQuestion, findUnfinished, refusalOf } from './readQuestion.ts';
import type { ModelSource } from './streamAnswer.ts';

/** The options of `createModelAssistant`. */
interface ModelAssistantOptions {
  readonly clock: Clock;
  readonly newId: NewId;
  /** Called at the end of every answer. */
  readonly onAnswer: (figures: AnswerFigures) => void;
}

/** The assistant of one conversation whose answers come from an endpoint. */
interface ModelAssistant {
  /** Returns what a text does now instead of being a message; `null`: it is a message. */
  readWord(text: string, messages: readonly Message[]): ControlWord | null;
  /** Does what a word says. */
  obey(word: ControlWord, place: AnswerPlace, source: ModelSource): void;
  /** Starts the answer from this source. Settings that change later do not change it. */
  answer(question: Outgoing, place: AnswerPlace, source: ModelSource): void;
  end(cause: EndCause): void;
  drop(): void;
}

/** Where an answer goes, and where it comes from. */
interface Target {
  readonly place: AnswerPlace;
  readonly source: ModelSource;
}

/** A file waits this long for further files, and for the question about them. */
const GATHER_MS = 3000;
/** Two windows can send the same word at once, and `stop` when the answer has just ended: then it does nothing. */
const SAME_MS = 1000;

/**
 * Creates the assistant of one conversation.
 *
 *   idle ──a file──▶ gathering ──3 s, or another message──▶ answering
 *   idle ──another message, `again`, `continue`──▶ answering
 *   gathering ──a file──▶ gathering
 *   gathering, answering ──`stop`, `new topic`, the end──▶ idle
 */
export function createModelAssistant({ clock, newId, onAnswer }: ModelAssistantOptions): ModelAssistant {
  let running: ModelAnswer | null = null;
  let gathering: { readonly place: AnswerPlace; readonly cancel: Cancel } | null = null;
  /** What the newest message of the person has ended: an answer, or the wait for more files. */
  let interrupted: 'nothing' | 'answer' | 'files' = 'nothing';
  /** The last word that was done. */
  let done: { readonly word: ControlWord; readonly at: number } | null = null;
  const usage = createUsageDisplay();

  const setDone = (word: ControlWord) => void (done = { word, at: clock.now() });
  const isDone = (word: ControlWord) => done?.word === word && clock.now() - done.at < SAME_MS;
  const isRunning = () => gathering !== null || running?.hasEnded === false;
  const onEnd = (figures: AnswerFigures) => {
    setDone('stop');
    usage.add(figures);
    onAnswer(figures);
  };
  const say = (place: AnswerPlace, text: string) => place.send(notice(newId, text));
  const start = (task: Task | null, { place, source }: Target) => {
    if (task === null) return;
    const interrupts = interrupted === 'answer';
    running = new ModelAnswer({ task, place, source, clock, newId, interrupts, label: usage.label, onEnd });
  };
  /** Answers everything that has been said since the last answer. */
  const answerAll = (target: Target) =>
    start({ messages: target.place.messages(), continues: false }, target);
  const gather = (target: Target) => {
    const cancel = clock.after(GATHER_MS, () => {
      gathering = null;
      answerAll(target);
    });
    gathering = { place: target.place, cancel };
  };

  return {
    readWord(text, messages) {
      const word = readAssistantWord(text);
      switch (word) {
        case null:
        case 'usage':
          return null;
        case 'new topic':
          return readNewTopic(messages);
        case 'stop':
        case 'cancel':
          if (isRunning()) return 'stop';
          return isDone('stop') ? 'nothing' : null;
        case 'again':
        case 'continue': {
          if (isDone(word)) return 'nothing';
          const find = word === 'again' ? findQuestion : findUnfinished;
          return find(messages) === null ? null : word;
        }
        default:
          return word satisfies never;
      }
    },
    obey(word, place, source) {
      setDone(word);
      const messages = place.messages();
      if (word === 'stop' && interrupted === 'files') place.send(stoppedNotice(newId));
      else if (word === 'again') start(findQuestion(messages), { place, source });
      else if (word === 'continue') start(findUnfinished(messages), { place, source });
    },
    answer(question, place, source) {
      const { category, text } = question;
      const refusal = refusalOf(question);
      const isFile = category === 'file' || category === 'image';
      if (category === 'text' && readAssistantWord(text) === 'usage') say(place, usage.toggle());
      else if (isFile && (refusal === null || interrupted === 'files')) {
        if (refusal !== null) say(place, refusal);
        gather({ place, source });
      } else answerAll({ place, source });
    },
    end(cause) {
      if (gathering !== null) {
        gathering.cancel();
        interrupted = 'files';
        setDone('stop');
        if (cause === 'shutdown') gathering.place.send(cutOffNotice(newId));
        gathering = null;
        return;
      }
      interrupted = running?.hasEnded === false ? 'answer' : 'nothing';
      running?.end(cause);
      running = null;
    },
    drop() {
      gathering?.cancel();
      running?.drop();
    },
  };
}
