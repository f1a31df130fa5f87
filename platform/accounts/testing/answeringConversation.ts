import { EventEmitter, on } from 'node:events';
import { virtualClock } from '#shared/clock.ts';
import type { Outgoing } from '#shared/protocol/outgoing.ts';
import type { Message } from '#shared/protocol/update.ts';
import type { ConversationSocket } from '../conversationSockets.ts';
import { createLiveConversation } from '../liveConversation.ts';
import type { AnswerFigures } from '../../assistant/answerFigures.ts';
import { createAssistantHolder } from '../../assistant/assistant.ts';
import { createAssistants } from '../../assistant/createAssistants.ts';
import type { Endpoint, AnswerPart, ChatMessage, Model } from '../../endpoint/endpoint.ts';
import { foldedFrames, recordingLogger } from '../../testing/observers.ts';

const SETTINGS = { url: 'http://127.0.0.1:11434/v1', model: null, key: null, prompt: 'Be brief.' };

type Messages = readonly Message[];

/** Creates a live conversation that this endpoint answers, with one socket and a virtual clock. */
export function answeringConversation(endpoint: Endpoint, messages: Messages = [], clock = virtualClock()) {
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
  const objects = { clock, holder, figures, logged, assistants, live, ada };
  return {
    ...objects,
    /** Sends a text of the person; resolves when its request has been made. */
    say(words: string) {
      live.receive({ category: 'text', text: words, blob: null });
      return settled();
    },
    /** Returns the conversation as modifier, label and texts. */
    shown: () =>
      ada
        .conversation()
        .messages.map(({ modifier, context, content = [] }) =>
          [modifier, context].concat(content.map((item) => item.text ?? undefined)),
        ),
  };
}

/** Creates such a conversation with an endpoint whose answers the test sends, and what the tests of answers do. */
export function conversation(messages: Messages = [], endpoint: ManualEndpoint = manualEndpoint()) {
  const tested = answeringConversation(endpoint, messages);
  const { clock, ada, live } = tested;
  const wait = (ms: number) => {
    clock.advance(ms);
    return settled();
  };
  /** Sends parts of the newest answer; resolves when they have been taken. */
  const send = (...parts: readonly AnswerPart[]) => {
    for (const part of parts) endpoint.chats.at(-1)?.send(part);
    return settled();
  };
  return {
    ...tested,
    endpoint,
    wait,
    send,
    async answer(...parts: readonly AnswerPart[]) {
      await send(...parts, END);
      clock.advance(1000);
    },
    fail(error: unknown) {
      endpoint.chats.at(-1)?.fail(error);
      return settled();
    },
    /** Sends something other than a text; a file waits for the question about it. */
    async receive(outgoing: Outgoing) {
      live.receive(outgoing);
      await wait(outgoing.category === 'audio' ? 0 : 3000);
    },
    /** Returns what the newest request contains, without the prompt. */
    sent: () => endpoint.chats.at(-1)?.messages.slice(1),
    /** Returns the contents of every request, without the prompt. */
    requests: () => endpoint.chats.map(({ messages: all }) => all.slice(1).map(({ content }) => content)),
    newest: () => ada.conversation().messages.at(-1),
    kinds: () => ada.updates.map(({ kind }) => kind),
  };
}

/** Creates a socket that folds the frames that it receives, as a client does. */
export function foldingSocket() {
  const folded = foldedFrames();
  /** How the platform has ended it: the code and the reason of each close, or `terminated`. */
  const ends: unknown[] = [];
  const socket: ConversationSocket = {
    send: folded.take,
    close: (code, reason) => void ends.push([code, reason]),
    terminate: () => void ends.push('terminated'),
  };
  return { socket, updates: folded.updates, ends, conversation: folded.conversation };
}

/** A request for an answer, whose parts the test sends; `end` also ends the answer. */
interface ManualChat {
  readonly messages: readonly ChatMessage[];
  readonly signal: AbortSignal;
  send(part: AnswerPart): void;
  fail(error: unknown): void;
}

/** An endpoint whose answers the test controls. */
export interface ManualEndpoint extends Endpoint {
  readonly chats: readonly ManualChat[];
}

/** Resolves when everything that waits for no timer and no I/O has run. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Creates an endpoint with one model. */
export function manualEndpoint(model: Model = { id: 'stub', contextTokens: null }): ManualEndpoint {
  const chats: ManualChat[] = [];
  return {
    chats,
    model: async () => model,
    models: async () => [model],
    transcribe: async () => 'What was said.',
    chat(messages, { signal }) {
      const { iterate, ...control } = createParts(signal);
      chats.push({ messages, signal, ...control });
      return iterate();
    },
  };
}

/** Creates a stream of parts that ends with `end`, an error or the signal. */
function createParts(signal: AbortSignal) {
  const events = new EventEmitter();
  const parts = on(events, 'part', { signal });
  return {
    send: (part: AnswerPart) => void events.emit('part', part),
    fail: (error: unknown) => void events.emit('error', error),
    async *iterate(): AsyncGenerator<AnswerPart> {
      for await (const [part] of parts) {
        yield part;
        if (part.kind === 'end') return;
      }
    },
  };
}

/** Returns a text file. */
export const file = (name: string, content: string): Outgoing => ({
  category: 'file',
  text: name,
  blob: Buffer.from(content).toString('base64'),
});

/** Returns a part of the text. */
export const text = (words: string): AnswerPart => ({ kind: 'text', text: words });
/** Returns a part of the reasoning. */
export const reasoning = (words: string): AnswerPart => ({ kind: 'reasoning', text: words });
/** Returns a message of the person, and one of the model, as the endpoint gets it. */
export const user = (content: unknown) => ({ role: 'user', content });
export const assistant = (content: string) => ({ role: 'assistant', content });
/** The end of a complete answer. */
export const END: AnswerPart = { kind: 'end', reason: 'stop' };
