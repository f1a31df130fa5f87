import * as z from 'zod/mini';
import { pageSecretHeaders } from '#loopback/pageSecret.ts';
import { systemClock } from '#shared/clock.ts';
import type { ParleyInspectBridge } from '#shared/ipc/channels.ts';
import { type InspectorClient, WorkerClient } from '../protocol/workerClient.ts';
import type { Reply, Source } from '../protocol/protocol.ts';

interface Policy {
  createScriptURL(url: string): string;
}

/** A window of a browser with or without Trusted Types. */
interface TrustingWindow extends Pick<Window, 'document'> {
  readonly trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
}

/** Starts the worker that the configuration names. */
export function connectInspector(page: Document, worker: InspectorConfig['worker']): InspectorClient {
  const url =
    'url' in worker
      ? new URL(worker.url, page.baseURI).href
      : URL.createObjectURL(new Blob([elementText(page, worker.elementId)], { type: 'text/javascript' }));
  return new WorkerClient((onReply, onError) => {
    const started = new Worker(trusted(url));
    started.addEventListener('message', ({ data }: MessageEvent<Reply>) => onReply(data));
    started.addEventListener('error', ({ message }) => onError(message));
    return { post: (request) => started.postMessage(request, {}), terminate: () => started.terminate() };
  }, systemClock(globalThis));
}

/** The policy of the page; it can be created once. A host that requires Trusted Types allows a policy `inspector`. */
let policy: Policy | undefined;

function trusted(url: string): string {
  const { trustedTypes }: TrustingWindow = window;
  policy ??= trustedTypes?.createPolicy('inspector', { createScriptURL: (own) => own });
  return policy?.createScriptURL(url) ?? url;
}

// The small variant of zod, because its size delays the start of the page.

const text = z.string().check(z.minLength(1));

const configSchema = z.strictObject({
  /** The location of the worker's script: a file beside the page, or an element of the page that contains its text. */
  worker: z.union([z.strictObject({ url: text }), z.strictObject({ elementId: text })]),
  /** The capture that is opened first; `null`: the person drops one on the page. */
  source: z.nullable(
    z.union([
      /** A capture to fetch; the URL is relative to the page. */
      z.strictObject({ url: text, name: text }),
      /** An element whose text is the capture's bytes as base64, gzipped or not. */
      z.strictObject({ elementId: text, name: text }),
      /** A live session: `window.parleyInspect.onLines` provides its lines. */
      z.strictObject({ live: z.literal(true) }),
    ]),
  ),
  /** Whether the host answers `POST make-test` and `POST source-lines`. */
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

/** Reads the configuration. @throws {Error} when the element is missing or does not contain a valid configuration. */
export const readConfig = (page: Document): InspectorConfig =>
  configSchema.parse(JSON.parse(elementText(page, 'inspector-config')));

/** Returns a capture that the host of the page serves. @param url relative to the page. */
export const urlSource = (page: Document, url: string, name: string): Source => ({
  kind: 'url',
  url: new URL(url, page.baseURI).href,
  name,
  headers: pageSecretHeaders(window),
});

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
