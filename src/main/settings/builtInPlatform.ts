import axios, { type AxiosRequestConfig } from 'axios';
import { z } from 'zod';
import { ASSISTANT_MODELS } from '#shared/limits.ts';
import type { AssistantSettings } from '#shared/protocol/assistantSettings.ts';
import type { Environment, Settings } from '#shared/settings.ts';

/** The result of a test of an endpoint: the model in use and the first models, or a sentence that says what is wrong. */
export type EndpointTest = z.infer<typeof testSchema>;

/** The requests of the built-in platform's owner. Their errors contain no secret. */
export type BuiltInPlatform = NonNullable<ReturnType<typeof builtInPlatform>>;

/** The platform responds at once, except with a slow disk. */
const TIMEOUT_MS = 10_000;

const testSchema = z.union([
  z.object({
    ok: z.literal(true),
    model: z.string(),
    models: z.array(z.string()).transform((models) => models.slice(0, ASSISTANT_MODELS)),
  }),
  z.object({ ok: z.literal(false), message: z.string() }),
]);

/** Returns the built-in platform that `npm start` runs on this data folder; `undefined` when another one is in use. */
export function builtInPlatform({ platform }: Settings, environment: Environment) {
  const { PARLEY_BUILT_IN_API_URL: apiUrl, PARLEY_BUILT_IN_SECRET: secret } = environment;
  if (platform !== null || apiUrl === undefined || secret === undefined) return undefined;
  const request = createRequest(apiUrl, secret);
  return {
    /**
     * Deletes every account with its conversation, and the platform's file.
     * @throws when the platform does not confirm it.
     */
    async deleteAll(): Promise<void> {
      await request(204, { method: 'DELETE', url: '/accounts' });
    },
    /**
     * Gives the platform the endpoint from which answers come; `null`: the demonstration answers.
     * @throws when the platform does not confirm it.
     */
    async setAssistant(settings: AssistantSettings | null): Promise<void> {
      await request(204, { method: 'PUT', url: '/assistant', data: JSON.stringify(settings) });
    },
    /**
     * Gives the platform another model of the endpoint in use.
     * @throws when the platform does not confirm it.
     */
    async setModel(model: string): Promise<void> {
      await request(204, { method: 'PUT', url: '/assistant/model', data: JSON.stringify({ model }) });
    },
    /**
     * Requests the models of the endpoint in use.
     * @throws when the signal is aborted, or when the platform does not answer.
     */
    async listModels(signal: AbortSignal): Promise<EndpointTest> {
      // The caller limits the time.
      return testSchema.parse(await request(200, { url: '/assistant/models', signal, timeout: 0 }));
    },
    /**
     * Tests an endpoint; `null`: the one in use.
     * @throws when the signal is aborted, or when the platform does not answer.
     */
    async testAssistant(settings: AssistantSettings | null, signal: AbortSignal): Promise<EndpointTest> {
      const data = JSON.stringify(settings);
      // The caller limits the time.
      const test = { method: 'POST', url: '/assistant/test', data, signal, timeout: 0 };
      return testSchema.parse(await request(200, test));
    },
  };
}

/**
 * Creates the requests of the owner. They resolve to the body of a response with the expected status. The errors of axios contain
 * the whole request: they are replaced.
 */
function createRequest(apiUrl: string, secret: string) {
  const authorization = `Bearer ${secret}`;
  return async (expected: number, config: AxiosRequestConfig): Promise<unknown> => {
    const response = await axios
      .request<unknown>({
        baseURL: apiUrl,
        headers: { authorization, ...(config.data !== undefined && { 'content-type': 'application/json' }) },
        timeout: TIMEOUT_MS,
        maxRedirects: 0,
        proxy: false,
        validateStatus: null,
        ...config,
      })
      .catch(() => undefined);
    if (response?.status === expected) return response.data;
    throw new Error(`the platform answered with ${response?.status ?? 'nothing'}`);
  };
}
