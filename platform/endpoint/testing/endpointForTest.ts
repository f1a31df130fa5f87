import { onTestFinished } from 'vitest';
import type { ConnectionOptions } from '../createConnection.ts';
import { createEndpoint } from '../createEndpoint.ts';
import type { AnswerPart, ChatMessage } from '../endpoint.ts';
import type { EndpointSettings } from '../endpointSettings.ts';
import { observedClock } from '../../testing/observers.ts';
import { type StubOptions, startEndpointStub } from './startEndpointStub.ts';

/** Starts a stub and creates its client; stops the stub at the end of the test. */
export async function endpointForTest(
  settings: Partial<EndpointSettings> = {},
  { ca, ...options }: StubOptions & Pick<ConnectionOptions, 'ca'> = {},
) {
  const stub = await startEndpointStub(options);
  onTestFinished(() => stub.stop());
  const clock = observedClock();
  const all = { url: stub.url, model: null, key: null, prompt: null, ...settings };
  return { endpoint: createEndpoint(all, { clock, ...(ca && { ca }) }), stub, clock, settings: all };
}

/** Reads an answer to its end. */
export async function partsOf(answer: AsyncIterable<AnswerPart>): Promise<AnswerPart[]> {
  const parts: AnswerPart[] = [];
  for await (const part of answer) parts.push(part);
  return parts;
}

/** A question for tests. */
export const QUESTION: readonly ChatMessage[] = [{ role: 'user', content: 'Who are you?' }];
