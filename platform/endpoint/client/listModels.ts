import { z } from 'zod';
import type { Model } from '../endpoint.ts';
import { type Client, brokenAnswer, requestJson, routeOf } from './requestJson.ts';

/** A model, and the program that serves it, as far as its list says. */
export interface ListedModel extends Model {
  readonly ownedBy: string;
}

/** A list is short, and nothing has to be computed for it. */
const LIST_IDLE_MS = 10_000;

const tokens = z.number().int().positive().optional().catch(undefined);

/** The names of the context window's size, in the order in which they count: the size in use before the model's own. */
const fieldsSchema = z
  .object({
    id: z.string(),
    owned_by: z.string().catch(''),
    loaded_context_length: tokens,
    max_model_len: tokens,
    context_length: tokens,
    context_window: tokens,
    max_context_length: tokens,
    meta: z.object({ n_ctx: tokens, n_ctx_train: tokens }).catch({}),
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
  const models = readModels(await requestJson(client, { url, signal, idleMs: LIST_IDLE_MS }));
  if (models === null) throw brokenAnswer(url, 'something other than a list of models');
  return models;
}
