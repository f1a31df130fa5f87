import { systemClock } from '#shared/clock.ts';
import { type InspectorClient, type StartWorker, WorkerClient } from '../protocol/workerClient.ts';
import type { Reply } from '../protocol/protocol.ts';
import { type InspectorConfig, elementText } from './config.ts';

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
