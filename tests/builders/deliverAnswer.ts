import * as answering from '#platform/accounts/testing/answeringConversation.ts';
import { AnswerWriter } from '#platform/answer/answerWriter.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { seededRandom } from '#sim/world/seededRandom.ts';
import { sessionStore } from './sessionStore.ts';

interface Delivery {
  readonly tokens: readonly string[];
  readonly tokensPerSecond: number;
  /** When the answer begins, or the question is sent, in milliseconds after a tick of the client. */
  readonly phaseMs: number;
  /** Maximum delay of a frame on its way; frames keep their order. */
  readonly jitterMs?: number;
}

/** Streams an answer to a client with the real queue. `deepest` is the most updates that waited, `shortest` the shortest interval in ms. */
export function deliverAnswer({ tokens, tokensPerSecond, phaseMs, jitterMs = 0 }: Delivery) {
  const { store, clock, receive, launch } = sessionStore();
  const random = seededRandom(tokensPerSecond + phaseMs);
  let deepest = 0;
  let arrivesAt = 0;
  let bytes = 0;
  const sentAt: number[] = [];
  const send = (frame: object) => {
    sentAt.push(clock.now());
    bytes += Buffer.byteLength(JSON.stringify(frame));
    arrivesAt = Math.max(arrivesAt, clock.now() + random() * jitterMs);
    clock.after(arrivesAt - clock.now(), () => {
      receive(frame);
      deepest = Math.max(deepest, store.getState().queue.length);
    });
  };
  launch();
  clock.advance(phaseMs);
  const writer = new AnswerWriter({ clock, newId: () => 'm', send, replace: send, name: 'llama' });
  for (const text of tokens) {
    writer.add({ kind: 'text', text });
    clock.advance(1000 / tokensPerSecond);
  }
  writer.finish('llama', () => undefined);
  clock.advance(600_000);
  const intervals = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0));
  return { deepest, frames: sentAt.length, bytes, shortest: Math.min(...intervals) };
}

const SECTION = [
  '## Section N\n\nThis is a paragraph with **strong** words, `code` and a [link](https://example.org/N). It explains in a few ',
  'sentences what follows, and why it is so.\n\nA second paragraph follows the first one. It has no markers at all, as most prose.\n\n',
  '- The first item\n- The **second** item\n  - One within it\n\nAn example:\n\n```ts\nconst value = N;\nexport function twice(): number ',
  '{\n  return value * 2;\n}\n```\n\n| Name | Value |\n| --- | ---: |\n| one | 1 |\n| two | **2** |\n\nThat is all of section N.\n\n',
].join('');

/** Returns an answer with everything that models write, in this many tokens: a word or a mark each, with the white space after it. */
export function sampleTokens(count: number): readonly string[] {
  const tokens: string[] = [];
  for (let section = 1; tokens.length < count; section += 1)
    tokens.push(...(SECTION.replaceAll('N', `${section}`).match(/(?:\w+|[^\w\s])\s*/g) ?? []));
  return tokens.slice(0, count);
}

/** What is not shown after this time is not shown at all. */
const MOST_MS = 10_000;

/** Sends a question in the middle of an answer to a client with the real queue. Returns the most waiting updates, and when what is shown. */
export async function interruptAnswer({ tokens, tokensPerSecond, phaseMs }: Omit<Delivery, 'jitterMs'>) {
  const { store, clock, receive, launch } = sessionStore();
  const endpoint = answering.manualEndpoint();
  const { live } = answering.answeringConversation(endpoint, [], { clock });
  let deepest = 0;
  const send = (frame: string) => {
    receive(frame);
    deepest = Math.max(deepest, store.getState().queue.length);
  };
  launch();
  clock.advance(phaseMs);
  live.addSocket({ send, close: () => undefined, terminate: () => undefined });
  live.receive({ category: 'text', text: 'A long story', blob: null });
  await answering.settled();
  for (const token of tokens) {
    endpoint.chats.at(-1)?.send(answering.text(token));
    await answering.settled();
    clock.advance(1000 / tokensPerSecond);
  }
  const before = deepest;
  deepest = 0;
  const askedAt = clock.now();
  live.receive({ category: 'text', text: 'Shorter, please', blob: null });
  await answering.settled();
  const messages = () => toSnapshot(store.getState().conversation).messages;
  const until = async (isShown: () => boolean) => {
    for (; !isShown() && clock.now() < askedAt + MOST_MS; clock.advance(1)) await answering.settled();
    return clock.now() - askedAt;
  };
  const questionMs = await until(() => messages()[2]?.modifier === 'client');
  const answerMs = await until(() => messages()[3]?.modifier === 'ai');
  const stopped = messages()[1];
  live.finishAnswer();
  return { before, deepest, questionMs, answerMs, stopped };
}
