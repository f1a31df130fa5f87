import { z } from 'zod';
import type { Clock } from '#shared/clock.ts';
import { EndpointError, type EndpointErrorKind, type Model } from './endpoint.ts';
import { type Client, brokenAnswer, requestJson, routeOf } from './requestJson.ts';

/** The model in use. */
export interface Models {
  /**
   * Returns the setting's model, or the endpoint's first that is not for another purpose.
   * @throws {EndpointError}
   */
  inUse(signal: AbortSignal): Promise<Model>;
  /** Requests the model again next time: a request failed, so the server may have changed. */
  forget(): void;
}

/** The model in use is requested again after this time. */
const FRESH_MS = 60_000;
/** Failures for which a chat would fail as well. Other endpoints have no list, or do not show it. */
const NO_CHAT: ReadonlySet<EndpointErrorKind> = new Set([
  'refused',
  'notFound',
  'tls',
  'stalled',
  'cut',
  'loading',
]);
const OTHER_PURPOSE = /embed|whisper|\btts\b|rerank|moderation|dall-e|\bbge\b/i;

/** Creates the model in use of an endpoint. */
export function createModels(client: Client, clock: Clock): Models {
  let known: { readonly model: Model; readonly at: number } | null = null;
  return {
    async inUse(signal) {
      if (known === null || clock.now() - known.at > FRESH_MS)
        known = { model: await requestModel(client, signal), at: clock.now() };
      return known.model;
    },
    forget() {
      known = null;
    },
  };
}

async function requestModel(client: Client, signal: AbortSignal): Promise<Model> {
  const { model: wanted, url } = client.settings;
  const listed = await listOrEmpty(client, signal);
  const model =
    wanted === null
      ? (listed.find(({ id }) => !OTHER_PURPOSE.test(id)) ?? listed[0])
      : listed.find(({ id }) => id === wanted || id === `${wanted}:latest`);
  if (model === undefined) {
    if (wanted !== null) return { id: wanted, contextTokens: null };
    throw new EndpointError(
      'unknownModel',
      `${new URL(url).origin} has no model. Install one on the server, then try again.`,
    );
  }
  return { id: wanted ?? model.id, contextTokens: await probeContext(client, model, signal) };
}

/** Returns an empty list when the setting names the model and the endpoint has no list. */
async function listOrEmpty(client: Client, signal: AbortSignal): Promise<readonly ListedModel[]> {
  try {
    return await listModels(client, signal);
  } catch (error) {
    if (!(error instanceof EndpointError) || NO_CHAT.has(error.kind)) throw error;
    if (client.settings.model === null) throw error.kind === 'rejected' ? withoutList(error) : error;
    return [];
  }
}

/** A wrong address and a server without a list answer in the same way. */
const withoutList = ({ kind, message }: EndpointError) =>
  new EndpointError(kind, `${message} For a server without a list of models, enter the model’s name there.`);

/** A model, and the program that serves it, as far as its list says. */
interface ListedModel extends Model {
  readonly ownedBy: string;
}

/** A list is short, and nothing has to be computed for it. */
const LIST_IDLE_MS = 10_000;

const tokens = z.number().int().positive();
const optionalTokens = tokens.optional().catch(undefined);

/** The names of the context window's size, in the order in which they count: the size in use before the model's own. */
const fieldsSchema = z
  .object({
    id: z.string(),
    owned_by: z.string().catch(''),
    loaded_context_length: optionalTokens,
    max_model_len: optionalTokens,
    context_length: optionalTokens,
    context_window: optionalTokens,
    max_context_length: optionalTokens,
    meta: z.object({ n_ctx: optionalTokens, n_ctx_train: optionalTokens }).catch({}),
  })
  .transform((model): ListedModel => ({
    id: model.id,
    ownedBy: model.owned_by,
    contextTokens:
      model.loaded_context_length ??
      model.max_model_len ??
      model.meta.n_ctx ??
      model.context_length ??
      model.context_window ??
      model.max_context_length ??
      model.meta.n_ctx_train ??
      null,
  }));

