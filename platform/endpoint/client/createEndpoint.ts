import type { Endpoint } from '../endpoint.ts';
import type { EndpointSettings } from '../endpointSettings.ts';
import { createChat } from './createChat.ts';
import { type ConnectionOptions, createConnection } from './createConnection.ts';
import { createModels } from './createModels.ts';
import { listModels } from './listModels.ts';
import type { Client } from './requestJson.ts';
import { transcribe } from './transcribe.ts';

/** Creates the client of an OpenAI-compatible endpoint. It connects when it is used. */
export function createEndpoint(settings: EndpointSettings, options: ConnectionOptions): Endpoint {
  const client: Client = { settings, send: createConnection(settings, options) };
  const models = createModels(client, options.clock);
  return {
    chat: createChat(client, models, options.clock),
    model: (signal) => models.inUse(signal),
    models: async (signal) =>
      (await listModels(client, signal)).map(({ id, contextTokens }) => ({ id, contextTokens })),
    transcribe: (audio, signal) => transcribe(client, audio, signal),
  };
}
