import type { Clock } from '#shared/time/clock.ts';
import type { Model } from '../endpoint.ts';
import { EndpointError, type EndpointErrorKind } from '../endpointError.ts';
import { type ListedModel, listModels } from './listModels.ts';
import { probeContext } from './probeContext.ts';
import type { Client } from './requestJson.ts';

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
const NO_CHAT: ReadonlySet<EndpointErrorKind> = new Set(['refused', 'notFound', 'tls', 'stalled', 'cut']);
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
