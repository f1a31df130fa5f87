import type { Outgoing } from '#shared/protocol/outgoing.ts';
import type { Clock } from '#shared/clock.ts';
import { type AnswerFigures, createUsageDisplay } from './answerFigures.ts';
import type { AnswerPlace, EndCause, NewId } from './assistant.ts';
import { type AssistantWord, type MarkedMessage, notice, readAssistantWord } from './markedMessage.ts';
import { ModelAnswer } from './modelAnswer.ts';
import { type Task, findQuestion, findUnfinished } from './readQuestion.ts';
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

const NOTHING_TO_STOP = 'There is no answer to stop.';
const NO_QUESTION = 'There is no question yet. Write one.';
const NOTHING_TO_CONTINUE = 'There is nothing to continue: the last answer is complete.';

/** Returns whether a message is the word that has just stopped an answer: two windows can send it at once. */
const isStop = (message: MarkedMessage | undefined): boolean =>
  message?.modifier === 'client' && readAssistantWord(message.content?.[0]?.text) === 'stop';

/** Creates the assistant of one conversation. It understands the words `stop`, `again`, `continue` and `usage`. */
export function createModelAssistant({ clock, newId, onAnswer }: ModelAssistantOptions): ModelAssistant {
  let running: ModelAnswer | null = null;
  /** Whether the newest message of the person has ended an answer. */
  let interrupts = false;
  const usage = createUsageDisplay();

  const onEnd = (figures: AnswerFigures) => {
    usage.add(figures);
    onAnswer(figures);
  };
  const say = (place: AnswerPlace, text: string) => place.send(notice(newId, text));
  /** Starts the answer, or says why there is none. */
  const start = (task: Task | string, { place, source }: Target) => {
    if (typeof task === 'string') say(place, task);
    else
      running = new ModelAnswer({ task, place, source, clock, newId, interrupts, label: usage.label, onEnd });
  };
  const obey = (word: AssistantWord, target: Target) => {
    const messages = target.place.messages();
    switch (word) {
      case 'stop':
        return interrupts || isStop(messages.at(-2)) ? undefined : say(target.place, NOTHING_TO_STOP);
      case 'usage':
        return say(target.place, usage.toggle());
      case 'again':
        return start(findQuestion(messages) ?? NO_QUESTION, target);
      case 'continue':
        return start(findUnfinished(messages) ?? NOTHING_TO_CONTINUE, target);
      default:
        return word satisfies never;
    }
  };

  return {
    answer(question, place, source) {
      const word = question.category === 'text' ? readAssistantWord(question.text) : null;
      if (word !== null) obey(word, { place, source });
      else start({ messages: place.messages(), continues: false }, { place, source });
    },
    end(cause) {
      interrupts = running !== null && !running.hasEnded;
      running?.end(cause);
      running = null;
    },
    drop: () => running?.drop(),
  };
}
