import { z } from 'zod';
import { EndpointError } from '../endpointError.ts';
import type { ListedModel } from './listModels.ts';
import { type Client, requestJson } from './requestJson.ts';

/** A server that does not answer such a question at once is not asked again for this answer. */
const PROBE_IDLE_MS = 2000;

const tokens = z.number().int().positive();

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
export async function probeContext(
  client: Client,
  { id, ownedBy, contextTokens }: ListedModel,
  signal: AbortSignal,
): Promise<number | null> {
  const probe = PROBES[ownedBy];
  const { url } = client.settings;
  if (probe === undefined || !BASE.test(url)) return contextTokens;
  try {
    const address = new URL(url.replace(BASE, probe.path));
    const json = await requestJson(client, { url: address, signal, idleMs: PROBE_IDLE_MS });
    return probe.read(json, id) ?? contextTokens;
  } catch (error) {
    if (error instanceof EndpointError) return contextTokens;
    throw error;
  }
}
