import type { Logger } from 'pino';
import type { Message } from '#shared/protocol/update.ts';
import type { Clock } from '#shared/clock.ts';
import type { EndpointSettings } from '../endpoint/endpointSettings.ts';
import type { Assistant, AssistantHolder, Assistants, NewId } from './assistant.ts';
import { BUTTON_WORDS } from './controlWords.ts';
import { notice } from './markedMessage.ts';
import { createDemonstrations } from './demonstration.ts';
import type { AnswerFigures } from './answerFigures.ts';
import { ModelAssistant } from './modelAssistant.ts';
import { type OpenEndpoint, createModelSources } from './streamAnswer.ts';
import { divider } from './topics.ts';

/** The options of `createAssistants`. */
interface AssistantsOptions {
  readonly holder: AssistantHolder;
  readonly openEndpoint: OpenEndpoint;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly logger: Logger;
  /** Called at the end of every answer of a model, for the metrics. */
  readonly onAnswer?: ((figures: AnswerFigures) => void) | undefined;
}

/** Creates the assistants of a platform: for each answer, the settings of the moment decide whether a model gives it or the demonstration. */
export function createAssistants(options: AssistantsOptions): Assistants {
  const { holder, openEndpoint, clock, newId } = options;
  const demonstrations = createDemonstrations({ clock, newId });
  const sourceOf = createModelSources(openEndpoint, clock);
  const onAnswer = (figures: AnswerFigures) => {
    log(options.logger, figures);
    options.onAnswer?.(figures);
  };

  const create = (): Assistant => {
    const demonstration = demonstrations.create();
    const model = new ModelAssistant({ clock, newId, onAnswer });
    return {
      get words() {
        return holder.get() === null ? demonstration.words : BUTTON_WORDS;
      },
      readWord: (text, messages) => (holder.get() === null ? demonstration : model).readWord(text, messages),
      obey(word, place) {
        const settings = holder.get();
        if (word === 'new topic') place.send(divider(newId));
        else if (settings !== null) model.obey(word, place, sourceOf(settings));
      },
      answer(question, place) {
        const settings = holder.get();
        if (settings === null) demonstration.answer(question, place);
        else model.answer(question, place, sourceOf(settings));
      },
      end(cause) {
        demonstration.end(cause);
        model.end(cause);
      },
      drop() {
        demonstration.drop();
        model.drop();
      },
    };
  };
  return {
    greeting(person) {
      const settings = holder.get();
      return settings === null ? demonstrations.greeting(person) : greeting(person, settings, newId);
    },
    create,
  };
}

/** Returns the first message of a model's assistant: who answers, and the words. */
function greeting(person: string, { url, model }: EndpointSettings, newId: NewId): Message {
  const who = model ?? 'the first model';
  return notice(
    newId,
    `Hello, ${person}. Your messages are answered by ${who} of ${new URL(url).host}. ` +
      'Send “stop” to end an answer, “again” for another one, or “continue” after a cut.',
  );
}

/** Logs one line for an answer, without texts and identifiers. */
function log(logger: Logger, { durationMs, firstTokenMs, ...figures }: AnswerFigures): void {
  const rounded = {
    durationMs: Math.round(durationMs),
    firstTokenMs: firstTokenMs && Math.round(firstTokenMs),
  };
  logger.info({ ...figures, ...rounded }, 'an answer ended');
}
