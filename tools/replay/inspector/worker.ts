// First: modules create validators when they load.
import '#shared/withoutEval.ts';
import { loadedApp } from './loadedApp.ts';
import { readSource } from './readSource.ts';
import { serveModel } from './serveModel.ts';
import type { Reply, Request } from './protocol/requests.ts';

/** The worker of the inspector: it stores the session and answers the requests of the page. */

const send = (reply: Reply): void => globalThis.postMessage(reply, {});

const { port1, port2 } = new MessageChannel();
const waiting: (() => void)[] = [];
port2.addEventListener('message', () => waiting.shift()?.());
port2.start();

/** Waits for a message to itself, because a timer would take longer than a time slice. */
const yieldToMessages = () =>
  new Promise<void>((resolve) => {
    waiting.push(resolve);
    port1.postMessage(undefined);
  });

const answer = serveModel({
  send,
  now: () => performance.now(),
  yieldToMessages,
  app: loadedApp,
  read: readSource,
});

globalThis.addEventListener('message', ({ data }: MessageEvent<Request>) => answer(data));
