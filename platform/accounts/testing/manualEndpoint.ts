import type { AnswerPart, ChatMessage, Endpoint, Model } from '../../endpoint/endpoint.ts';

/** A request for an answer, whose parts the test sends. */
interface ManualChat {
  readonly messages: readonly ChatMessage[];
  readonly signal: AbortSignal;
  /** Sends a part; `end` also ends the answer. */
  send(part: AnswerPart): void;
  fail(error: unknown): void;
}

/** An endpoint whose answers the test controls. */
export interface ManualEndpoint extends Endpoint {
  /** Every request so far, the oldest first. */
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

/** Creates a queue of parts that ends with `end`, an error or the signal. */
function createParts(signal: AbortSignal) {
  const waiting: (AnswerPart | { readonly error: unknown })[] = [];
  let wake: (() => void) | undefined;
  const add = (entry: AnswerPart | { readonly error: unknown }) => {
    waiting.push(entry);
    wake?.();
  };
  signal.addEventListener('abort', () => wake?.());
  return {
    send: add,
    fail: (error: unknown) => add({ error }),
    async *iterate(): AsyncGenerator<AnswerPart> {
      for (;;) {
        signal.throwIfAborted();
        const entry = waiting.shift();
        if (entry === undefined) await new Promise<void>((resolve) => (wake = resolve));
        else if ('error' in entry) throw entry.error;
        else {
          yield entry;
          if (entry.kind === 'end') return;
        }
      }
    },
  };
}
