import type { ConnectionOptions } from './createConnection.ts';
import { createEndpoint } from './createEndpoint.ts';
import { type Endpoint, EndpointError, type EndpointErrorKind } from './endpoint.ts';
import type { EndpointSettings } from './endpointSettings.ts';

/** What a test found: the model in use and all models, or what is wrong in words. */
export type EndpointTest =
  | { readonly ok: true; readonly model: string; readonly models: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** The options of a test. */
interface TestOptions extends ConnectionOptions {
  readonly signal: AbortSignal;
}

/** The length of the answer that a test requests; some services reject less. */
const TEST_TOKENS = 16;
/** An endpoint that refuses a request does so at once. After this time without an error, it may load its model. */
const START_MS = 4000;
/** Maximum number of models that a message lists. */
const LISTED = 10;
/** Failures of the list after which an answer can still succeed. */
const HAS_NO_LIST: ReadonlySet<EndpointErrorKind> = new Set([
  'rejected',
  'broken',
  'failed',
  'unauthorized',
  'unknownModel',
]);

/**
 * Tests an endpoint: requests its models, and the start of an answer, because some endpoints show their models without a key.
 * An answer that does not start within 4 s is no failure. Never rejects.
 */
export const testEndpoint = (settings: EndpointSettings, options: TestOptions): Promise<EndpointTest> =>
  test(settings, options, (endpoint) => requestStart(endpoint, options));

/** Requests the model in use and the list of models, and no answer. Never rejects. */
export const listEndpoint = (settings: EndpointSettings, options: TestOptions): Promise<EndpointTest> =>
  test(settings, options, async () => {});

async function test(
  settings: EndpointSettings,
  { signal, ...options }: TestOptions,
  finish: (endpoint: Endpoint) => Promise<void>,
): Promise<EndpointTest> {
  const endpoint = createEndpoint(settings, options);
  let models: readonly string[] = [];
  try {
    models = await modelsOf(endpoint, settings, signal);
    const { id } = await endpoint.model(signal);
    await finish(endpoint);
    return { ok: true, model: id, models };
  } catch (error) {
    if (signal.aborted) return { ok: false, message: 'The test was cancelled.' };
    if (!(error instanceof EndpointError)) throw error;
    return { ok: false, message: messageOf(error, settings, models) };
  }
}

async function modelsOf(
  endpoint: Endpoint,
  { model }: EndpointSettings,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    return (await endpoint.models(signal)).map(({ id }) => id);
  } catch (error) {
    if (model === null || !(error instanceof EndpointError) || !HAS_NO_LIST.has(error.kind)) throw error;
    return [];
  }
}

/** Requests an answer and ends it after its first part. */
async function requestStart(endpoint: Endpoint, { clock, signal }: TestOptions): Promise<void> {
  const enough = new AbortController();
  const cancel = clock.after(START_MS, () => enough.abort());
  const options = { signal: AbortSignal.any([signal, enough.signal]), maxTokens: TEST_TOKENS };
  try {
    for await (const part of endpoint.chat([{ role: 'user', content: 'Hello' }], options))
      if (part.kind) break;
  } catch (error) {
    if (signal.aborted || !enough.signal.aborted) throw error;
  } finally {
    cancel();
  }
}

function messageOf(error: EndpointError, { model }: EndpointSettings, models: readonly string[]): string {
  if (error.kind !== 'unknownModel' || model === null || models.length === 0) return error.message;
  const more = models.length - LISTED;
  const names = models.slice(0, LISTED).join(', ');
  return `The server has no model “${model}”. It has ${names}${more > 0 ? ` and ${more} more` : ''}. Choose one of these.`;
}
