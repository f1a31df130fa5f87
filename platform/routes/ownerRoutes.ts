import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { z } from 'zod';
import { ASSISTANT_NAME_LENGTH } from '#shared/limits.ts';
import { assistantSettingsSchema } from '#shared/protocol/assistantSettings.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { AssistantHolder } from '../assistant/assistant.ts';
import type { EndpointTest } from '../endpoint/testEndpoint.ts';
import { type EndpointSettings, parseEndpointUrl } from '../endpoint/endpointSettings.ts';

/** Returns whether a request has the owner's secret (`Authorization: Bearer …`). */
export type IsOwner = (request: FastifyRequest) => boolean;

/** Creates the check of the owner's secret. The time that it takes does not depend on what the caller sent. */
export function createIsOwner(ownerSecret: string): IsOwner {
  const expected = digest(`Bearer ${ownerSecret}`);
  return ({ headers: { authorization = '' } }) => timingSafeEqual(digest(authorization), expected);
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Creates the hook of a route for the program that started the platform: it answers a request without the owner's secret with 403
 * before its body is read.
 * @param refusal the sentence of the answer.
 */
function requireOwner(ownerSecret: string, refusal: string) {
  const isOwner = createIsOwner(ownerSecret);
  return async (request: FastifyRequest, reply: FastifyReply) =>
    isOwner(request) ? undefined : reply.code(403).send(refusal);
}

const REFUSALS = {
  accounts: 'Only an administrator on this machine may manage accounts.',
  deletion: 'Only the program that started the platform may delete accounts.',
  assistant: 'Only the program that started the platform may choose the assistant.',
} as const;

/** The options of `accountRoutes`. */
interface AccountRoutesOptions {
  readonly accounts: Accounts;
  readonly ownerSecret: string;
  readonly logger: Logger;
}

const changeSchema = z.object({ email: z.string(), isRevoked: z.boolean() });

/**
 * Adds the routes of the accounts. All answer 403 without the owner's secret.
 *
 * - `GET /accounts` answers with the list of accounts (`npm run platform -- accounts`).
 * - `POST /accounts/revoked` revokes or restores an account (`revoke`, `restore`): 204, or 404 for an unknown email.
 * - `DELETE /accounts` deletes every account with its conversation, and the file: 204.
 */
export async function accountRoutes(
  app: FastifyInstance,
  { accounts, ownerSecret, logger }: AccountRoutesOptions,
): Promise<void> {
  const onRequest = requireOwner(ownerSecret, REFUSALS.accounts);
  app.get('/accounts', { onRequest }, async () => accounts.list());
  app.post('/accounts/revoked', { onRequest }, async ({ body }, reply) => {
    const change = changeSchema.safeParse(body);
    if (!change.success) return reply.code(400).send('An email, and whether it is revoked, are needed.');
    const { email, isRevoked } = change.data;
    const result = await accounts.setRevoked(email, isRevoked);
    if (result === 'unknown') return reply.code(404).send('There is no account with that email.');
    if (result === 'notStored') return reply.code(503).send('The platform cannot write to its disk.');
    logger.info({ isRevoked }, 'an account was revoked or restored');
    return reply.code(204).send();
  });
  const mayDelete = requireOwner(ownerSecret, REFUSALS.deletion);
  app.delete('/accounts', { onRequest: mayDelete }, async (_request, reply) => {
    await accounts.deleteAll();
    logger.info('every account was deleted');
    return reply.code(204).send();
  });
}

/** The options of `assistantRoutes`. */
export interface AssistantRoutesOptions {
  readonly assistant: AssistantHolder;
  readonly ownerSecret: string;
  /** Tests an endpoint. Ends when the signal is aborted. */
  readonly test: (settings: EndpointSettings, signal: AbortSignal) => Promise<EndpointTest>;
  /** Returns the model in use and the list of models. Ends when the signal is aborted. */
  readonly list: AssistantRoutesOptions['test'];
  readonly logger: Logger;
}

/** A prompt of the maximum length, of characters of four bytes. */
const BODY_BYTES = 64 * 1024;

/** Settings from the owner, with the address as the endpoint needs it. */
const settingsSchema = assistantSettingsSchema.transform((settings, { addIssue }): EndpointSettings => {
  const url = parseEndpointUrl(settings.url);
  if (url !== null) return { ...settings, url };
  addIssue('The address cannot be used.');
  return z.NEVER;
});

const choiceSchema = z.strictObject({ model: z.string().min(1).max(ASSISTANT_NAME_LENGTH) });

const DEMONSTRATION = {
  ok: false,
  message: 'The demonstration answers: there is nothing to test.',
} as const satisfies EndpointTest;

/**
 * Adds the routes of the assistant, for the program that started the platform. Their body contains `AssistantSettings`.
 *
 * - `PUT /assistant` replaces the settings; the body `null` selects the demonstration. The response is 204.
 * - `POST /assistant/test` tests settings and keeps none of them; the body `null` tests those in use. The response is an `EndpointTest`. The test ends when the caller
 *   closes the connection.
 * - `GET /assistant/models` answers with the model in use and the models of the endpoint, as an `EndpointTest` of which the endpoint computes nothing.
 * - `PUT /assistant/model` changes the model of the settings: the body is `{model}`, and the response 204, or 409 while the demonstration answers.
 *
 * Without the owner's secret the response is 403; for other contents it is 400 with a sentence. The log contains no setting.
 */
export async function assistantRoutes(
  app: FastifyInstance,
  { assistant, ownerSecret, test, list, logger }: AssistantRoutesOptions,
): Promise<void> {
  const options = { bodyLimit: BODY_BYTES, onRequest: requireOwner(ownerSecret, REFUSALS.assistant) };
  app.put('/assistant', options, async ({ body }, reply) => {
    const settings = settingsSchema.nullable().safeParse(body);
    if (!settings.success) return reply.code(400).send(settings.error.issues[0]?.message);
    assistant.set(settings.data);
    logger.info({ isDemonstration: settings.data === null }, 'the assistant was chosen');
    return reply.code(204).send();
  });
  app.post('/assistant/test', options, async ({ body }, reply) => {
    const given = settingsSchema.nullable().safeParse(body);
    if (!given.success) return reply.code(400).send(given.error.issues[0]?.message);
    const settings = given.data ?? assistant.get();
    if (settings === null) return reply.send(DEMONSTRATION);
    const result = await test(settings, closing(reply));
    logger.info({ isOk: result.ok }, 'the assistant was tested');
    return reply.send(result);
  });
  app.get('/assistant/models', options, async (_request, reply) => {
    const settings = assistant.get();
    return reply.send(settings === null ? DEMONSTRATION : await list(settings, closing(reply)));
  });
  app.put('/assistant/model', options, async ({ body }, reply) => {
    const settings = assistant.get();
    const chosen = choiceSchema.safeParse(body);
    if (settings === null) return reply.code(409).send(DEMONSTRATION.message);
    if (!chosen.success) return reply.code(400).send('The name of a model is needed.');
    assistant.set({ ...settings, ...chosen.data });
    logger.info('the model was chosen');
    return reply.code(204).send();
  });
}

/** Returns a signal that is aborted when the caller closes the connection. */
function closing(reply: FastifyReply): AbortSignal {
  const closed = new AbortController();
  reply.raw.once('close', () => closed.abort());
  return closed.signal;
}
