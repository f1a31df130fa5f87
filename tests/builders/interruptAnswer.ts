import { text } from '#platform/accounts/testing/answeringConversation.ts';
import { answeringConversation } from '#platform/accounts/testing/answeringConversation.ts';
import { manualEndpoint, settled } from '#platform/accounts/testing/answeringConversation.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { sessionStore } from './sessionStore.ts';

interface Interruption {
  readonly tokens: readonly string[];
  readonly tokensPerSecond: number;
  /** When the question is sent, in milliseconds after a tick of the client. */
  readonly phaseMs: number;
}

/** What is not shown after this time is not shown at all. */
const MOST_MS = 10_000;

/** Sends a question in the middle of an answer to a client with the real queue. Returns the most waiting updates, and when what is shown. */
export async function interruptAnswer({ tokens, tokensPerSecond, phaseMs }: Interruption) {
  const { store, clock, receive, launch } = sessionStore();
  const endpoint = manualEndpoint();
  const { live } = answeringConversation(endpoint, [], clock);
  let deepest = 0;
  const send = (frame: string) => {
    receive(frame);
    deepest = Math.max(deepest, store.getState().queue.length);
  };
  launch();
  clock.advance(phaseMs);
  live.addSocket({ send, close: () => undefined, terminate: () => undefined });
  live.receive({ category: 'text', text: 'A long story', blob: null });
  await settled();
  for (const token of tokens) {
    endpoint.chats.at(-1)?.send(text(token));
    await settled();
    clock.advance(1000 / tokensPerSecond);
  }
  const before = deepest;
  deepest = 0;
  const askedAt = clock.now();
  live.receive({ category: 'text', text: 'Shorter, please', blob: null });
  await settled();
  const messages = () => toSnapshot(store.getState().conversation).messages;
  const until = async (isShown: () => boolean) => {
    for (; !isShown() && clock.now() < askedAt + MOST_MS; clock.advance(1)) await settled();
    return clock.now() - askedAt;
  };
  const questionMs = await until(() => messages()[2]?.modifier === 'client');
  const answerMs = await until(() => messages()[3]?.modifier === 'ai');
  const stopped = messages()[1];
  live.finishAnswer();
  return { before, deepest, questionMs, answerMs, stopped };
}
