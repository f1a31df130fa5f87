import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { z } from 'zod';
import { assistantSettingsSchema } from '#shared/protocol/assistantSettings.ts';
import type { AssistantHolder } from '../assistant/assistantHolder.ts';
import { type EndpointSettings, parseEndpointUrl } from '../endpoint/endpointSettings.ts';
import { requireOwner } from './requireOwner.ts';

/** The result of a test of an endpoint: the model in use and all models, or a sentence that says what is wrong. */
export type EndpointTest =
  | { readonly ok: true; readonly model: string; readonly models: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** The options of `assistantRoute`. */
export interface AssistantRouteOptions {
  readonly assistant: AssistantHolder;
  readonly ownerSecret: string;
  /** Tests an endpoint. Ends when the signal is aborted. */
  readonly test: (settings: EndpointSettings, signal: AbortSignal) => Promise<EndpointTest>;
  readonly logger: Logger;
}

/** A prompt of the maximum length, of characters of four bytes. */
const BODY_BYTES = 64 * 1024;

/** Settings from the owner, with the address as the endpoint needs it. */
const bodySchema = assistantSettingsSchema.transform((settings, { addIssue }): EndpointSettings => {
  const url = parseEndpointUrl(settings.url);
  if (url !== null) return { ...settings, url };
  addIssue('The address cannot be used.');
  return z.NEVER;
});

const DEMONSTRATION: EndpointTest = {
  ok: false,
  message: 'The demonstration answers: there is nothing to test.',
};

const REFUSAL = 'Only the program that started the platform may choose the assistant.';

/**
 * Adds the routes of the assistant, for the program that started the platform. Their body contains `AssistantSettings`.
 *
 * - `PUT /assistant` replaces the settings; the body `null` selects the demonstration. The response is 204.
 * - `POST /assistant/test` tests settings and keeps none of them; the body `null` tests those in use. The response is an `EndpointTest`. The test ends when the caller
 *   closes the connection.
 *
 * Without the owner's secret the response is 403; for other contents it is 400 with a sentence. The log contains no setting.
 */
export async function assistantRoute(
  app: FastifyInstance,
  { assistant, ownerSecret, test, logger }: AssistantRouteOptions,
): Promise<void> {
  const options = { bodyLimit: BODY_BYTES, onRequest: requireOwner(ownerSecret, REFUSAL) };
  app.put('/assistant', options, async ({ body }, reply) => {
    const settings = bodySchema.nullable().safeParse(body);
    if (!settings.success) return reply.code(400).send(settings.error.issues[0]?.message);
    assistant.set(settings.data);
    logger.info({ isDemonstration: settings.data === null }, 'the assistant was chosen');
    return reply.code(204).send();
  });
  app.post('/assistant/test', options, async ({ body }, reply) => {
    const given = bodySchema.nullable().safeParse(body);
    if (!given.success) return reply.code(400).send(given.error.issues[0]?.message);
    const settings = given.data ?? assistant.get();
    if (settings === null) return reply.send(DEMONSTRATION);
    const closed = new AbortController();
    reply.raw.once('close', () => closed.abort());
    const result = await test(settings, closed.signal);
    logger.info({ isOk: result.ok }, 'the assistant was tested');
    return reply.send(result);
  });
}
