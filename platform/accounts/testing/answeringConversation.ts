import type { Message } from '#shared/protocol/update.ts';
import { virtualClock } from '#shared/clock.ts';
import { createAssistantHolder } from '../../assistant/assistant.ts';
import type { AnswerFigures } from '../../assistant/answerFigures.ts';
import { createAssistants } from '../../assistant/createAssistants.ts';
import type { Endpoint } from '../../endpoint/endpoint.ts';
import type { EndpointSettings } from '../../endpoint/endpointSettings.ts';
import { recordingLogger } from '../../testing/recordingLogger.ts';
import { createLiveConversation } from '../liveConversation.ts';
import { foldingSocket } from './foldingSocket.ts';
import { settled } from './manualEndpoint.ts';

/** Settings of an endpoint that is never reached. */
export const SETTINGS: EndpointSettings = {
  url: 'http://127.0.0.1:11434/v1',
  model: null,
  key: null,
  prompt: 'Be brief.',
};

/** Creates a live conversation that this endpoint answers, with one socket and a virtual clock. */
export function answeringConversation(
  endpoint: Endpoint,
  messages: readonly Message[] = [],
  clock = virtualClock(),
) {
  const holder = createAssistantHolder(SETTINGS);
  const figures: AnswerFigures[] = [];
  const { logger, logged } = recordingLogger();
  let ids = 0;
  const newId = () => `m${ids++}`;
  const onAnswer = (answer: AnswerFigures) => void figures.push(answer);
  const assistants = createAssistants({
    holder,
    openEndpoint: () => endpoint,
    clock,
    newId,
    logger,
    onAnswer,
  });
  const live = createLiveConversation({
    conversation: { person: 'Ada Lovelace', messages },
    assistant: assistants.create(),
    newId,
    commit: (_, committed) => committed(),
    clock,
    now: () => clock.now(),
  });
  const ada = foldingSocket();
  live.addSocket(ada.socket);
  return {
    clock,
    holder,
    figures,
    logged,
    assistants,
    live,
    ada,
    /** Sends a text of the person; resolves when its request has been made. */
    async say(text: string) {
      live.receive({ category: 'text', text, blob: null });
      await settled();
    },
    /** Returns the conversation as modifier, label and texts. */
    shown: () =>
      ada
        .conversation()
        .messages.map(({ modifier, context, content = [] }) =>
          [modifier, context].concat(content.map(({ text }) => text ?? undefined)),
        ),
  };
}