/** Some servers give only the name, as `name` or instead of the model. */
const modelSchema = z.union([
  fieldsSchema,
  z.object({ name: z.string() }).transform(({ name }) => fieldsSchema.parse({ id: name })),
  z.string().transform((id) => fieldsSchema.parse({ id })),
]);

/** Ollama's list without a model is `null`. */
const modelsSchema = z.array(z.unknown()).nullable();
const listSchema = z.union([
  z.object({ data: modelsSchema }).transform(({ data }) => data),
  z.object({ models: modelsSchema }).transform(({ models }) => models),
  z.array(z.unknown()),
]);

/** Returns the models of a list, without the entries that are none; `null` for something else than a list of models. */
function readModels(json: unknown): readonly ListedModel[] | null {
  const { data: list, success } = listSchema.safeParse(json);
  if (!success) return null;
  const models = (list ?? []).flatMap((entry) => modelSchema.safeParse(entry).data ?? []);
  return models.length === 0 && list !== null && list.length > 0 ? null : models;
}

/**
 * Requests the list of models: vLLM, LM Studio, llama.cpp and several services add the size of the context window.
 * @throws {EndpointError}
 */
export async function listModels(client: Client, signal: AbortSignal): Promise<readonly ListedModel[]> {
  const url = routeOf(client.settings, '/models');
  const models = readModels(await requestJson(client, { url, signal, idleMs: () => LIST_IDLE_MS }));
  if (models === null) throw brokenAnswer(url, 'something other than a list of models');
  return models;
}

/** A server that does not answer such a question at once is not asked again for this answer. */
const PROBE_IDLE_MS = 2000;

/** Where a server's own interface says how large the context window of a loaded model is. */
interface Probe {
  readonly path: string;
  /** Returns the size; `undefined` when the answer does not have it. */
  readonly read: (json: unknown, id: string) => number | undefined;
}

const ollama = z.object({ models: z.array(z.object({ name: z.string(), context_length: tokens })) });
const llamaCpp = z.object({ default_generation_settings: z.object({ n_ctx: tokens }) });
const lmStudio = z.object({
  data: z.array(
    z.object({ id: z.string(), loaded_context_length: tokens.optional(), max_context_length: tokens }),
  ),
});

/** By the owner that a server names in its list of models. */
const PROBES: Readonly<Record<string, Probe>> = {
  library: {
    path: '/api/ps',
    read: (json, id) => ollama.safeParse(json).data?.models.find(({ name }) => name === id)?.context_length,
  },
  llamacpp: {
    path: '/props',
    read: (json) => llamaCpp.safeParse(json).data?.default_generation_settings.n_ctx,
  },
  organization_owner: {
    path: '/api/v0/models',
    read: (json, id) => {
      const model = lmStudio.safeParse(json).data?.data.find((other) => other.id === id);
      return model?.loaded_context_length ?? model?.max_context_length;
    },
  },
};

const BASE = /\/v1$/;

/**
 * Returns the size of a model's context window from the server's own interface: Ollama, llama.cpp and LM Studio do not list the
 * size in use. Returns the listed size when that fails.
 */
async function probeContext(
  client: Client,
  { id, ownedBy, contextTokens }: ListedModel,
  signal: AbortSignal,
): Promise<number | null> {
  const probe = PROBES[ownedBy];
  const { url } = client.settings;
  if (probe === undefined || !BASE.test(url)) return contextTokens;
  try {
    const address = new URL(url.replace(BASE, probe.path));
    const json = await requestJson(client, { url: address, signal, idleMs: () => PROBE_IDLE_MS });
    return probe.read(json, id) ?? contextTokens;
  } catch (error) {
    if (error instanceof EndpointError) return contextTokens;
    throw error;
  }
}
