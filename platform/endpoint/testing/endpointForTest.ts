import { onTestFinished } from 'vitest';
import { type VirtualClock, virtualClock } from '#shared/clock.ts';
import { createEndpoint } from '../createEndpoint.ts';
import type { AnswerPart, Endpoint } from '../endpoint.ts';
import type { EndpointSettings } from '../endpointSettings.ts';
import { AUTHORITY } from './certificates.ts';
import { type EndpointStub, type StubOptions, startEndpointStub } from './startEndpointStub.ts';

/** An endpoint, the stub behind it, and the endpoint's clock. */
interface TestEndpoint {
  readonly endpoint: Endpoint;
  readonly stub: EndpointStub;
  readonly clock: VirtualClock;
  readonly settings: EndpointSettings;
}

/** Starts a stub and creates its client, which trusts the tests' authority; stops the stub at the end of the test. */
export async function endpointForTest(
  settings: Partial<EndpointSettings> = {},
  options: StubOptions = {},
): Promise<TestEndpoint> {
  const stub = await startEndpointStub(options);
  onTestFinished(() => stub.stop());
  const clock = virtualClock();
  const all = { url: stub.url, model: null, key: null, prompt: null, ...settings };
  return { endpoint: createEndpoint(all, { clock, ca: AUTHORITY }), stub, clock, settings: all };
}

/** Reads an answer to its end. */
export async function partsOf(answer: AsyncIterable<AnswerPart>): Promise<AnswerPart[]> {
  const parts: AnswerPart[] = [];
  for await (const part of answer) parts.push(part);
  return parts;
}
