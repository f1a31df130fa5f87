import { endpointForTest, partsOf } from './endpointForTest.ts';
import { type ChatMessage, EndpointError } from '../endpoint.ts';
import type { StubReply } from './stubReply.ts';

/** A question for tests. */
export const QUESTION: readonly ChatMessage[] = [{ role: 'user', content: 'Who are you?' }];

/** Resolves with the error of a chat whose request gets this reply; in its message, the server is `S`. */
export async function chatError(reply: StubReply, messages = QUESTION): Promise<EndpointError> {
  const { endpoint, stub } = await endpointForTest({ model: 'm', key: 'sk-secret-qwxyz' });
  stub.always(reply);
  const error: unknown = await partsOf(
    endpoint.chat(messages, { signal: new AbortController().signal }),
  ).then(
    () => null,
    (failed) => failed,
  );
  if (!(error instanceof EndpointError)) throw new Error('expected an EndpointError', { cause: error });
  const message = error.message.replaceAll(new URL(stub.url).origin, 'S');
  return new EndpointError(error.kind, message, error.retryAfterS);
}
