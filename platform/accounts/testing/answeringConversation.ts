import { EventEmitter, on } from 'node:events';
import { type VirtualClock, virtualClock } from '#shared/clock.ts';
import type { Outgoing } from '#shared/protocol/outgoing.ts';
import type { Message } from '#shared/protocol/update.ts';
import type { ConversationSocket } from '../conversationSockets.ts';
import { createLiveConversation } from '../liveConversation.ts';
import type { AnswerFigures } from '../../assistant/answerFigures.ts';
import { createAssistantHolder } from '../../assistant/assistant.ts';
import { createAssistants } from '../../assistant/createAssistants.ts';
import type { Endpoint, AnswerPart, ChatMessage, Model } from '../../endpoint/endpoint.ts';
import { foldedFrames, recordingLogger } from '../../testing/observers.ts';

type Recorder = (what: string, value: object) => void;
const ignore: Recorder = () => undefined;

const SETTINGS = { url: 'http://127.0.0.1:11434/v1', model: null, key: null, prompt: 'Be brief.' };

/** Creates a live conversation that this endpoint answers, with one socket and a virtual clock. */
export function answeringConversation(
  endpoint: Endpoint,
  messages: readonly Message[] = [],
  { clock = virtualClock(), record = ignore }: { clock?: VirtualClock; record?: Recorder } = {},
) {
  const holder = createAssistantHolder(SETTINGS);
  const figures: AnswerFigures[] = [];
  const { logger, logged } = recordingLogger();
  let ids = 0;
  const newId = () => `m${ids++}`;
  const onAnswer = (answer: AnswerFigures) => {
    figures.push(answer);
    record('figures', answer);
  };
  const openEndpoint = () => endpoint;
  const assistants = createAssistants({ holder, openEndpoint, clock, newId, logger, onAnswer });
  const stored = { person: 'Ada Lovelace', messages };
  const parts = {
    conversation: stored,
    assistant: assistants.create(),
    newId,
    clock,
    now: () => clock.now(),
  };
  const live = createLiveConversation({ ...parts, commit: (_, committed) => committed() });
  const ada = foldingSocket(record);
  live.addSocket(ada.socket);
  return { clock, holder, figures, logged, assistants, live, ada };
}

/** Draws an object on one line; pictures, files and what is repeated are shortened. */
function draw(value: object, now: number): string {
  const shorten = (key: string, item: unknown) => {
    const isLong = typeof item === 'string' && /^(?:blob|avatar|url)$/.test(key) && item.length > 40;
    if (isLong) return key === 'avatar' ? '…' : `${item.slice(0, 40)}…`;
    return item === new Date(now).toISOString() ? 'now' : item;
  };
  return JSON.stringify(value, shorten)
    .replaceAll(/"(\w+)":/g, ' $1: ')
    .replaceAll(/(.{1,5}?)\1{20,}/g, (run, part) => `${part}{${run.length / part.length}}`);
}

/** A text of Ada, or what else she sends; parts of the model's answer; a failure of the endpoint; milliseconds that pass; or anything else. */
export type Step =
  | string
  | Outgoing
  | readonly (string | AnswerPart)[]
  | Error
  | number
  | ((scene: ReturnType<typeof answeringConversation>) => unknown);

/** Creates such a conversation with an endpoint whose answers the test sends. `story` has what was done, and below it, with the time, what followed. */
export function conversation(messages: readonly Message[] = [], endpoint: ManualEndpoint = manualEndpoint()) {
  const clock = virtualClock();
  const story: string[] = [];
  const record = (what: string, value: object) =>
    void story.push(`  ${clock.now()} ms: ${what} ${draw(value, clock.now())}`);
  const recorded: Endpoint = {
    ...endpoint,
    chat(asked, options) {
      const name = `request ${endpoint.chats.length + 1}`;
      record(name, asked);
      options.signal.addEventListener('abort', () => record(name, ['aborted']));
      return endpoint.chat(asked, options);
    },
  };
  const tested = answeringConversation(recorded, messages, { clock, record });
  const send = (part: AnswerPart) => {
    story.push(`the model sends ${draw(part, 0)}`);
    endpoint.chats.at(-1)?.send(part);
  };
  const take = (step: Step): unknown => {
    if (typeof step === 'string') return take(saying(step));
    if (typeof step === 'function') return step(tested);
    if (typeof step === 'number') {
      story.push(`${step} ms pass`);
      clock.advance(step);
    } else if (step instanceof Error) {
      story.push(`the endpoint fails: ${step.message}`);
      endpoint.chats.at(-1)?.fail(step);
    } else if ('category' in step) {
      story.push(`Ada sends ${draw(step, 0)}`);
      tested.live.receive(step);
    } else for (const part of step) send(typeof part === 'string' ? text(part) : part);
    return undefined;
  };
  /** Takes the steps, each when everything that followed from the one before has happened. */
  const play = async (...steps: readonly Step[]) => {
    for (const step of steps) {
      take(step);
      await settled();
    }
  };
  return { ...tested, endpoint, story, play };
}

/** Creates a socket that folds the frames that it receives, as a client does. */
export function foldingSocket(record: Recorder = ignore) {
  const folded = foldedFrames();
  const socket: ConversationSocket = {
    send(text) {
      folded.take(text);
      const { kind, frame }: { kind: string; frame: object } = Object(folded.updates.at(-1));
      record(kind, frame);
    },
    close: (...reason) => record('close', reason),
    terminate: () => record('terminate', []),
  };
  return { socket, updates: folded.updates, conversation: folded.conversation };
}

/** Returns a text of the person. */
export const saying = (words: string): Outgoing => ({ category: 'text', text: words, blob: null });

/** A request for an answer, whose parts the test sends; `end` also ends the answer. */
interface ManualChat {
  readonly messages: readonly ChatMessage[];
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
      const events = new EventEmitter();
      chats.push({
        messages,
        send: (part) => void events.emit('part', part),
        fail: (error) => void events.emit('error', error),
      });
      return untilEnd(on(events, 'part', { signal }));
    },
  };
}

async function* untilEnd(parts: AsyncIterable<readonly AnswerPart[]>): AsyncGenerator<AnswerPart> {
  for await (const [part] of parts) {
    if (part === undefined) return;
    yield part;
    if (part.kind === 'end') return;
  }
}

/** Returns a text file. */
export const file = (name: string, content: string): Outgoing => ({
  category: 'file',
  text: name,
  blob: Buffer.from(content).toString('base64'),
});

/** Returns a part of the text. */
export const text = (words: string): AnswerPart => ({ kind: 'text', text: words });
/** The end of a complete answer. */
export const END: AnswerPart = { kind: 'end', reason: 'stop' };
