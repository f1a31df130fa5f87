import { z } from 'zod';
import { tryParseJson } from '#shared/json.ts';
import { createChat } from './createChat.ts';
import { type ConnectionOptions, createConnection } from './createConnection.ts';
import { createModels, listModels } from './createModels.ts';
import { type Endpoint, EndpointError } from './endpoint.ts';
import type { EndpointSettings } from './endpointSettings.ts';
import { type Answer, type Client, brokenAnswer, requestBody, routeOf } from './requestJson.ts';

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

/** The name that the public format gives the model; servers with one model accept it. */
const DEFAULT_MODEL = 'whisper-1';
const TRANSCRIPTION_MODEL = /whisper|transcri|parakeet|canary/i;
const UNSUPPORTED = /not supported|does not support|unsupported|not found|\b(?:404|405|501)\b/i;

/** The containers of recordings, by their first bytes. */
const FORMATS = [
  { extension: 'webm', type: 'audio/webm', at: 0, magic: '\x1a\x45\xdf\xa3' },
  { extension: 'ogg', type: 'audio/ogg', at: 0, magic: 'OggS' },
  { extension: 'wav', type: 'audio/wav', at: 0, magic: 'RIFF' },
  { extension: 'mp4', type: 'audio/mp4', at: 4, magic: 'ftyp' },
  { extension: 'mp3', type: 'audio/mpeg', at: 0, magic: 'ID3' },
] as const;

const responseSchema = z.object({ text: z.string() });

/**
 * Requests the words of a recording: `/audio/transcriptions`.
 * @throws {EndpointError} of the kind `unsupported` when the endpoint has no transcriptions.
 */
async function transcribe(client: Client, audio: Uint8Array, signal: AbortSignal): Promise<string> {
  const url = routeOf(client.settings, '/audio/transcriptions');
  const { extension, type } = formatOf(audio);
  const form = new FormData();
  form.append('model', await transcriptionModel(client, signal));
  form.append('response_format', 'json');
  form.append('file', new Blob([new Uint8Array(audio)], { type }), `voice.${extension}`);
  const words = wordsOf(await request(client, { url, signal, body: form }));
  if (words === null) throw brokenAnswer(url, 'something other than a transcription');
  return words.trim();
}

/** Returns the words of an answer: JSON, or a plain text from servers that have no other format; `null` when it has none. */
function wordsOf({ body, type }: Answer): string | null {
  const { data } = responseSchema.safeParse(tryParseJson(body));
  if (data !== undefined) return data.text;
  return /^text\/plain\b/i.test(type) ? body : null;
}

async function request(
  client: Client,
  options: { url: URL; signal: AbortSignal; body: FormData },
): Promise<Answer> {
  try {
    return await requestBody(client, options);
  } catch (error) {
    if (error instanceof EndpointError && isUnsupported(error))
      throw new EndpointError(
        'unsupported',
        `${options.url.origin} cannot turn voice into text. Write the message instead.`,
      );
    throw error;
  }
}

const isUnsupported = ({ kind, message }: EndpointError) =>
  kind === 'unknownModel' || ((kind === 'rejected' || kind === 'failed') && UNSUPPORTED.test(message));

async function transcriptionModel(client: Client, signal: AbortSignal): Promise<string> {
  try {
    const models = await listModels(client, signal);
    return models.find(({ id }) => TRANSCRIPTION_MODEL.test(id))?.id ?? DEFAULT_MODEL;
  } catch (error) {
    if (error instanceof EndpointError) return DEFAULT_MODEL;
    throw error;
  }
}

function formatOf(audio: Uint8Array) {
  const start = Buffer.from(audio.subarray(0, 16)).toString('latin1');
  return FORMATS.find(({ at, magic }) => start.startsWith(magic, at)) ?? FORMATS[0];
}
