import { AnswerWriter } from '#platform/answer/answerWriter.ts';
import { seededRandom } from '#sim/world/seededRandom.ts';
import { sessionStore } from './sessionStore.ts';

interface Delivery {
  readonly tokens: readonly string[];
  readonly tokensPerSecond: number;
  /** When the answer begins, in milliseconds after a tick. */
  readonly phaseMs: number;
  /** Maximum delay of a frame on its way; frames keep their order. */
  readonly jitterMs?: number;
}

/**
 * Streams an answer to a client with the real queue. Returns the greatest number of waiting updates, the number of frames, their bytes, and
 * the shortest interval between two of them in milliseconds.
 */
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
