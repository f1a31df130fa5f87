import { onTestFinished } from 'vitest';
import { createEndpoint } from '../createEndpoint.ts';
import { type AnswerPart, type ChatMessage, EndpointError } from '../endpoint.ts';
import type { EndpointSettings } from '../endpointSettings.ts';
import { observedClock } from '../../testing/observers.ts';
import { CERTIFICATE } from './certificates.ts';
import { type StubOptions, startEndpointStub, type StubReply } from './startEndpointStub.ts';

/** Starts a stub and creates its client, which trusts what the tests' certificate has issued, and the certificate unless it is `selfSigned`; stops the stub at the end of the test. */
export async function endpointForTest(settings: Partial<EndpointSettings> = {}, options: StubOptions = {}) {
  const stub = await startEndpointStub(options);
  onTestFinished(() => stub.stop());
  const clock = observedClock();
  const all = { url: stub.url, model: null, key: null, prompt: null, ...settings };
  const trusted = options.tls === 'selfSigned' ? {} : { ca: CERTIFICATE };
  return { endpoint: createEndpoint(all, { clock, ...trusted }), stub, clock, settings: all };
}

/** Reads an answer to its end. */
export async function partsOf(answer: AsyncIterable<AnswerPart>): Promise<AnswerPart[]> {
  const parts: AnswerPart[] = [];
  for await (const part of answer) parts.push(part);
  return parts;
}

/** A question for tests. */
export const QUESTION: readonly ChatMessage[] = [{ role: 'user', content: 'Who are you?' }];

/** Resolves with the error of a chat whose request gets this reply; in its message, the server is `S`. */
export async function chatError(reply: StubReply, messages = QUESTION): Promise<EndpointError> {
  const { endpoint, stub } = await endpointForTest({ model: 'm', key: 'sk-secret-qwxyz' });
  stub.always(reply);
  const chat = endpoint.chat(messages, { signal: new AbortController().signal });
  const error: unknown = await partsOf(chat).catch((failed: unknown) => failed);
  if (!(error instanceof EndpointError)) throw new Error('expected an EndpointError', { cause: error });
  const message = error.message.replaceAll(new URL(stub.url).origin, 'S');
  return new EndpointError(error.kind, message, error.retryAfterS);
}
