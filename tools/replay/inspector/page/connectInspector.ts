import * as z from 'zod/mini';
import { systemClock } from '#shared/clock.ts';
import type { ParleyInspectBridge } from '#shared/ipc/channels.ts';
import { type InspectorClient, type StartWorker, WorkerClient } from '../protocol/workerClient.ts';
import type { Reply } from '../protocol/protocol.ts';

/** The used part of the browser's Trusted Types; a host that requires them allows a policy `inspector`. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

/** A window of a browser with or without Trusted Types. */
interface TrustingWindow extends Pick<Window, 'document'> {
  readonly trustedTypes?: TrustedTypes;
}

/** Starts the worker that the configuration names. */
export function connectInspector(
  page: Document,
  { worker }: Pick<InspectorConfig, 'worker'>,
): InspectorClient {
  const url =
    'url' in worker ? new URL(worker.url, page.baseURI).href : scriptUrl(elementText(page, worker.elementId));
  return new WorkerClient(workerOf(url), systemClock(globalThis));
}

const workerOf =
  (url: string): StartWorker =>
  (onReply, onError) => {
    const worker = new Worker(trusted(url));
    worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => onReply(data));
    worker.addEventListener('error', ({ message }) => onError(message));
    return { post: (request) => worker.postMessage(request, {}), terminate: () => worker.terminate() };
  };

const scriptUrl = (script: string) => URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));

/** The policy of the page; it can be created once. */
let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

function trusted(url: string): string {
  const { trustedTypes }: TrustingWindow = window;
  policy ??= trustedTypes?.createPolicy('inspector', { createScriptURL: (own) => own });
  return policy?.createScriptURL(url) ?? url;
}

// The small variant of zod, because its size delays the start of the page.

const text = z.string().check(z.minLength(1));

/** The location of the worker's script: a file beside the page, or an element of the page that contains its text. */
const workerSchema = z.union([z.strictObject({ url: text }), z.strictObject({ elementId: text })]);

const sourceSchema = z.union([
  /** A capture to fetch; the URL is relative to the page. */
  z.strictObject({ url: text, name: text }),
  /** An element whose text is the capture's bytes as base64, gzipped or not. */
  z.strictObject({ elementId: text, name: text }),
  /** A live session: `window.parleyInspect.onLines` provides its lines. */
  z.strictObject({ live: z.literal(true) }),
]);

const configSchema = z.strictObject({
  worker: workerSchema,
  /** The capture that is opened first; `null`: the person drops one on the page. */
  source: z.nullable(sourceSchema),
  /** Whether the host answers `POST make-test`. */
  makeTest: z.boolean(),
  /** The step at which the page opens; 0 when omitted. The address's `#step=` and `#update=` have priority. */
  step: z.optional(z.int().check(z.minimum(0))),
  /** The update at whose step the page opens. */
  update: z.optional(z.int().check(z.minimum(1))),
  /** The time at whose last step the page opens, milliseconds since the start of the recording. */
  t: z.optional(z.number().check(z.minimum(0))),
});

/** The configuration that the host of the page (a server, a single file, the app) provides. */
export type InspectorConfig = z.infer<typeof configSchema>;

/** The id of the element that contains the configuration as JSON. */
const CONFIG_ELEMENT = 'inspector-config';

/** Reads the configuration. @throws {Error} when the element is missing or does not contain a valid configuration. */
export function readConfig(page: Document): InspectorConfig {
  return configSchema.parse(JSON.parse(elementText(page, CONFIG_ELEMENT)));
}

/** Returns the text of an element. @throws {Error} when there is no such element. */
export function elementText(page: Document, id: string): string {
  const element = page.getElementById(id);
  if (element === null) throw new Error(`The page has no element with the id "${id}".`);
  return element.textContent;
}

declare global {
  interface Window {
    /** Provided by the app when the source is `live`. */
    readonly parleyInspect?: ParleyInspectBridge;
  }
}
